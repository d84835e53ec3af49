//! What cannot be seen from outside.

use super::*;

#[test]
fn a_shadow_counts_half_for_each_step_of_k_since_it_was_written() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.rows[3].set_shadow(table.k, 29);
    for halved in [29, 14, 7, 3] {
        assert_eq!(table.rows[3].shadow(table.k), halved);
        table.k += 1;
    }
}

#[test]
fn where_a_shadow_is_full_k_grows_and_all_are_halved() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.rows[1].set_shadow(table.k, MOST);
    table.rows[2].set_shadow(table.k, 10);
    table.grow(1, MOST);
    assert_eq!(
        (
            table.k,
            table.rows[1].shadow(table.k),
            table.rows[2].shadow(table.k)
        ),
        (FIRST_SCALE + 1, MOST / 2, 5)
    );
    table.k = LARGEST_SCALE;
    table.rows[1].set_shadow(table.k, MOST);
    table.grow(1, MOST);
    assert_eq!(
        (table.k, table.rows[1].shadow(table.k)),
        (LARGEST_SCALE, MOST)
    );
}
