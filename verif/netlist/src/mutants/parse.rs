//! From words to the tree.

use super::token::{Token, tokens};
use super::tree::{Expr, Item, Kind, Module, Signal, Span, Statement, StatementKind};
use anyhow::{Context, Result, bail};

/// Operators between operands, the loosest first.
const LEVELS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
];

/// The modules of a text as the generator writes it.
///
/// # Errors
///
/// The place of what is not of the language that the generator writes.
pub fn parse(text: &str) -> Result<Vec<Module>> {
    let mut parser = Parser {
        text,
        tokens: tokens(text),
        at: 0,
    };
    let mut modules = Vec::new();
    while parser.peek() == "module" {
        let module = parser.module();
        modules.push(module.with_context(|| parser.place())?);
    }
    match parser.peek() {
        "" => Ok(modules),
        word => bail!("{}: `{word}` begins no module", parser.place()),
    }
}

struct Parser<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    at: usize,
}

impl<'a> Parser<'a> {
    fn place(&self) -> String {
        let at = self.start();
        let line = self.text[..at].matches('\n').count() + 1;
        format!("line {line} of the Verilog")
    }

    fn peek(&self) -> &'a str {
        self.ahead(0)
    }

    fn ahead(&self, words: usize) -> &'a str {
        self.tokens.get(self.at + words).map_or("", |t| t.text)
    }

    /// Where the next word begins.
    fn start(&self) -> usize {
        let next = self.tokens.get(self.at);
        next.map_or(self.text.len(), |token| token.span.start)
    }

    /// Where the last word ended.
    fn end(&self) -> usize {
        self.tokens[self.at - 1].span.end
    }

    fn next(&mut self) -> &'a str {
        let word = self.peek();
        self.at += 1;
        word
    }

    fn accept(&mut self, word: &str) -> bool {
        let accepted = self.peek() == word;
        self.at += usize::from(accepted);
        accepted
    }

    fn expect(&mut self, word: &str) -> Result<()> {
        match self.accept(word) {
            true => Ok(()),
            false => bail!("`{}` in the place of `{word}`", self.peek()),
        }
    }

    fn name(&mut self) -> Result<String> {
        let word = self.next();
        match word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            true => Ok(word.into()),
            false => bail!("`{word}` in the place of a name"),
        }
    }

    fn module(&mut self) -> Result<Module> {
        self.expect("module")?;
        let name = self.name()?;
        if self.accept("#") {
            self.skip_parentheses()?;
        }
        self.expect("(")?;
        let mut module = Module {
            name,
            ports_at: self.start(),
            items_at: 0,
            signals: Vec::new(),
            ports: 0,
            items: Vec::new(),
        };
        loop {
            let input = self.next() == "input";
            self.next();
            let (width, _) = self.range()?;
            module.signals.push(Signal {
                name: self.name()?,
                width,
                array: false,
                input,
            });
            if !self.accept(",") {
                break;
            }
        }
        module.ports = module.signals.len();
        self.expect(")")?;
        self.expect(";")?;
        module.items_at = self.end();
        while !self.accept("endmodule") {
            self.item(&mut module)?;
        }
        Ok(module)
    }

    fn item(&mut self, module: &mut Module) -> Result<()> {
        match self.peek() {
            "wire" | "reg" => self.declaration(module),
            "assign" => {
                self.next();
                let (target, whole) = self.target()?;
                self.expect("=")?;
                let value = self.expression()?;
                module
                    .items
                    .push(Item::Wire(target.filter(|_| whole), value));
                self.expect(";")
            }
            "always" => {
                self.next();
                self.expect("@")?;
                let clocked = !self.accept("*");
                if clocked {
                    self.skip_parentheses()?;
                }
                let body = self.statement()?;
                module.items.push(Item::Always { clocked, body });
                Ok(())
            }
            _ => {
                let instance = self.instance()?;
                module.items.push(instance);
                Ok(())
            }
        }
    }

    fn declaration(&mut self, module: &mut Module) -> Result<()> {
        self.next();
        let (width, _) = self.range()?;
        let name = self.name()?;
        let (_, array) = self.range()?;
        module.signals.push(Signal {
            name: name.clone(),
            width,
            array,
            input: false,
        });
        if self.accept("=") {
            let value = self.expression()?;
            module.items.push(Item::Wire(Some(name), value));
        }
        self.expect(";")
    }

    /// `[7:0]`: so many, and whether it is there.
    fn range(&mut self) -> Result<(Option<u32>, bool)> {
        if !self.accept("[") {
            return Ok((Some(1), false));
        }
        let bounds = [self.expression()?, {
            self.expect(":")?;
            self.expression()?
        }];
        self.expect("]")?;
        let width = match bounds.map(|bound| bound.kind) {
            [Kind::Number(_, from), Kind::Number(_, to)] => Some(from.abs_diff(to) as u32 + 1),
            _ => None,
        };
        Ok((width, true))
    }

    fn skip_parentheses(&mut self) -> Result<()> {
        self.expect("(")?;
        let mut open = 1;
        while open > 0 {
            match self.next() {
                "(" => open += 1,
                ")" => open -= 1,
                "" => bail!("a parenthesis is not closed"),
                _ => {}
            }
        }
        Ok(())
    }

    fn instance(&mut self) -> Result<Item> {
        let module = self.name()?;
        if self.accept("#") {
            self.skip_parentheses()?;
        }
        self.name()?;
        self.expect("(")?;
        let connections_at = self.start();
        let mut connections = Vec::new();
        loop {
            self.expect(".")?;
            let port = self.name()?;
            self.expect("(")?;
            if !self.accept(")") {
                connections.push((port, self.expression()?));
                self.expect(")")?;
            }
            if !self.accept(",") {
                break;
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        Ok(Item::Instance {
            module,
            connections_at,
            connections,
        })
    }

    /// What is assigned to: the signal, if it is one, and whether it is all of it.
    fn target(&mut self) -> Result<(Option<String>, bool)> {
        let expression = self.primary()?;
        // Bits of a word of a memory.
        if self.peek() == "[" {
            self.range()?;
        }
        Ok(match expression.kind {
            Kind::Name(name) => (Some(name), true),
            Kind::Index(name, _) | Kind::Slice(name, ..) => (Some(name), false),
            Kind::Concat(_) => (None, false),
            _ => bail!(
                "nothing can be assigned to `{}`",
                &self.text[expression.span]
            ),
        })
    }

    fn statement(&mut self) -> Result<Statement> {
        let start = self.start();
        let kind = if self.accept("begin") {
            let mut statements = Vec::new();
            while !self.accept("end") {
                statements.push(self.statement()?);
            }
            StatementKind::Block(statements)
        } else if self.accept("if") {
            self.expect("(")?;
            let condition = self.expression()?;
            self.expect(")")?;
            let then = Box::new(self.statement()?);
            let otherwise = match self.accept("else") {
                true => Some(Box::new(self.statement()?)),
                false => None,
            };
            StatementKind::If(condition, then, otherwise)
        } else {
            let (target, whole) = self.target()?;
            if !self.accept("<=") {
                self.expect("=")?;
            }
            let value = self.expression()?;
            self.expect(";")?;
            StatementKind::Assign {
                target,
                whole,
                value,
            }
        };
        Ok(Statement {
            span: start..self.end(),
            kind,
        })
    }

    fn expression(&mut self) -> Result<Expr> {
        let start = self.start();
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = Box::new(self.expression()?);
        self.expect(":")?;
        let otherwise = Box::new(self.expression()?);
        Ok(self.made(start, Kind::Choice(Box::new(condition), then, otherwise)))
    }

    fn binary(&mut self, level: usize) -> Result<Expr> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let start = self.start();
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.next().to_owned();
            let right = self.binary(level + 1)?;
            left = self.made(
                start,
                Kind::Binary(operator, Box::new(left), Box::new(right)),
            );
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.start();
        if ["!", "~", "|", "&", "^", "-"].contains(&self.peek()) {
            let operator = self.next().to_owned();
            let operand = Box::new(self.unary()?);
            return Ok(self.made(start, Kind::Unary(operator, operand)));
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Expr> {
        let start = self.start();
        let kind = if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            Kind::Parenthesis(Box::new(inner))
        } else if self.accept("{") {
            self.concat()?
        } else if self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            number(self.next())?
        } else {
            let name = self.name()?;
            self.selection(name)?
        };
        Ok(self.made(start, kind))
    }

    fn concat(&mut self) -> Result<Kind> {
        let mut parts = vec![self.expression()?];
        if self.accept("{") {
            let repeated = self.expression()?;
            self.expect("}")?;
            self.expect("}")?;
            return match parts.remove(0).kind {
                Kind::Number(_, count) => Ok(Kind::Repeat(count as u32, Box::new(repeated))),
                _ => bail!("a repetition that is no number"),
            };
        }
        while self.accept(",") {
            parts.push(self.expression()?);
        }
        self.expect("}")?;
        Ok(Kind::Concat(parts))
    }

    /// What stands behind a name.
    fn selection(&mut self, name: String) -> Result<Kind> {
        if !self.accept("[") {
            return Ok(Kind::Name(name));
        }
        let first = self.expression()?;
        if self.accept("]") {
            return Ok(Kind::Index(name, Box::new(first)));
        }
        self.expect(":")?;
        let last = self.expression()?;
        self.expect("]")?;
        match (first.kind, last.kind) {
            (Kind::Number(_, high), Kind::Number(_, low)) => {
                Ok(Kind::Slice(name, high as u32, low as u32))
            }
            _ => bail!("bits of `{name}` that are no numbers"),
        }
    }

    fn made(&self, start: usize, kind: Kind) -> Expr {
        let span: Span = start..self.end();
        Expr { span, kind }
    }
}

/// `12` or `4'd12`.
fn number(word: &str) -> Result<Kind> {
    let unlike = || format!("`{word}` is no number");
    let Some((width, rest)) = word.split_once('\'') else {
        return Ok(Kind::Number(None, word.parse().with_context(unlike)?));
    };
    let (base, digits) = rest.split_at(1.min(rest.len()));
    let radix = match base {
        "d" => 10,
        "h" => 16,
        "b" => 2,
        _ => bail!(unlike()),
    };
    let width = width.parse().with_context(unlike)?;
    let digits = digits.replace('_', "");
    if width > u128::BITS && digits.chars().all(|digit| digit.is_digit(radix)) {
        return Ok(Kind::Wide);
    }
    let value = u128::from_str_radix(&digits, radix).with_context(unlike)?;
    Ok(Kind::Number(Some(width), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(expression: &str) -> Expr {
        let text =
            format!("module m (\n  input wire a\n);\n  assign x = {expression};\nendmodule\n");
        let modules = parse(&text).expect("it is of the language");
        match modules[0].items[0].clone() {
            Item::Wire(_, value) => value,
            item => panic!("{item:?}"),
        }
    }

    #[test]
    fn operators_bind_as_in_verilog() {
        let Kind::Binary(or, left, _) = value("a & b == c | d").kind else {
            panic!("an operator");
        };
        assert_eq!(or, "|");
        assert!(matches!(left.kind, Kind::Binary(and, ..) if and == "&"));
        assert!(matches!(value("{2{a}}").kind, Kind::Repeat(2, _)));
        assert!(matches!(value("4'hf").kind, Kind::Number(Some(4), 15)));
        assert!(matches!(value("129'h1").kind, Kind::Wide));
    }

    #[test]
    fn what_is_not_of_the_language_is_told_with_its_line() {
        let error = parse("module m (\n  input wire a\n);\n  casez (a)\nendmodule\n");
        let error = format!("{:#}", error.expect_err("no such item"));
        assert!(error.starts_with("line 4 of the Verilog"), "{error}");
    }
}
