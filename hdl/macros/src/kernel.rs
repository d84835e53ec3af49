//! The expansion of `kernel`: the functions of an `impl` block as rust-hdl's `update`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, FnArg, ImplItem, ImplItemFn, ItemImpl, ReceiverKind, Result, ReturnType, Stmt};

/// `impl Logic` with the statements of all parts, in their order.
pub fn expand(item: ItemImpl) -> Result<TokenStream> {
    if let Some((path, _)) = &item.trait_ {
        return Err(Error::new_spanned(
            path,
            "a kernel is an `impl` of the circuit itself: leave the trait out",
        ));
    }
    let mut statements: Vec<Stmt> = Vec::new();
    for part in item.items {
        statements.extend(statements_of(part)?);
    }
    let circuit = &item.self_ty;
    Ok(quote! {
        impl Logic for #circuit {
            #[hdl_gen]
            fn update(&mut self) {
                #(#statements)*
            }
        }
    })
}

/// The statements of one part.
fn statements_of(part: ImplItem) -> Result<Vec<Stmt>> {
    let ImplItem::Fn(function) = part else {
        return Err(Error::new_spanned(part, "a kernel holds functions alone"));
    };
    if !is_part(&function) {
        return Err(Error::new_spanned(
            &function.sig,
            "a part of a kernel is `fn name(&mut self)`, without a result",
        ));
    }
    if !function.attrs.iter().any(|at| at.path().is_ident("doc")) {
        return Err(Error::new_spanned(
            &function.sig,
            "a part of a kernel needs a doc comment that says what it computes",
        ));
    }
    Ok(function.block.stmts)
}

/// Whether the function takes `&mut self` alone and gives nothing back.
fn is_part(function: &ImplItemFn) -> bool {
    let takes_self = matches!(
        function.sig.inputs.first(),
        Some(FnArg::Receiver(receiver)) if matches!(receiver.kind, ReceiverKind::Reference(_, _, Some(_)))
    );
    takes_self
        && function.sig.inputs.len() == 1
        && function.sig.generics.params.is_empty()
        && matches!(function.sig.output, ReturnType::Default)
}
