//! From the functions of a kernel to rust-hdl's syntax tree.
//!
//! The tree is rust-hdl's, with two kinds of names that it does not have: `let x 3` is local value `x`, the third of the kernel, and `const NAME 5` is a
//! number with a name. What declares a local value is a block that begins with a comment: its name, or for `let mut` its
//! name and its width in bits.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeMap;
use syn::{
    BinOp, Block, Expr, ExprCall, ExprForLoop, ExprIf, ExprMatch, ExprMethodCall, ExprPath,
    GenericArgument, Ident, Pat, PathArguments, Result, Stmt, Type, UnOp,
};

use crate::syntax::{
    Name, constant, constant_pattern, driven, helper, is_place, is_self, is_static, optional,
    refuse, there,
};

/// What a local name stands for.
enum Local {
    /// A local value, or an optional part that is present, by its name in the tree.
    Value(Name),
    /// The index of a loop.
    Index,
}

/// The signal or local value to which an expression is assigned.
pub struct Target {
    /// Its name in the tree.
    name: Name,
    /// The type that the value is converted to.
    ty: Option<Type>,
}

/// The translation of one kernel.
#[derive(Default)]
pub struct Translation {
    /// The functions that return a value.
    functions: BTreeMap<String, Block>,
    locals: Vec<(String, Local)>,
    /// Number of local values so far.
    count: usize,
}

impl Translation {
    /// The translation of a kernel with these functions that return a value.
    pub fn new(functions: BTreeMap<String, Block>) -> Self {
        Self {
            functions,
            ..Self::default()
        }
    }

    /// The statements of a block, as an expression of type `VerilogBlock`. With `to`, the last one is a value.
    fn block(&mut self, block: &Block, to: Option<&Target>) -> Result<TokenStream> {
        let known = self.locals.len();
        let statements = self.statements(block, to);
        self.locals.truncate(known);
        statements
    }

    /// As `block`, but what the block binds stays in scope: a later part of a kernel reads what an earlier one bound.
    pub fn statements(&mut self, block: &Block, to: Option<&Target>) -> Result<TokenStream> {
        let mut out = Vec::new();
        for (place, statement) in block.stmts.iter().enumerate() {
            let to = to.filter(|_| place + 1 == block.stmts.len());
            match statement {
                Stmt::Local(local) => out.extend(self.bind(local)?),
                Stmt::Expr(value, None) => out.push(self.statement(value, to)?),
                Stmt::Expr(effect, Some(_)) => out.push(self.statement(effect, None)?),
                other => return refuse(other, "a kernel has no items and no macros"),
            }
        }
        if to.is_some() && !matches!(block.stmts.last(), Some(Stmt::Expr(_, None))) {
            return refuse(
                block,
                "the last expression of this block is to be its value",
            );
        }
        Ok(quote! { vec![#(#out),*] })
    }

    /// `let x = value;`, and `let (a, b) = (x, y);` as one for each.
    fn bind(&mut self, local: &syn::Local) -> Result<Vec<TokenStream>> {
        let Some(init) = &local.init else {
            return refuse(local, "a local value needs one: write `let name = value;`");
        };
        let pairs: Vec<(&Pat, &Expr)> = match (&local.pat, &*init.expr) {
            (Pat::Tuple(names), Expr::Tuple(values)) if names.elems.len() == values.elems.len() => {
                names.elems.iter().zip(&values.elems).collect()
            }
            pair => vec![pair],
        };
        // The values are those before the statement.
        let (mut out, mut bound) = (Vec::new(), Vec::new());
        for (pattern, value) in pairs {
            let (pattern, ty) = match pattern {
                Pat::Type(typed) => (&*typed.pat, Some((*typed.ty).clone())),
                other => (other, None),
            };
            let Pat::Ident(pattern) = pattern else {
                return refuse(pattern, "write `let name = value;`");
            };
            self.count += 1;
            let name = format!("let {} {}", pattern.ident, self.count);
            let declaration = match (pattern.mutability, &ty) {
                (None, _) => quote! { #name.to_string() },
                (Some(_), Some(ty)) => {
                    quote! { format!("{} {}", #name, <#ty as ::rust_hdl::prelude::Synth>::BITS) }
                }
                (Some(_), None) => {
                    return refuse(
                        pattern,
                        "what changes has a type: write `let mut name: Type = value;`",
                    );
                }
            };
            let target = Target {
                name: Name::local(name),
                ty,
            };
            let value = self.statement(value, Some(&target))?;
            out.push(quote! {
                ast::VerilogStatement::Macro(vec![ast::VerilogStatement::Comment(#declaration), #value])
            });
            bound.push((pattern.ident.to_string(), Local::Value(target.name)));
        }
        self.locals.extend(bound);
        Ok(out)
    }

    /// What a statement does, or with `to` what an expression assigns.
    fn statement(&mut self, expr: &Expr, to: Option<&Target>) -> Result<TokenStream> {
        match (expr, to) {
            (Expr::If(choice), _) => self.branch(choice, to),
            (Expr::Match(choice), _) => self.choice(choice, to),
            (Expr::Block(block), _) => nested(self.block(&block.block, to)?),
            (Expr::MethodCall(call), Some(_)) if is_self(&call.receiver) => self.function(call, to),
            (value, Some(to)) => {
                let mut value = self.value(value)?;
                if let Some(ty) = &to.ty {
                    value = cast(value, quote! { <#ty as ::rust_hdl::prelude::Synth>::BITS });
                }
                let name = &to.name;
                Ok(
                    quote! { ast::VerilogStatement::Assignment(ast::VerilogExpression::Signal(#name), #value) },
                )
            }
            (Expr::Assign(assign), None) => {
                let name = match (driven(&assign.left), &*assign.left) {
                    (Some(place), _) => self.name(place)?.member(&format_ident!("next")),
                    (None, Expr::Path(local)) => self.name(&Expr::Path(local.clone()))?,
                    (None, other) => return refuse(other, "write `self.signal.next = value`"),
                };
                let out = self.statement(&assign.right, Some(&Target { name, ty: None }))?;
                match optional(&assign.left) {
                    None => Ok(out),
                    Some((part, _)) => {
                        nested(quote! { if #part.is_some() { vec![#out] } else { Vec::new() } })
                    }
                }
            }
            (Expr::ForLoop(repeat), None) => self.repeat(repeat),
            (other, None) => refuse(other, "this is no statement of a kernel"),
        }
    }

    /// `self.function()`: the statements of the function, in line.
    fn function(&mut self, call: &ExprMethodCall, to: Option<&Target>) -> Result<TokenStream> {
        let Some(block) = self.functions.get(&call.method.to_string()).cloned() else {
            return refuse(
                call,
                "this is no function of the kernel that returns a value",
            );
        };
        let around = std::mem::take(&mut self.locals);
        let block = self.block(&block, to);
        self.locals = around;
        nested(block?)
    }

    /// `if`, in hardware or decided when the tree is made.
    fn branch(&mut self, choice: &ExprIf, to: Option<&Target>) -> Result<TokenStream> {
        let known = self.locals.len();
        let test = match &*choice.cond {
            Expr::Let(test) => {
                let (local, place) = there(test)?;
                let name = self.name(place)?;
                self.locals.push((local, Local::Value(name)));
                quote! { #place.is_some() }
            }
            test if is_static(test) => quote! { #test },
            test => self.value(test)?,
        };
        let then = self.block(&choice.then_branch, to)?;
        self.locals.truncate(known);
        let otherwise = match choice.else_branch.as_ref().map(|(_, arm)| &**arm) {
            Some(Expr::Block(block)) => self.block(&block.block, to)?,
            Some(next) => {
                let next = self.statement(next, to)?;
                quote! { vec![#next] }
            }
            None if to.is_some() => return refuse(choice, "a chosen value needs `else`"),
            None => quote! { Vec::new() },
        };
        if is_static(&choice.cond) {
            return nested(quote! { if #test { #then } else { #otherwise } });
        }
        Ok(quote! { ast::VerilogStatement::If(ast::VerilogConditional {
            test: #test, then: #then, otherwise: ast::VerilogBlockOrConditional::Block(#otherwise),
        }) })
    }

    fn choice(&mut self, choice: &ExprMatch, to: Option<&Target>) -> Result<TokenStream> {
        let test = self.value(&choice.expr)?;
        let mut cases = Vec::new();
        for arm in &choice.arms {
            let block = match &*arm.body {
                Expr::Block(block) => self.block(&block.block, to)?,
                single => {
                    let single = self.statement(single, to)?;
                    quote! { vec![#single] }
                }
            };
            let patterns = match &arm.pat {
                Pat::Or(several) => several.cases.iter().collect(),
                one => vec![one],
            };
            for pattern in patterns {
                let condition = match (pattern, constant_pattern(pattern)) {
                    (_, Some((name, path))) => helper("pattern", quote! { #name, #path }),
                    (Pat::Wild(_), _) => quote! { "default" },
                    (Pat::Lit(number), _) => quote! { stringify!(#number) },
                    (other, _) => return refuse(other, "a pattern is a constant, a number or `_`"),
                };
                cases.push(quote! { ast::VerilogCase { condition: #condition.to_string(), block: #block } });
            }
        }
        Ok(
            quote! { ast::VerilogStatement::Match(ast::VerilogMatch { test: #test, cases: vec![#(#cases),*] }) },
        )
    }

    /// `for`, unrolled when the tree is made.
    fn repeat(&mut self, repeat: &ExprForLoop) -> Result<TokenStream> {
        let wanted = "write `for i in from..to`";
        let (Pat::Ident(index), Expr::Range(range)) = (&*repeat.pat, &*repeat.expr) else {
            return refuse(repeat, wanted);
        };
        if range.start.is_none() || range.end.is_none() {
            return refuse(range, wanted);
        }
        self.locals.push((index.ident.to_string(), Local::Index));
        let block = self.block(&repeat.body, None)?;
        self.locals.pop();
        nested(quote! { (#range).flat_map(|#index| #block).collect() })
    }

    fn value(&mut self, expr: &Expr) -> Result<TokenStream> {
        if let Some(name) = constant(expr) {
            return Ok(helper("constant", quote! { #name, #expr }));
        }
        match expr {
            place if is_place(place) => {
                let read = self.signal(place)?;
                Ok(match optional(place) {
                    None => read,
                    Some((part, port)) => {
                        let zero = helper("zero", quote! { &#part, |part| &#port });
                        quote! { if #part.is_some() { #read } else { #zero } }
                    }
                })
            }
            Expr::Path(path) => match self.local(path) {
                Some(Local::Index) => {
                    Ok(quote! { ast::VerilogExpression::Literal((#path).into()) })
                }
                _ => self.signal(expr),
            },
            Expr::Paren(paren) => {
                let inner = self.value(&paren.expr)?;
                Ok(quote! { ast::VerilogExpression::Paren(Box::new(#inner)) })
            }
            Expr::Lit(number) => Ok(quote! { ast::VerilogExpression::Literal((#number).into()) }),
            Expr::Binary(both) => {
                let (left, right) = (self.value(&both.left)?, self.value(&both.right)?);
                let operator = match both.op {
                    BinOp::Sub(_) => "Sub",
                    BinOp::Add(_) => "Add",
                    BinOp::Mul(_) => "Mul",
                    BinOp::And(_) => "LogicalAnd",
                    BinOp::Or(_) => "LogicalOr",
                    BinOp::BitXor(_) => "BitXor",
                    BinOp::BitAnd(_) => "BitAnd",
                    BinOp::BitOr(_) => "BitOr",
                    BinOp::Shl(_) => "Shl",
                    BinOp::Shr(_) => "Shr",
                    BinOp::Eq(_) => "Eq",
                    BinOp::Lt(_) => "Lt",
                    BinOp::Le(_) => "Le",
                    BinOp::Ne(_) => "Ne",
                    BinOp::Ge(_) => "Ge",
                    BinOp::Gt(_) => "Gt",
                    _ => return refuse(both, "this operator has no hardware"),
                };
                let operator = format_ident!("{operator}");
                Ok(
                    quote! { ast::VerilogExpression::Binary(Box::new(#left), ast::VerilogOp::#operator, Box::new(#right)) },
                )
            }
            Expr::Unary(one) => match one.op {
                UnOp::Not(_) => Ok(unary("Not", &self.value(&one.expr)?)),
                UnOp::Neg(_) => Ok(unary("Neg", &self.value(&one.expr)?)),
                _ => refuse(one, "this operator has no hardware"),
            },
            Expr::Call(call) => self.conversion(call),
            Expr::MethodCall(call) => self.method(call),
            other => refuse(other, "this expression has no hardware"),
        }
    }

    fn conversion(&mut self, call: &ExprCall) -> Result<TokenStream> {
        if let (Expr::Path(function), Some(inner)) = (&*call.func, call.args.first()) {
            let function = function.path.segments.last().expect("a path has a segment");
            if let PathArguments::AngleBracketed(given) = &function.arguments
                && let Some(bits) = given.args.first()
                && ["bit_cast", "bits"]
                    .iter()
                    .any(|known| function.ident == known)
            {
                return Ok(cast(self.value(inner)?, bits.to_token_stream()));
            }
        }
        refuse(
            call,
            "a kernel calls `bit_cast::<TO, FROM>` and `bits::<N>` alone",
        )
    }

    fn method(&mut self, call: &ExprMethodCall) -> Result<TokenStream> {
        let unknown = "this method has no hardware: bind the value of a function with `let`";
        if is_self(&call.receiver) {
            return refuse(call, unknown);
        }
        let inner = self.value(&call.receiver)?;
        let arguments = call.args.iter().map(|argument| self.value(argument));
        let arguments = arguments.collect::<Result<Vec<_>>>()?;
        let bits = call.turbofish.as_ref().and_then(|given| given.args.first());
        Ok(
            match (call.method.to_string().as_str(), arguments.as_slice(), bits) {
                ("val" | "into" | "index" | "to_bits", [], _) => inner,
                ("any", [], _) => unary("Any", &inner),
                ("all", [], _) => unary("All", &inner),
                ("xor", [], _) => unary("Xor", &inner),
                ("get_bit", [index], _) => {
                    quote! { ast::VerilogExpression::Index(Box::new(#inner), Box::new(#index)) }
                }
                (
                    "get_bits",
                    [offset],
                    Some(GenericArgument::Type(_) | GenericArgument::Const(_)),
                ) => {
                    quote! { ast::VerilogExpression::Slice(Box::new(#inner), #bits, Box::new(#offset)) }
                }
                ("replace_bit", [index, bit], _) => {
                    quote! { ast::VerilogExpression::IndexReplace(Box::new(#inner), Box::new(#index), Box::new(#bit)) }
                }
                _ => return refuse(call, unknown),
            },
        )
    }

    /// What a local name stands for.
    fn local(&self, path: &ExprPath) -> Option<&Local> {
        let mut locals = self.locals.iter().rev();
        let found = locals.find(|(name, _)| path.path.is_ident(name));
        found.map(|(_, local)| local)
    }

    /// The name of a signal or a local value in the syntax tree.
    fn name(&self, expr: &Expr) -> Result<Name> {
        match expr {
            Expr::Reference(place) => self.name(&place.expr),
            Expr::Try(part) => self.name(&part.expr),
            Expr::Path(path) => match self.local(path) {
                Some(Local::Value(name)) => Ok(name.clone()),
                _ => refuse(expr, "this is no signal"),
            },
            Expr::Field(field) => Ok(match is_self(&field.base) {
                true => Name::of(&field.member),
                false => self.name(&field.base)?.member(&field.member),
            }),
            Expr::Index(index) => Ok(self.name(&index.expr)?.element(&index.index)),
            other => refuse(other, "this is no signal"),
        }
    }

    fn signal(&self, expr: &Expr) -> Result<TokenStream> {
        let name = self.name(expr)?;
        Ok(quote! { ast::VerilogExpression::Signal(#name) })
    }
}

fn cast(value: TokenStream, bits: TokenStream) -> TokenStream {
    quote! { ast::VerilogExpression::Cast(Box::new(#value), #bits) }
}

fn unary(operator: &str, value: &TokenStream) -> TokenStream {
    let operator: Ident = format_ident!("{operator}");
    quote! { ast::VerilogExpression::Unary(ast::VerilogOpUnary::#operator, Box::new(#value)) }
}

/// One statement that holds a block.
fn nested(block: TokenStream) -> Result<TokenStream> {
    Ok(quote! { ast::VerilogStatement::Macro(#block) })
}
