use places::*;

#[test]
fn what_is_between_is_told() {
    let told: Vec<bool> = (0..6).map(|a| between(a, 1, 4)).collect();
    assert_eq!(told, [false, false, true, true, false, false]);
}

#[test]
fn opposites() {
    assert_eq!(opposite(3), -3);
}

#[test]
fn amounts_have_names() {
    let names = [0, 1, 2, 9, 10].map(amount);
    assert_eq!(names, ["none", "one", "some", "some", "many"]);
}

#[test]
fn kinds_are_told() {
    let kinds = [(0, true), (1, true), (2, true), (1, false), (2, false)];
    assert_eq!(kinds.map(|(a, known)| kind(a, known)), [0, 7, 2, 0, 0]);
}

#[test]
fn pairs() {
    assert_eq!(pair(1), Pair { first: 1, second: 0 });
}

#[test]
fn constants() {
    assert_eq!([half(6), double(3)], [3, 6]);
    assert_eq!([0; FOUR].len(), 4);
}

#[test]
fn numbers_up_to_one() {
    assert_eq!(up_to(3).collect::<Vec<_>>(), [0, 1, 2]);
}

#[test]
fn steps_are_counted() {
    assert_eq!(steps(5), 5);
}

#[test]
fn nothing_is_looked_at() {
    let _ = (kept(1), ignored(5));
}
