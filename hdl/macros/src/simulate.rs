//! From the functions of a kernel to what the simulation executes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Arm, Block, Expr, Pat, Stmt, parse_quote};

use crate::syntax::{constant, constant_pattern, driven, helper, is_place, is_static, optional};

/// Makes Rust of the statements of a kernel: a constant is a literal, and a signal is its value.
pub fn simulate(block: &mut Block) {
    for statement in &mut block.stmts {
        match statement {
            Stmt::Local(local) => local
                .init
                .iter_mut()
                .for_each(|init| executed(&mut init.expr)),
            Stmt::Expr(expr, _) => executed(expr),
            _ => {}
        }
    }
}

fn executed(expr: &mut Expr) {
    if constant(expr).is_some() {
        *expr = Expr::Verbatim(helper("named", quote! { #expr }));
        return;
    }
    if is_place(expr) {
        *expr = Expr::Verbatim(match optional(expr) {
            Some((part, port)) => helper("read_optional", quote! { &#part, |part| &#port }),
            None => helper("read", quote! { &#expr }),
        });
        return;
    }
    match expr {
        Expr::Paren(inner) => executed(&mut inner.expr),
        Expr::Unary(one) => executed(&mut one.expr),
        Expr::Binary(both) => {
            executed(&mut both.left);
            executed(&mut both.right);
        }
        Expr::Tuple(values) => values.elems.iter_mut().for_each(executed),
        Expr::Call(call) => call.args.iter_mut().for_each(executed),
        Expr::MethodCall(call) if call.method == "val" && is_place(&call.receiver) => {
            *expr = (*call.receiver).clone();
            executed(expr);
        }
        Expr::MethodCall(call) => {
            executed(&mut call.receiver);
            for (place, argument) in call.args.iter_mut().enumerate() {
                let is_index = place == 0 && constant(argument).is_some();
                executed(argument);
                if is_index {
                    *argument = parse_quote! { #argument as usize };
                }
            }
        }
        Expr::Assign(assign) => {
            executed(&mut assign.right);
            let (left, right) = (&assign.left, &assign.right);
            if let Some((part, place)) = optional(left) {
                *expr = parse_quote! { {
                    let value = #right;
                    if let Some(part) = &mut #part { #place = value; }
                } };
            }
        }
        Expr::Block(block) => simulate(&mut block.block),
        Expr::ForLoop(repeat) => simulate(&mut repeat.body),
        Expr::If(choice) => {
            if !is_static(&choice.cond) {
                executed(&mut choice.cond);
            }
            simulate(&mut choice.then_branch);
            choice
                .else_branch
                .iter_mut()
                .for_each(|(_, arm)| executed(arm));
        }
        Expr::Match(choice) => {
            executed(&mut choice.expr);
            choice.arms.iter_mut().for_each(compared);
        }
        _ => {}
    }
}

/// A constant as a pattern is a comparison.
fn compared(arm: &mut Arm) {
    executed(&mut arm.body);
    let numbers = match &arm.pat {
        Pat::Or(several) => several.cases.iter().map(number).collect(),
        one => number(one).map(|number| vec![number]),
    };
    if let Some::<Vec<_>>(numbers) = numbers {
        let body = &arm.body;
        *arm = parse_quote! { it if #(it == #numbers)||* => #body, };
    }
}

/// The number that a pattern stands for.
fn number(pattern: &Pat) -> Option<TokenStream> {
    match pattern {
        Pat::Lit(number) if matches!(number.lit, syn::Lit::Int(_)) => Some(quote! { #number }),
        other => {
            let (_, path) = constant_pattern(other)?;
            Some(helper("named", quote! { #path }))
        }
    }
}

/// rust-hdl's `connect`: each target of the block is marked as driven.
pub fn connected(block: &Block) -> TokenStream {
    let statements = block.stmts.iter().map(|statement| match statement {
        Stmt::Expr(expr, _) => connects(expr),
        _ => TokenStream::new(),
    });
    quote! { #(#statements)* }
}

fn connects(expr: &Expr) -> TokenStream {
    match expr {
        Expr::Assign(assign) => {
            let Some(place) = driven(&assign.left) else {
                return TokenStream::new();
            };
            match optional(place) {
                Some((part, port)) => {
                    quote! { if let Some(part) = &mut #part { logic::logic_connect_fn(&mut #port); } }
                }
                None => quote! { logic::logic_connect_fn(&mut #place); },
            }
        }
        Expr::Block(block) => connected(&block.block),
        Expr::If(choice) => {
            let (test, then) = (&choice.cond, connected(&choice.then_branch));
            let otherwise = choice.else_branch.as_ref().map(|(_, arm)| connects(arm));
            match is_static(test) {
                true => quote! { if #test { #then } else { #otherwise } },
                false => quote! { #then #otherwise },
            }
        }
        Expr::Match(choice) => choice.arms.iter().map(|arm| connects(&arm.body)).collect(),
        Expr::ForLoop(repeat) => {
            let (index, range, body) = (&repeat.pat, &repeat.expr, connected(&repeat.body));
            quote! { for #index in #range { #body } }
        }
        _ => TokenStream::new(),
    }
}
