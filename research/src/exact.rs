//! The paths of a run by the symbols it passes, whatever its probes say.

use anyhow::{Context, Result, bail};
use hpp_golden::branch::BranchKind;
use hpp_paths::graph::{Acyclic, Cfg, Control, Crossing, DagEdgeId, DagPath};
use hpp_riscv::{Ingress, Retirement, Xlen};
use rustc_hash::FxHashMap;

use crate::assembly::{Ending, Function};
use crate::graph::{Way, edge};
use hpp_soc::{Meanwhile, Watcher};

/// How often edges, blocks and paths of a function ran.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    pub edges: Vec<u64>,
    pub blocks: Vec<u64>,
    pub paths: FxHashMap<DagPath, u64>,
}

/// A function to be followed.
pub struct Followed {
    pub function: Function,
    pub cfg: Cfg<Option<usize>, Way>,
    /// The acyclic form whose paths are counted.
    pub dag: Acyclic,
}

/// A call of a function under way.
struct Active<'a> {
    function: usize,
    block: usize,
    control: Control<'a>,
    path: Vec<DagEdgeId>,
}

/// Follows control through functions by the symbols of their blocks, and counts paths.
pub struct Follower<'a> {
    functions: &'a [Followed],
    /// Calls under way; `None` for code that is not followed.
    stack: Vec<Option<Active<'a>>>,
    profiles: Vec<Profile>,
}

impl<'a> Follower<'a> {
    /// Control in code that is not followed.
    pub fn new(functions: &'a [Followed]) -> Self {
        let profile = |followed: &Followed| Profile {
            edges: vec![0; followed.cfg.edges().len()],
            blocks: vec![0; followed.cfg.blocks().len()],
            paths: FxHashMap::default(),
        };
        Follower {
            profiles: functions.iter().map(profile).collect(),
            functions,
            stack: vec![None],
        }
    }

    pub fn into_profiles(self) -> Vec<Profile> {
        self.profiles
    }

    /// Control takes a branch. Says which function it left.
    ///
    /// # Errors
    ///
    /// If the function is left where its graph does not lead out.
    pub fn branch(&mut self, kind: BranchKind) -> Result<Option<usize>> {
        match kind {
            BranchKind::Call | BranchKind::IndirectCall => self.stack.push(None),
            BranchKind::Return => {
                if let Some(Some(active)) = self.stack.pop() {
                    let function = active.function;
                    self.leave(active)?;
                    return Ok(Some(function));
                }
            }
            _ => {}
        }
        Ok(None)
    }

    /// Control comes to these blocks, one after another; only the last one has instructions. Returns whether it entered the function.
    ///
    /// # Errors
    ///
    /// If no edge leads there.
    pub fn arrive_at(&mut self, places: &[(usize, usize)]) -> Result<bool> {
        if let &[(function, block)] = places {
            return self.arrive(function, block);
        }
        let mut left = places.to_vec();
        let mut entered = false;
        loop {
            let place = left.iter().position(|&place| self.leads_to(place));
            let (function, block) = left.swap_remove(place.context("no edge leads to a block")?);
            entered |= self.arrive(function, block)?;
            // A jump alone may have become unnecessary.
            let block = &self.functions[function].function.blocks[block];
            let is_jump = matches!(block.ending, Ending::Jump(_));
            if !is_jump || block.end - block.body > 1 || left.is_empty() {
                return Ok(entered);
            }
        }
    }

    /// Whether an edge leads to a block from where control is, or a call.
    fn leads_to(&self, (function, block): (usize, usize)) -> bool {
        let active = self.stack.last().and_then(Option::as_ref);
        active.map_or(block == 0, |active| {
            let cfg = &self.functions[active.function].cfg;
            active.function == function && edge(cfg, active.block, Some(block)).is_some()
        })
    }

    /// Control comes to a block. Says whether it entered the function.
    ///
    /// # Errors
    ///
    /// If no edge leads there.
    pub fn arrive(&mut self, function: usize, block: usize) -> Result<bool> {
        let top = self.stack.pop().context("a block behind the last return")?;
        let stays = top.as_ref().is_some_and(|active| {
            let from = &self.functions[active.function].function.blocks[active.block];
            active.function == function && from.ending != Ending::Leave
        });
        let active = match top {
            Some(mut active) if stays => {
                self.take(&mut active, Some(block))?;
                active
            }
            top => {
                // A tail call, or a call.
                if let Some(active) = top {
                    self.leave(active)?;
                }
                let followed = &self.functions[function];
                if block != 0 {
                    bail!("`{}` is entered at block {block}", followed.function.name);
                }
                Active {
                    function,
                    block,
                    control: Control::enter(&followed.dag),
                    path: Vec::new(),
                }
            }
        };
        self.profiles[function].blocks[block] += 1;
        self.stack.push(Some(active));
        Ok(!stays)
    }

    fn leave(&mut self, mut active: Active<'a>) -> Result<()> {
        self.take(&mut active, None)?;
        let path = DagPath::new(active.control_dag(self.functions), active.path)?;
        *self.profiles[active.function]
            .paths
            .entry(path)
            .or_default() += 1;
        Ok(())
    }

    fn take(&mut self, active: &mut Active<'a>, to: Option<usize>) -> Result<()> {
        let followed = &self.functions[active.function];
        let taken = edge(&followed.cfg, active.block, to);
        let taken = taken.with_context(|| {
            format!(
                "`{}` goes from block {} to {to:?}",
                followed.function.name, active.block
            )
        })?;
        let profile = &mut self.profiles[active.function];
        profile.edges[taken.index()] += 1;
        match active.control.take(taken)? {
            Crossing::Inside(edge) => active.path.push(edge),
            Crossing::Break { stop, start } => {
                active.path.push(stop);
                let path = DagPath::new(&followed.dag, std::mem::take(&mut active.path))?;
                *profile.paths.entry(path).or_default() += 1;
                active.path.extend(start);
            }
        }
        active.block = to.unwrap_or(active.block);
        Ok(())
    }
}

impl Active<'_> {
    fn control_dag<'f>(&self, functions: &'f [Followed]) -> &'f Acyclic {
        &functions[self.function].dag
    }
}

/// Functions and blocks by address. There are several where a block's only instruction, a jump, has become unnecessary.
pub type Places = FxHashMap<u64, Vec<(usize, usize)>>;

/// Watches a run on a simulated system.
pub struct Tracker<'a> {
    follower: Follower<'a>,
    places: Places,
    ingress: Ingress,
    main: Option<usize>,
    entered: Option<u64>,
    left: Option<u64>,
    instructions: u64,
    error: Option<anyhow::Error>,
}

pub struct Seen {
    pub profiles: Vec<Profile>,
    /// Cycles from the first block of `main` to its return.
    pub cycles: u64,
    /// Instructions that retired in the same time.
    pub instructions: u64,
}

impl<'a> Tracker<'a> {
    /// A watcher of a program whose blocks begin at these addresses.
    pub fn new(functions: &'a [Followed], places: Places) -> Self {
        let is_main = |followed: &Followed| followed.function.name == "main";
        Tracker {
            follower: Follower::new(functions),
            places,
            ingress: Ingress::new(Xlen::Rv32, 8),
            main: functions.iter().position(is_main),
            entered: None,
            left: None,
            instructions: 0,
            error: None,
        }
    }

    /// What was seen of a run that is over.
    ///
    /// # Errors
    ///
    /// If the run went where the graphs do not, or `main` did not return.
    pub fn finish(self) -> Result<Seen> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let times = self.entered.zip(self.left);
        let cycles = times.map(|(entered, left)| left - entered);
        Ok(Seen {
            profiles: self.follower.into_profiles(),
            cycles: cycles.context("`main` has not returned")?,
            instructions: self.instructions,
        })
    }

    /// Whether `main` has been entered and has not returned.
    const fn is_inside(&self) -> bool {
        self.entered.is_some() && self.left.is_none()
    }

    fn step(&mut self, cycle: u64, retirement: &Retirement) -> Result<()> {
        if let Some(places) = self.places.get(&retirement.pc)
            && self.follower.arrive_at(places)?
            && Some(places[0].0) == self.main
        {
            self.entered = Some(cycle);
        }
        self.instructions += u64::from(self.is_inside());
        for record in self.ingress.step(retirement, 1) {
            let left = self.follower.branch(record.kind)?;
            if left.is_some() && left == self.main {
                self.left = Some(cycle);
            }
        }
        Ok(())
    }
}

impl Watcher for Tracker<'_> {
    fn retired(&mut self, _retirement: &Retirement) {}

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        if self.error.is_none() {
            self.error = self.step(meanwhile.cycle, retirement).err();
        }
    }
}
