//! The expansion of `kernel`: the functions of an `impl` block as rust-hdl's `Logic`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{FnArg, ImplItem, ImplItemFn, ItemImpl, ReceiverKind, Result, ReturnType};

use crate::simulate::{connected, simulate};
use crate::syntax::refuse;
use crate::translate::Translation;

/// `impl Logic` with the statements of all parts, in their order, and the functions that return a value.
pub fn expand(item: ItemImpl) -> Result<TokenStream> {
    if let Some((path, _)) = &item.trait_ {
        return refuse(
            path,
            "a kernel is an `impl` of the circuit itself: leave the trait out",
        );
    }
    let functions = item.items.into_iter().map(function);
    let functions = functions.collect::<Result<Vec<_>>>()?;
    let (parts, mut values): (Vec<_>, Vec<_>) = functions
        .into_iter()
        .partition(|function| matches!(function.sig.output, ReturnType::Default));
    let bodies = values
        .iter()
        .map(|ImplItemFn { sig, block, .. }| (sig.ident.to_string(), block.clone()));
    let mut translation = Translation::new(bodies.collect());
    let (mut simulated, mut written, mut connections) = (Vec::new(), Vec::new(), Vec::new());
    for ImplItemFn { mut block, .. } in parts {
        written.push(translation.statements(&block, None)?);
        connections.push(connected(&block));
        simulate(&mut block);
        simulated.extend(block.stmts);
    }
    values
        .iter_mut()
        .for_each(|value| simulate(&mut value.block));
    let (circuit, (generics, _, bounds)) = (&item.self_ty, item.generics.split_for_impl());
    Ok(quote! {
        impl #generics #circuit #bounds {
            #(#values)*
        }

        impl #generics Logic for #circuit #bounds {
            // A condition that is decided at generation stays outside one of the hardware.
            #[allow(unreachable_patterns, clippy::assign_op_pattern, clippy::collapsible_if)]
            fn update(&mut self) {
                #(#simulated)*
            }

            #[allow(unused_variables)]
            fn connect(&mut self) {
                #(#connections)*
            }

            #[allow(unused_variables)]
            fn hdl(&self) -> ast::Verilog {
                ast::Verilog::Combinatorial(vec![#(ast::VerilogStatement::Macro(#written)),*])
            }
        }
    })
}

/// A function of a kernel.
fn function(item: ImplItem) -> Result<ImplItemFn> {
    let ImplItem::Fn(function) = item else {
        return refuse(&item, "a kernel holds functions alone");
    };
    if !is_allowed(&function) {
        return refuse(
            &function.sig,
            "a function of a kernel is `fn name(&mut self)`, or `fn name(&self) -> Type` if it returns a value",
        );
    }
    if !function.attrs.iter().any(|at| at.path().is_ident("doc")) {
        return refuse(
            &function.sig,
            "a function of a kernel needs a doc comment that says what it computes",
        );
    }
    Ok(function)
}

/// Whether the function takes `&mut self` alone and returns nothing, or takes `&self` and returns something.
fn is_allowed(function: &ImplItemFn) -> bool {
    let signature = &function.sig;
    let returns = !matches!(signature.output, ReturnType::Default);
    let takes_self = matches!(
        signature.inputs.first(),
        Some(FnArg::Receiver(receiver)) if matches!(&receiver.kind, ReceiverKind::Reference(_, _, mutable) if mutable.is_some() != returns)
    );
    takes_self && signature.inputs.len() == 1 && signature.generics.params.is_empty()
}
