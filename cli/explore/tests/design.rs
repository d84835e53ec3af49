//! Designs distinguish effects.

use hpp_explore::design::Design;
use proptest::prelude::*;

/// What runs respond if each factor does what its coefficient says.
fn responses(design: &Design, coefficients: &[f64]) -> Vec<f64> {
    let response = |run: &Vec<bool>| {
        let signed = run.iter().zip(coefficients);
        signed
            .map(|(&high, c)| if high { *c } else { -c })
            .sum::<f64>()
            / 2.0
    };
    design.runs().iter().map(response).collect()
}

proptest! {
    #[test]
    fn effects_that_add_up_are_found_again(coefficients in prop::collection::vec(-10.0..10.0_f64, 1..12)) {
        let factors = coefficients.len();
        let designs = [Design::plackett_burman(factors), (factors < 8).then(|| Design::full(factors)).flatten()];
        for design in designs.into_iter().flatten() {
            let effects = design.effects(&responses(&design, &coefficients), false);
            prop_assert_eq!(effects.len(), factors);
            for effect in &effects {
                prop_assert!((effect.effect - coefficients[effect.factors[0]]).abs() < 1e-9);
            }
            prop_assert!(effects.is_sorted_by(|a, b| a.effect.abs() >= b.effect.abs()));
            let shares: f64 = effects.iter().map(|e| e.share).sum();
            prop_assert!((shares - 1.0).abs() < 1e-9 || coefficients.iter().all(|&c| c == 0.0));
        }
    }
}

#[test]
fn two_factors_together_are_estimated_by_the_full_design() {
    let design = Design::full(4).expect("few factors");
    let together = |run: &Vec<bool>| if run[1] == run[3] { 5.0 } else { -5.0 };
    let small = |run: &Vec<bool>| if run[0] { 0.01 } else { 0.0 };
    let responses: Vec<f64> = design
        .runs()
        .iter()
        .map(|run| together(run) + small(run))
        .collect();
    let effects = design.effects(&responses, true);
    assert_eq!(effects.len(), 10);
    assert_eq!(
        (&effects[0].factors[..], effects[0].effect),
        (&[1, 3][..], 10.0)
    );
    assert!(effects[0].is_significant && effects[0].share > 0.999);
}

#[test]
fn one_large_effect_among_small_ones_is_significant() {
    let design = Design::plackett_burman(11).expect("11 at most");
    let coefficients = [0.3, -0.2, 9.0, 0.1, -0.4, 0.2, 0.3, -0.1, 0.2, 0.1, -0.3];
    let effects = design.effects(&responses(&design, &coefficients), false);
    let significant: Vec<_> = effects.iter().filter(|e| e.is_significant).collect();
    assert_eq!(significant.len(), 1);
    assert_eq!(significant[0].factors, [2]);
}

#[test]
fn what_three_factors_do_together_is_chance_too() {
    let design = Design::full(3).expect("few factors");
    let contrast = |run: &[bool], factors: &[usize]| -> f64 {
        let signs = factors.iter().map(|&f| if run[f] { 1.0 } else { -1.0 });
        signs.product::<f64>() / 2.0
    };
    let response = |run: &Vec<bool>| {
        let small = [&[1][..], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
        let small: f64 = small.iter().map(|factors| contrast(run, factors)).sum();
        6.0 * contrast(run, &[0]) + small
    };
    let responses: Vec<f64> = design.runs().iter().map(response).collect();
    // Of seven contrasts the margin is 5.65, of six it would be 6.45.
    let effects = design.effects(&responses, true);
    assert_eq!(effects.len(), 6);
    let significant: Vec<_> = effects.iter().filter(|e| e.is_significant).collect();
    assert_eq!(significant.len(), 1);
    assert_eq!(significant[0].factors, [0]);
}

#[test]
fn too_many_factors_are_refused() {
    assert!(Design::plackett_burman(12).is_none() && Design::full(13).is_none());
}
