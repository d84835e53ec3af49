//! Blocks and what leads from one to the next.

use super::*;

/// Four instructions at 0x1ff0 that end with these bytes at 0x1ffe.
fn block(bytes: &[u8]) -> Block {
    Block::new(Isa::X86_64, 0x1ff0, 4, 0x1ffe, bytes)
}

/// A block of four instructions that begins here.
fn at(start: u64) -> Block {
    Block::new(Isa::X86_64, start, 4, start + 6, &[0x90])
}

fn step(block: &Block, to: u64) -> Step {
    block.step(&at(to), Way::default())
}

fn record(kind: BranchKind, taken: bool, target: u64, next: u64) -> Step {
    let events = 0;
    Step::Record(BranchRecord {
        kind,
        taken,
        target,
        next,
        events,
    })
}

fn trap(block: &Block, target: u64) -> Step {
    record(BranchKind::Trap, true, target, block.last)
}

const RESUMED: Way = Way {
    resumed: true,
    to_handler: false,
};
const TO_HANDLER: Way = Way {
    resumed: false,
    to_handler: true,
};

#[test]
fn a_branch_is_taken_or_not() {
    let block = block(&[0x75, 0x10]);
    let forward = |taken, target| record(BranchKind::Forward, taken, target, 0x2000);
    assert_eq!(step(&block, 0x2010), forward(true, 0x2010));
    assert_eq!(step(&block, 0x2000), forward(false, 0x2000));
}

#[test]
fn a_signal_is_a_trap_out_of_a_system_call_too() {
    for end in [&[0x75, 0x10], &[0x90, 0x90], &[0x0f, 0x05]] {
        let block = block(end);
        assert_eq!(step(&block, 0x4000), trap(&block, 0x4000), "{end:x?}");
    }
}

#[test]
fn after_a_return_or_a_jump_it_is_one_if_signals_were_handled_there() {
    let [ret, jump, call] = [[0x48, 0xc3], [0xff, 0xe0], [0xff, 0xd0]].map(|end| block(&end));
    for block in [&ret, &jump] {
        assert_eq!(block.step(&at(0x4000), TO_HANDLER), trap(block, 0x4000));
    }
    // A handler may be called like any procedure, but that of a machine is not.
    let called = record(BranchKind::IndirectCall, true, 0x4000, 0x2000);
    assert_eq!(call.step(&at(0x4000), TO_HANDLER), called);
    let handler = at(0x4000).at(MACHINE);
    let interrupted = call.clone().at(MACHINE);
    assert_eq!(interrupted.step(&handler, TO_HANDLER), trap(&call, 0x4000));
}

#[test]
fn a_handler_ends_with_the_block_that_leaves_it() {
    let [mov, li] = [&[0x48, 0xc7, 0xc0, 15, 0, 0, 0][..], &[0xb8, 15, 0, 0, 0]];
    for number in [mov, li] {
        let leaves = block(&[0x0f, 0x05]).preceded_by(Isa::X86_64, number);
        assert!(leaves.leaves_handler);
        let ret = block(&[0x48, 0xc3]);
        assert_eq!(ret.step(&leaves, Way::default()), Step::Instructions(4));
        let left = record(BranchKind::TrapReturn, true, 0x4000, 0x2000);
        assert_eq!(step(&leaves, 0x4000), left);
        assert_eq!(
            step(&leaves, 0x2000),
            record(BranchKind::TrapReturn, true, 0x2000, 0x2000)
        );
    }
    let other = block(&[0x0f, 0x05]).preceded_by(Isa::X86_64, &[0xb8, 60, 0, 0, 0]);
    assert!(!other.leaves_handler);
    let ecall = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x73, 0, 0, 0]);
    let li = |number: u32| (number << 20 | 0x893).to_le_bytes();
    assert!(
        ecall
            .clone()
            .preceded_by(Isa::Riscv64, &li(139))
            .leaves_handler
    );
    assert!(!ecall.preceded_by(Isa::Riscv64, &li(93)).leaves_handler);
}

#[test]
fn what_was_interrupted_goes_on_where_it_was() {
    for end in [&[0x75, 0x10], &[0x48, 0xc3], &[0x90, 0x90], &[0xff, 0xe0]] {
        let block = block(end);
        assert_eq!(
            block.step(&at(0x1ff8), RESUMED),
            Step::Instructions(0),
            "{end:x?}"
        );
    }
    // At its first instruction, where that is not where it leads; or after its end.
    let branch = block(&[0x75, 0x10]);
    for block in [&branch, &block(&[0x48, 0xc3]), &block(&[0xff, 0xe0])] {
        assert_eq!(block.step(&at(0x1ff0), RESUMED), Step::Instructions(0));
    }
    let round = block(&[0x75, 0xf0]);
    assert!(matches!(round.step(&at(0x1ff0), RESUMED), Step::Record(_)));
    // The first iteration of a loop whose others are a block of their own.
    let first = block(&[0x75, 0xf4]);
    assert!(matches!(first.step(&at(0x1ff4), RESUMED), Step::Record(_)));
    assert!(matches!(branch.step(&at(0x2010), RESUMED), Step::Record(_)));
    assert_eq!(branch.step(&at(0x4000), RESUMED), trap(&branch, 0x4000));
}

#[test]
fn without_a_branch_instructions_retire() {
    assert_eq!(step(&block(&[0x90, 0x90]), 0x2000), Step::Instructions(4));
    assert_eq!(step(&block(&[0xf3, 0xa4]), 0x1ffe), Step::Instructions(3));
    let alone = Block::new(Isa::X86_64, 0x1ffe, 1, 0x1ffe, &[0xf3, 0xa4]);
    assert!(alone.repeats(Isa::X86_64, &[0xf3, 0xa4]));
    assert!(!alone.repeats(Isa::X86_64, &[0xa4]) && !alone.repeats(Isa::X86_64, &[0xf3, 0x90]));
}

#[test]
fn a_branch_that_was_dropped_at_a_page_edge_did_not_retire() {
    let crossing = block(&[0x0f, 0x84, 0, 0, 0, 0]);
    assert_eq!(step(&crossing, 0x1ffe), Step::Instructions(3));
    assert_eq!(
        step(&crossing, 0x2004),
        record(BranchKind::Forward, true, 0x2004, 0x2004)
    );
    // Alone in its block it is not dropped, and one that ends with the page is not either.
    let alone = Block::new(Isa::X86_64, 0x1ffe, 1, 0x1ffe, &[0x0f, 0x84, 0, 0, 0, 0]);
    assert!(matches!(step(&alone, 0x2004), Step::Record(_)));
    let spins = block(&[0xe2, 0xfe]);
    assert_eq!(
        step(&spins, 0x1ffe),
        record(BranchKind::Backward, true, 0x1ffe, 0x2000)
    );
}

#[test]
fn a_block_that_was_left_inside_or_began_again_is_no_branch() {
    let inside = block(&[0x75, 0x10]);
    assert_eq!(step(&inside, 0x1ff8), Step::Instructions(0));
    // A loop of one block whose first instruction QEMU runs by itself, and one that went round.
    let round = block(&[0x75, 0xf0]);
    let first = Block::new(Isa::X86_64, 0x1ff0, 1, 0x1ff0, &[0xf0, 0xff, 0x00]);
    assert_eq!(round.step(&first, Way::default()), Step::Instructions(0));
    let back = record(BranchKind::Backward, true, 0x1ff0, 0x2000);
    assert_eq!(round.step(&round, Way::default()), back);
}

#[test]
fn risc_v_blocks_end_as_the_ingress_says() {
    let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x82, 0x80]);
    assert_eq!(
        step(&block, 0x2000),
        record(BranchKind::Return, true, 0x2000, 0x1006)
    );
    let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x73, 0, 0, 0]);
    assert_eq!(step(&block, 0x1008), Step::Instructions(2));
    assert_eq!(step(&block, 0x2000), trap(&block, 0x2000));
}

/// Two instructions of a machine that end with this word.
fn of_machine(start: u64, word: u32, privilege: u8) -> Block {
    let bytes = word.to_le_bytes();
    Block::new(Isa::Riscv64, start, 2, start + 4, &bytes).at(privilege)
}

#[test]
fn more_privilege_comes_by_a_trap_and_goes_by_its_return() {
    const SRET: u32 = 0x1020_0073;
    const RET: u32 = 0x0000_8067;
    let (user, handler) = (of_machine(0x100, RET, 0), of_machine(0x800, SRET, 1));
    let way = Way::default();
    assert_eq!(
        user.step(&handler, way),
        record(BranchKind::Trap, true, 0x800, 0x104)
    );
    let back = record(BranchKind::TrapReturn, true, 0x100, 0x808);
    assert_eq!(handler.step(&user, way), back);
    // The next trap came before anything ran.
    let known = Way {
        to_handler: true,
        ..way
    };
    let trap = record(BranchKind::Trap, true, 0x800, 0x804);
    assert_eq!(handler.step(&handler, known), trap);
    // Interrupted, it goes on where its return leads, or inside; in another task, which has its own.
    let elsewhere = of_machine(0x400, RET, 0);
    assert!(user.may_go_on(&elsewhere) && !user.may_go_on(&handler));
    let straight = of_machine(0x100, ECALL, 0);
    let preceded_by = of_machine(0x108, RET, 0);
    assert!(straight.may_go_on(&preceded_by) && !straight.may_go_on(&elsewhere));
}

/// A machine's block of four instructions of two bytes, before its end.
fn whole(end: &[u8]) -> Block {
    let offsets: Box<[u16]> = [2, 4, 14].into();
    block(end).at(MACHINE).with_offsets(offsets)
}

#[test]
fn a_block_that_may_lead_into_itself_is_two() {
    let branch = |to: u8| vec![0x75, to];
    for end in [
        vec![0x48, 0xc3],
        vec![0xff, 0xe0],
        vec![0xff, 0xd0],
        branch(0xf2),
        branch(0xfe),
    ] {
        let block = whole(&end);
        assert!(block.may_end_inside(), "{end:x?}");
        let (front, last) = block.split();
        // It is left behind the access, or comes to its end.
        for (to, instructions) in [(0x1ff2, 1), (0x1ff4, 2), (0x1ffe, 3)] {
            let retired = Step::Instructions(instructions);
            assert_eq!(front.step(&at(to).at(MACHINE), Way::default()), retired);
        }
        let to = last.transfer.and_then(|end| end.target).unwrap_or(0x1ff2);
        let led = last.step(&at(to).at(MACHINE), Way::default());
        assert!(matches!(led, Step::Record(_)), "{end:x?}");
    }
    // To its beginning, or elsewhere.
    for end in [branch(0xf0), branch(0x10), vec![0x90, 0x90]] {
        assert!(!whole(&end).may_end_inside(), "{end:x?}");
    }
    let alone = Block {
        instructions: 1,
        ..whole(&[0x48, 0xc3])
    };
    assert!(!alone.may_end_inside());
}

#[test]
fn the_instructions_before_where_a_block_goes_on_have_retired() {
    let block = whole(&[0x75, 0x10]);
    let step = |to, way| block.step(&at(to).at(MACHINE), way);
    for way in [Way::default(), RESUMED] {
        assert_eq!(step(0x1ff0, way), Step::Instructions(0));
        assert_eq!(step(0x1ff4, way), Step::Instructions(2));
    }
}

/// `cm.popret`, and `cm.jt` and `cm.jalt`, whose targets are in a table; and what they are where there is D.
#[test]
fn zcmp_and_zcmt_end_blocks() {
    let step = |half: u16, to| {
        let bytes = half.to_le_bytes();
        assert!(Block::is_shared(Isa::Riscv32, &bytes), "{half:#x}");
        let block = Block::new(Isa::Riscv32, 0x1000, 2, 0x1002, &bytes);
        assert_eq!(step(&block, 0x1004), Step::Instructions(2));
        block.with_zcm(&bytes).step(&at(to), Way::default())
    };
    let became = |kind, target| record(kind, true, target, 0x1004);
    assert_eq!(step(0xbe52, 0x2000), became(BranchKind::Return, 0x2000));
    assert_eq!(step(0xbc52, 0x800), became(BranchKind::Return, 0x800));
    assert_eq!(step(0xa00e, 0x2000), became(BranchKind::Forward, 0x2000));
    assert_eq!(step(0xa00e, 0x1002), became(BranchKind::Backward, 0x1002));
    assert_eq!(step(0xa0a2, 0x800), became(BranchKind::Call, 0x800));
    for (isa, bytes) in [
        (Isa::Riscv32, [0x52, 0xb8]),
        (Isa::Riscv64, [0x82, 0x80]),
        (Isa::X86_64, [0x52, 0xbe]),
    ] {
        assert!(!Block::is_shared(isa, &bytes));
    }
}
