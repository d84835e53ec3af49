//! The pages show the figures that were recorded, and have no other copy of them.

use hpp_tools::figures::Figures;
use hpp_tools::project_root;

fn all() -> Vec<Figures> {
    let all = Figures::all(&project_root()).expect("the data files can be read");
    assert_eq!(all.len(), 2);
    all
}

#[test]
fn every_page_shows_what_was_recorded() {
    for figures in all() {
        let unfilled = figures.unfilled().expect("the marks are right");
        let pages: Vec<_> = unfilled.iter().map(|(page, _)| page.display()).collect();
        assert!(
            pages.is_empty(),
            "typed between marks, or not filled: {pages:?}; remedy: make figures FILL=1"
        );
    }
}

#[test]
fn no_figure_is_typed() {
    let faults: Vec<String> = all()
        .iter()
        .flat_map(|figures| figures.faults().expect("the marks are right"))
        .collect();
    assert!(
        faults.is_empty(),
        "{}\nremedy: the mark of the figure in the place of the number, then make figures FILL=1",
        faults.join("\n")
    );
}
