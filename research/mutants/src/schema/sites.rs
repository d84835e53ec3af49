//! The places of a file that mutants change, and what must stay known while it is compiled.

use crate::list::Genre;
use std::collections::HashMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// What a mutant of a place is written as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// A return at the beginning of these statements.
    Return,
    /// A choice of two iterators, these statements being one.
    Iterator,
    /// A choice of two expressions in the place of this one.
    Choice,
    /// A guard behind this pattern.
    Guard,
}

/// When a place is evaluated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Time {
    /// When the program runs.
    Run,
    /// While it is compiled.
    Compilation,
    /// Maybe both: in a constant function of this name.
    Both(String),
}

/// A place that mutants change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    /// Bytes of the file: the statements, the expression, the pattern.
    pub range: Range<usize>,
    /// What its mutants are written as.
    pub form: Form,
    /// When it is evaluated.
    pub time: Time,
}

/// The word `const` of a function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Constant {
    /// The function's name, behind that of its type if it has one.
    pub function: String,
    /// Bytes of the file.
    pub word: Range<usize>,
}

/// What is found in a file.
#[derive(Debug, Default)]
pub struct Sites {
    /// By what kind of mutant changes it, and where that begins.
    pub sites: HashMap<(Genre, usize), Site>,
    /// Its constant functions.
    pub constants: Vec<Constant>,
}

/// Finds them.
///
/// # Errors
///
/// If the text is not Rust.
pub fn sites(text: &str) -> syn::Result<Sites> {
    let file = syn::parse_file(text)?;
    let mut visitor = Visitor {
        found: Sites::default(),
        time: Time::Run,
        owner: None,
    };
    visitor.visit_file(&file);
    Ok(visitor.found)
}

struct Visitor {
    found: Sites,
    time: Time,
    /// The type whose functions are visited.
    owner: Option<String>,
}

fn bytes(of: &impl Spanned) -> Range<usize> {
    of.span().byte_range()
}

impl Visitor {
    fn add(&mut self, genre: Genre, at: usize, range: Range<usize>, form: Form) {
        let time = self.time.clone();
        let site = Site { range, form, time };
        self.found.sites.insert((genre, at), site);
    }

    /// Visits what is evaluated at another time than what is around it.
    fn at(&mut self, time: Time, visit: impl FnOnce(&mut Self)) {
        let around = std::mem::replace(&mut self.time, time);
        visit(self);
        self.time = around;
    }

    fn compiled(&mut self, visit: impl FnOnce(&mut Self)) {
        self.at(Time::Compilation, visit);
    }

    fn function(
        &mut self,
        signature: &syn::Signature,
        block: Option<&syn::Block>,
        visit: impl FnOnce(&mut Self),
    ) {
        let time = match &signature.constness {
            None => Time::Run,
            Some(word) => {
                let function = match &self.owner {
                    None => signature.ident.to_string(),
                    Some(owner) => format!("{owner}::{}", signature.ident),
                };
                let constant = Constant {
                    function: function.clone(),
                    word: bytes(word),
                };
                self.found.constants.push(constant);
                Time::Both(function)
            }
        };
        self.at(time, |visitor| {
            let statements = block.map_or(&[][..], |block| &block.stmts);
            if let (Some(first), Some(last)) = (statements.first(), statements.last())
                && let Some(form) = form_of(&signature.output)
            {
                let range = bytes(first).start..bytes(last).end;
                visitor.add(Genre::FnValue, range.start, range, form);
            }
            visit(visitor);
        });
    }
}

impl<'ast> Visit<'ast> for Visitor {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, Some(&item.block), |visitor| {
            visit::visit_item_fn(visitor, item);
        });
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        let name = match &*item.self_ty {
            syn::Type::Path(of) => of.path.segments.last().map(|name| name.ident.to_string()),
            _ => None,
        };
        let around = std::mem::replace(&mut self.owner, name);
        visit::visit_item_impl(self, item);
        self.owner = around;
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, Some(&item.block), |visitor| {
            visit::visit_impl_item_fn(visitor, item);
        });
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        self.function(&item.sig, item.default.as_ref(), |visitor| {
            visit::visit_trait_item_fn(visitor, item);
        });
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.compiled(|visitor| visit::visit_item_const(visitor, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.compiled(|visitor| visit::visit_impl_item_const(visitor, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.compiled(|visitor| visit::visit_trait_item_const(visitor, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.compiled(|visitor| visit::visit_item_static(visitor, item));
    }

    fn visit_variant(&mut self, variant: &'ast syn::Variant) {
        self.compiled(|visitor| visit::visit_variant(visitor, variant));
    }

    fn visit_type(&mut self, of: &'ast syn::Type) {
        self.compiled(|visitor| visit::visit_type(visitor, of));
    }

    fn visit_generic_argument(&mut self, argument: &'ast syn::GenericArgument) {
        self.compiled(|visitor| visit::visit_generic_argument(visitor, argument));
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.compiled(|visitor| visit::visit_expr_const(visitor, block));
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
        self.compiled(|visitor| visitor.visit_expr(&repeat.len));
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        if !binds(&binary.left) && !binds(&binary.right) {
            let at = bytes(&binary.op).start;
            self.add(Genre::BinaryOperator, at, bytes(binary), Form::Choice);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let at = bytes(&unary.op).start;
        self.add(Genre::UnaryOperator, at, bytes(unary), Form::Choice);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        for field in &made.fields {
            let at = bytes(field).start;
            self.add(Genre::StructField, at, bytes(made), Form::Choice);
        }
        visit::visit_expr_struct(self, made);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        match &arm.pat {
            syn::Pat::Guard(guarded) => {
                let guard = bytes(&guarded.guard);
                if !binds(&guarded.guard) {
                    self.add(Genre::MatchArmGuard, guard.start, guard, Form::Choice);
                }
                self.visit_expr(&guarded.guard);
            }
            pattern => {
                let at = bytes(arm).start;
                self.add(Genre::MatchArm, at, bytes(pattern), Form::Guard);
            }
        }
        self.visit_expr(&arm.body);
    }

    // What stands in a pattern is evaluated while it is compiled.
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
}

/// What another value of a function is written as. One whose type has `impl` in it is of no type but its body's.
fn form_of(output: &syn::ReturnType) -> Option<Form> {
    struct Finder(bool);
    impl Visit<'_> for Finder {
        fn visit_type_impl_trait(&mut self, _: &syn::TypeImplTrait) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_return_type(output);
    match output {
        _ if !finder.0 => Some(Form::Return),
        syn::ReturnType::Type(_, of) => is_iterator(of).then_some(Form::Iterator),
        syn::ReturnType::Default => None,
    }
}

fn is_iterator(of: &syn::Type) -> bool {
    let syn::Type::ImplTrait(of) = of else {
        return false;
    };
    of.bounds.iter().any(|bound| match bound {
        syn::TypeParamBound::Trait(bound) => {
            let name = bound.path.segments.last();
            name.is_some_and(|name| name.ident.to_string().ends_with("Iterator"))
        }
        _ => false,
    })
}

/// Whether a condition binds names, so that it cannot stand elsewhere.
fn binds(condition: &syn::Expr) -> bool {
    match condition {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => binds(&binary.left) || binds(&binary.right),
        _ => false,
    }
}
