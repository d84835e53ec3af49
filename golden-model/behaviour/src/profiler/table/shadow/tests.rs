//! What cannot be seen from outside.

use super::*;

#[test]
fn a_shadow_counts_half_for_each_step_of_k_since_it_was_written() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.set_shadow(3, 29);
    for halved in [29, 14, 7, 3] {
        assert_eq!(table.shadow(3), halved);
        table.k += 1;
    }
}

#[test]
fn where_a_shadow_is_full_k_grows_and_all_are_halved() {
    let mut table = ShadowTable::new(&Geometry::default(), 1);
    table.set_shadow(1, MOST);
    table.set_shadow(2, 10);
    table.grow(1, MOST);
    assert_eq!(
        (table.k, table.shadow(1), table.shadow(2)),
        (FIRST_SCALE + 1, MOST / 2, 5)
    );
    table.k = LARGEST_SCALE;
    table.set_shadow(1, MOST);
    table.grow(1, MOST);
    assert_eq!((table.k, table.shadow(1)), (LARGEST_SCALE, MOST));
}
