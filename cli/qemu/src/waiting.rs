//! The states of the entries below the top of the path stack.

/// States that wait, in a ring; with the one on top, which is not here, as many as a path stack has entries.
#[derive(Debug)]
pub struct Waiting {
    /// Its size is a power of two.
    ring: Box<[u32]>,
    /// The place above those that wait.
    place: usize,
    /// How many wait.
    count: usize,
}

impl Waiting {
    /// None waits, and so many less one may: a power of two.
    #[must_use]
    pub fn new(depth: usize) -> Self {
        Self {
            ring: vec![0; depth].into(),
            place: 0,
            count: 0,
        }
    }

    /// A state waits. Whether there was no room, so that the one that waited longest is gone.
    pub fn push(&mut self, state: u32) -> bool {
        let room = self.ring.len() - 1;
        self.ring[self.place & room] = state;
        self.place += 1;
        let is_full = self.count == room;
        self.count += usize::from(!is_full);
        is_full
    }

    /// The state that waited last goes on, if one waits.
    pub fn pop(&mut self) -> Option<u32> {
        self.count = self.count.checked_sub(1)?;
        self.place -= 1;
        Some(self.ring[self.place & (self.ring.len() - 1)])
    }

    /// Puts other numbers in the place of those that wait, the last first.
    pub fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        for below in 1..=self.count {
            let state = &mut self.ring[(self.place - below) & (self.ring.len() - 1)];
            *state = number(*state);
        }
    }
}
