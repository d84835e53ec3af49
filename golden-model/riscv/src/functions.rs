//! The functions of a program, by name and by address.

use thiserror::Error;

/// Why a function cannot be found by its name.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NameError {
    #[error("there is no function `{0}`")]
    Unknown(String),
    #[error("{} functions are called `{name}`, at {}; give one by its address", .addresses.len(), list(.addresses))]
    Ambiguous { name: String, addresses: Vec<u64> },
    #[error("no function is at {0:#x}")]
    NoneAt(u64),
}

fn list(addresses: &[u64]) -> String {
    let texts: Vec<String> = addresses.iter().map(|a| format!("{a:#x}")).collect();
    texts.join(" and ")
}

/// A function, as the symbol table gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its symbol. Of several at one address, the first in the order of the table, functions before plain labels.
    pub name: String,
    /// The other function symbols at its address.
    pub aliases: Vec<String>,
    /// Address of its first instruction.
    pub address: u64,
    /// Its size in bytes; for labels without a size, the distance to the next function or the end of the section.
    pub size: u64,
    /// Whether the size comes from the symbol table.
    pub sized: bool,
}

impl Function {
    /// A function with one name; a `size` of 0 says that the size is not known.
    pub fn new(name: impl Into<String>, address: u64, size: u64) -> Self {
        Self {
            name: name.into(),
            aliases: Vec::new(),
            address,
            size,
            sized: size > 0,
        }
    }

    /// Address after its last byte.
    pub fn end(&self) -> u64 {
        self.address.saturating_add(self.size)
    }
}

/// Functions by ascending address, at most one at an address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Functions {
    all: Vec<Function>,
    /// For each, the position of the one around it, as a label of assembly may have.
    around: Vec<Option<usize>>,
}

impl Functions {
    /// Of several functions at one address the first stays. O(n log n).
    pub fn new(mut functions: Vec<Function>) -> Self {
        functions.sort_by_key(|f| f.address);
        functions.dedup_by_key(|f| f.address);
        let (mut around, mut open) = (Vec::new(), Vec::<usize>::new());
        for (position, function) in functions.iter().enumerate() {
            while open
                .pop_if(|&mut last| functions[last].end() <= function.address)
                .is_some()
            {}
            around.push(open.last().copied());
            open.push(position);
        }
        Self {
            all: functions,
            around,
        }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Whether there are no functions.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// By ascending address.
    pub fn iter(&self) -> core::slice::Iter<'_, Function> {
        self.all.iter()
    }

    /// The function of this name or alias, or, for a hexadecimal number after `0x`, the one that covers this address.
    /// Linear.
    ///
    /// # Errors
    ///
    /// If no function has the name, or several have it.
    pub fn find(&self, name: &str) -> Result<&Function, NameError> {
        let called = |f: &&Function| f.name == name || f.aliases.iter().any(|alias| alias == name);
        let found: Vec<&Function> = self.all.iter().filter(called).collect();
        let digits = name.strip_prefix("0x");
        match (
            &found[..],
            digits.and_then(|d| u64::from_str_radix(d, 16).ok()),
        ) {
            ([function], _) => Ok(function),
            ([], Some(address)) => self.at(address).ok_or(NameError::NoneAt(address)),
            ([], None) => Err(NameError::Unknown(name.into())),
            (several, _) => Err(NameError::Ambiguous {
                name: name.into(),
                addresses: several.iter().map(|f| f.address).collect(),
            }),
        }
    }

    /// The function that covers `address`, the innermost of several. Logarithmic in the number of functions, but for those
    /// around one another.
    pub fn at(&self, address: u64) -> Option<&Function> {
        self.position(address).map(|i| &self.all[i])
    }

    /// Its position in the order of addresses.
    pub fn position(&self, address: u64) -> Option<usize> {
        let before = self
            .all
            .partition_point(|f| f.address <= address)
            .checked_sub(1)?;
        std::iter::successors(Some(before), |&inner| self.around[inner])
            .find(|&position| address < self.all[position].end())
    }
}
