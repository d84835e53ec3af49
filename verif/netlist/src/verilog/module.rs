//! Modules and their items.

use super::tree::{Item, Kind, Module, Signal, Word};
use super::words::Parser;
use anyhow::{Result, bail};

impl Parser<'_> {
    pub(super) fn module(&mut self) -> Result<Module> {
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
            "initial" => {
                self.next();
                let words = self.words()?;
                module.items.push(Item::Initial(words));
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
    pub(super) fn range(&mut self) -> Result<(Option<u32>, bool)> {
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

    /// `begin cells[0] = 8'h2a; end`.
    fn words(&mut self) -> Result<Vec<Word>> {
        self.expect("begin")?;
        let mut words = Vec::new();
        while !self.accept("end") {
            let Kind::Index(memory, place) = self.primary()?.kind else {
                bail!("what has a value at power-up is no word of a memory");
            };
            let Kind::Number(_, place) = place.kind else {
                bail!("a word of `{memory}` whose place is no number");
            };
            self.expect("=")?;
            let value = self.expression()?;
            self.expect(";")?;
            words.push(Word {
                memory,
                place: place as u32,
                value,
            });
        }
        Ok(words)
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
}
