//! What happens as a process of the guest forks: its child gets a copy of all that the plugin has.

use core::sync::atomic::Ordering::Relaxed;
use std::any::Any;
use std::cell::RefCell;
use std::sync::MutexGuard;

use super::{FORKS, HART, Known, PLUGIN};
use crate::hart::RECORDING;

/// What keeps others from what a child process gets a copy of.
type Held = (MutexGuard<'static, Known>, Box<dyn Any>);

thread_local! {
    /// While it is copied.
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

pub(super) unsafe extern "C" fn prepare() {
    if let Some(plugin) = PLUGIN.get() {
        let held = (
            plugin.known(),
            Box::new(plugin.translating.hold()) as Box<dyn Any>,
        );
        HELD.set(Some(held));
    }
}

pub(super) unsafe extern "C" fn parent() {
    HELD.take();
    if PLUGIN
        .get()
        .is_some_and(|plugin| plugin.settings.follow.is_none())
    {
        FORKS.fetch_add(1, Relaxed);
    }
}

pub(super) unsafe extern "C" fn child() {
    if let (Some(plugin), Some((known, _))) = (PLUGIN.get(), HELD.take()) {
        let follows = RECORDING.load(Relaxed) && plugin.settings.follow.is_some();
        if follows && plugin.begin_process(known).is_ok() {
            return;
        }
    }
    RECORDING.store(false, Relaxed);
    for hart in &HART {
        // SAFETY: the child has one thread, this one.
        if let Some(hart) = unsafe { hart.load(Relaxed).as_mut() } {
            hart.forget();
        }
    }
}
