//! Properties of statement lists: with other expressions, without statements of no effect, as one expression.

use num_bigint::BigUint;
use std::collections::BTreeSet;

use super::random::{Random, TARGETS};
use super::{Values, run, value};
use crate::verilog::choice::{choice, decided};
use crate::verilog::effect::effective;
use crate::verilog::expr::{Expr, SignalId};
use crate::verilog::operator::Reduce;
use crate::verilog::rewrite::{assigned_instead, case, conditional, filter, retarget, rewritten};
use crate::verilog::statement::{Statement, all_of, definite, is_empty, reads, targets};

/// Calls `see` with random statements that assign one signal, with the signal's bits, and values of all signals.
fn each(mut see: impl FnMut(&mut Random, &[Statement], (SignalId, usize), Values)) {
    for seed in 0..400 {
        let mut random = Random::new(seed, 1);
        let own = TARGETS[random.pick(TARGETS.len())];
        let statements = random.block(2, &[own]);
        for _ in 0..4 {
            let values = random.values();
            see(&mut random, &statements, own, values);
        }
    }
}

/// Whether no list, in blocks too, ends with a comment.
fn is_said_of_something(statements: &[Statement]) -> bool {
    let is_comment = |s: &Statement| matches!(s, Statement::Comment(_));
    let within = |statement: &Statement| match statement {
        Statement::Comment(_) | Statement::Assign { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => is_said_of_something(then) && is_said_of_something(otherwise),
        Statement::Case { arms, default, .. } => {
            let mut blocks = arms.iter().map(|(_, block)| block).chain([default]);
            blocks.all(|block| is_said_of_something(block))
        }
    };
    !statements.last().is_some_and(is_comment) && statements.iter().all(within)
}

/// What a signal is after statements have run.
fn after(statements: &[Statement], target: SignalId, values: &Values) -> BigUint {
    let mut values = values.clone();
    run(statements, &mut values);
    values[target].clone()
}

/// Every statement, those in others too.
fn flat(statements: &[Statement]) -> Vec<&Statement> {
    let mut out = Vec::new();
    for statement in statements {
        out.push(statement);
        match statement {
            Statement::Comment(_) | Statement::Assign { .. } => {}
            Statement::If {
                then, otherwise, ..
            } => out.extend([then, otherwise].into_iter().flat_map(|block| flat(block))),
            Statement::Case { arms, default, .. } => {
                out.extend(arms.iter().flat_map(|(_, block)| flat(block)));
                out.extend(flat(default));
            }
        }
    }
    out
}

#[test]
fn what_has_no_effect_may_go() {
    each(|_, statements, (target, width), values| {
        let fewer = effective(statements.to_vec(), target, width);
        let expected = after(statements, target, &values);
        assert_eq!(after(&fewer, target, &values), expected, "{statements:#?}");
        assert!(flat(&fewer).len() <= flat(statements).len());
    });
}

#[test]
fn what_expressions_are_may_be_written_instead_of_them() {
    each(|_, statements, (target, width), values| {
        let expected = after(statements, target, &values);
        let mut signals = values.clone();
        // What the signal is itself changes on the way.
        let known = |id: SignalId| (id != target).then(|| Expr::number(values[id].clone()));
        let decided = rewritten(statements.to_vec(), &|e| e.substituted(&known));
        run(&decided, &mut signals);
        assert_eq!(signals[target], expected, "{statements:#?}");
        let kept = rewritten(statements.to_vec(), &Expr::clone);
        assert_eq!(after(&kept, target, &values), expected);
        assert!(signals[target] < BigUint::from(1u32) << width);
    });
}

#[test]
fn statements_of_several_signals_are_those_of_each() {
    for seed in 0..400 {
        let mut random = Random::new(seed, 1);
        let blocks: Vec<_> = (0..6)
            .map(|n| random.block(2, &TARGETS[n % 3..=n % 3]))
            .collect();
        let all = blocks.concat();
        let values = random.values();
        let mut assigned = BTreeSet::new();
        targets(&all, &mut assigned);
        for (target, _) in TARGETS {
            let own = filter(&all, &BTreeSet::from([target]));
            let mut of_own = BTreeSet::new();
            targets(&own, &mut of_own);
            assert!(of_own.is_subset(&assigned) && of_own.iter().all(|id| *id == target));
            assert_eq!(
                after(&own, target, &values),
                after(&all, target, &values),
                "{all:#?}"
            );
            assert_eq!(is_empty(&own), of_own.is_empty());
            assert!(is_said_of_something(&own), "{own:#?}");
        }
        assert_eq!(
            after(&filter(&all, &assigned), 9, &values),
            after(&all, 9, &values)
        );
    }
}

#[test]
fn what_is_read_and_assigned_is_found_in_every_block() {
    each(|_, statements, own, _| {
        let flat = flat(statements);
        let mut assigned = BTreeSet::new();
        targets(statements, &mut assigned);
        let assigns = |s: &&Statement| matches!(s, Statement::Assign { .. });
        assert_eq!(
            assigned.contains(&own.0),
            flat.iter().copied().any(|s| assigns(&s))
        );
        let mut read = BTreeSet::new();
        for statement in &flat {
            match statement {
                Statement::Comment(_) => {}
                Statement::Assign { value, .. } => value.reads(&mut read),
                Statement::If { test, .. } | Statement::Case { test, .. } => test.reads(&mut read),
            }
        }
        assert_eq!(reads(statements), read);
        let kinds: [&dyn Fn(&Statement) -> bool; 3] = [
            &|s| !matches!(s, Statement::Assign { low, .. } if *low > 0),
            &|s| !matches!(s, Statement::Comment(_)),
            &|s| !matches!(s, Statement::Case { .. }),
        ];
        for holds in kinds {
            assert_eq!(all_of(statements, holds), flat.iter().all(|s| holds(s)));
        }
    });
}

/// The bits of `target` that each way through statements assigns.
fn ways(statements: &[Statement], target: SignalId) -> BTreeSet<u64> {
    let mut ways = BTreeSet::from([0]);
    for statement in statements {
        let choices: BTreeSet<u64> = match statement {
            Statement::Comment(_) => continue,
            Statement::Assign {
                target: t,
                low,
                width,
                ..
            } => BTreeSet::from([if *t == target {
                ((1 << width) - 1) << low
            } else {
                0
            }]),
            Statement::If {
                then, otherwise, ..
            } => &ways_of(then, target) | &ways_of(otherwise, target),
            Statement::Case { arms, default, .. } => arms
                .iter()
                .fold(ways_of(default, target), |all, (_, block)| {
                    &all | &ways_of(block, target)
                }),
        };
        let each = |way: &u64| choices.iter().map(|more| way | more).collect::<Vec<_>>();
        ways = ways.iter().flat_map(each).collect();
    }
    ways
}

fn ways_of(block: &[Statement], target: SignalId) -> BTreeSet<u64> {
    ways(block, target)
}

#[test]
fn a_bit_is_assigned_for_certain_if_every_way_assigns_it() {
    for seed in 0..400 {
        let mut random = Random::new(seed, 1);
        let statements = random.block(2, &TARGETS);
        for (target, width) in TARGETS {
            let all = ways(&statements, target)
                .into_iter()
                .fold(u64::MAX, |all, way| all & way);
            let expected: Vec<bool> = (0..width).map(|bit| all >> bit & 1 == 1).collect();
            assert_eq!(definite(&statements, target, width), expected);
        }
    }
}

#[test]
fn what_is_left_of_a_choice_chooses_alike() {
    each(|random, statements, (target, width), values| {
        let other = random.block(1, &[(target, width)]);
        let empty = random.pick(3) == 0;
        let other = if empty { Vec::new() } else { other };
        let test = random.expression(1).expr;
        let number = value(&test, &values);
        let mut out = Vec::new();
        conditional(
            test.clone().reduce(Reduce::Or),
            other.clone(),
            statements.to_vec(),
            &mut out,
        );
        let taken = if number.bits() > 0 {
            &other[..]
        } else {
            statements
        };
        assert_eq!(after(&out, target, &values), after(taken, target, &values));
        let arms = vec![
            (Expr::number(1u32), other.clone()),
            (Expr::number(2u32), statements.to_vec()),
            (Expr::number(9u32), other.clone()),
        ];
        let taken = match u64::try_from(&number) {
            Ok(1 | 9) => &other[..],
            Ok(2) => statements,
            _ => &[],
        };
        let mut out = Vec::new();
        case(test, arms, Vec::new(), &mut out);
        assert_eq!(after(&out, target, &values), after(taken, target, &values));
    });
}

#[test]
fn other_signals_may_be_assigned_alike() {
    each(|_, statements, (target, width), values| {
        let spare = values.len();
        let mut with_spare = values.clone();
        with_spare.push(values[target].clone());
        let mut moved = statements.to_vec();
        retarget(&mut moved, &|id| if *id == target { spare } else { *id });
        let mut assigned = BTreeSet::new();
        targets(&moved, &mut assigned);
        assert!(assigned.iter().all(|id| *id == spare));
        let reads_own = reads(statements).contains(&target);
        if !reads_own {
            let expected = after(statements, target, &values);
            assert_eq!(after(&moved, spare, &with_spare), expected);
        }
        // A bit of what is assigned last.
        let whole = |s: &Statement| !matches!(s, Statement::Assign { width: w, .. } if *w != width);
        if !reads_own && all_of(statements, &whole) {
            let parity = |value: &Expr| value.clone().reduce(Reduce::Xor);
            let bits = assigned_instead(statements, spare, &parity);
            with_spare[spare] = BigUint::from(values[target].count_ones() % 2);
            let last = after(statements, target, &values);
            let expected = BigUint::from(last.count_ones() % 2);
            assert_eq!(
                after(&bits, spare, &with_spare),
                expected,
                "{statements:#?}"
            );
            assert!(
                !flat(&bits)
                    .iter()
                    .any(|s| matches!(s, Statement::Comment(_)))
            );
        }
    });
}

/// A default and an `if`, or an `if` of both.
#[test]
fn a_choice_between_two_values_is_one_in_a_line() {
    for seed in 0..600 {
        let mut random = Random::new(seed, 2);
        let (target, width) = TARGETS[random.pick(TARGETS.len())];
        let mut expression = || {
            let number = random.pick(4);
            let expr = random.expression(1).expr;
            let expr = if number < 2 {
                Expr::number(number)
            } else {
                expr
            };
            expr.slice(0, width)
        };
        let (a, b, test) = (expression(), expression(), expression().cast(1));
        let assign = |value: &Expr| Statement::Assign {
            target,
            low: 0,
            width,
            value: value.clone(),
        };
        let when = |otherwise| Statement::If {
            test: test.clone(),
            then: vec![assign(&a)],
            otherwise,
        };
        let comment = Statement::Comment(vec!["Says why.".into()]);
        for statements in [
            vec![assign(&b), when(Vec::new())],
            vec![when(vec![assign(&b)])],
            vec![comment.clone(), assign(&b), comment, when(Vec::new())],
        ] {
            let found = choice(&statements, width).expect("a choice");
            assert_eq!(found, (&test, &a, &b));
            assert_eq!(choice(&statements, width + 1), None);
        }
        let values = random.values();
        let chosen = if value(&test, &values).bits() > 0 {
            &a
        } else {
            &b
        };
        let is_plain = |e: &Expr| e.is(0) || e.is(1);
        match decided(&test, &a, &b, width) {
            Some(one) => assert_eq!(value(&one, &values), value(chosen, &values)),
            None => assert!(a != b && (width > 1 || !is_plain(&a) && !is_plain(&b))),
        }
    }
}
