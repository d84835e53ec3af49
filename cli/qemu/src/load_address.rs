//! The load address of the program's code, and its address in the ELF file.

use crate::block::Block;

/// The program's code: a position-independent program is not where its file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadAddress {
    /// Where it is.
    pub code: core::ops::Range<u64>,
    /// Where its file says that it begins.
    pub to: u64,
}

impl LoadAddress {
    /// An address as the program's file has it; of other code, as it is.
    #[must_use]
    pub fn address(&self, address: u64) -> u64 {
        match self.code.contains(&address) {
            true => address.wrapping_sub(self.code.start).wrapping_add(self.to),
            false => address,
        }
    }

    /// The block at the addresses of the program's file; of other code, as it is.
    #[must_use]
    pub fn block(&self, mut block: Block) -> Block {
        if self.code.contains(&block.start) {
            let by = self.to.wrapping_sub(self.code.start);
            let target = block
                .transfer
                .as_mut()
                .and_then(|transfer| transfer.target.as_mut());
            for address in [&mut block.start, &mut block.last, &mut block.next]
                .into_iter()
                .chain(target)
            {
                *address = address.wrapping_add(by);
            }
        }
        block
    }
}
