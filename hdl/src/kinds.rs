//! The codes of the branch kinds, under names for the kernels.

use hpp_golden::branch::BranchKind;

macro_rules! kinds {
    ($($name:ident = $kind:ident),*) => {
        $(#[doc = concat!("Code of `", stringify!($kind), "`.")] pub const $name: u8 = BranchKind::$kind.code();)*
    };
}

kinds!(
    FORWARD = Forward,
    BACKWARD = Backward,
    INDIRECT = Indirect,
    CALL = Call,
    RETURN = Return,
    INDIRECT_CALL = IndirectCall,
    TRAP = Trap,
    TRAP_RETURN = TrapReturn
);
