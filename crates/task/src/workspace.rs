//! State shared by the workers of a thread.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::fmt;

/// A thread's workspace memory, borrowed by one worker at a time.
///
/// A worker keeps here whatever is costly to make and does not depend on the cell: a search's tables, a
/// process that computes. Each value is made when it is first borrowed, once on every thread, however many
/// cells an experiment has. What an earlier worker left in it must not matter.
///
/// ```
/// use etude_task::Workspace;
/// #[derive(Default)]
/// struct Stack(Vec<u64>);
/// let mut workspace = Workspace::new();
/// workspace.borrow::<Stack>().0.reserve(1_000);
/// assert!(workspace.borrow::<Stack>().0.capacity() >= 1_000);
/// ```
#[derive(Default)]
pub struct Workspace {
    parts: HashMap<TypeId, Box<dyn Any>>,
}

impl Workspace {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The thread's `T`.
    pub fn borrow<T: Default + 'static>(&mut self) -> &mut T {
        let part = self.parts.entry(TypeId::of::<T>());
        let part = part.or_insert_with(|| Box::new(T::default()));
        match part.downcast_mut::<T>() {
            Some(part) => part,
            None => unreachable!("the key is the type"),
        }
    }
}

impl fmt::Debug for Workspace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Workspace of {} parts", self.parts.len())
    }
}
