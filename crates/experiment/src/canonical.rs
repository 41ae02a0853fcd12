//! The canonical file of an experiment, and the hashes that identify it.
//!
//! All of it is TOML as serde writes it, in the order of the types' fields: the order of the keys of a
//! person's file is in it only where it means something.

use std::collections::BTreeMap;

use indexmap::IndexMap;
use serde::Serialize;
use serde_json::Value;

use task::ParamValue;
use task::outside::PROTOCOL;

use kit::search::Budget;

use super::{
    Cell, CommandTable, Experiment, ExperimentFile, MetricTable, Nodes, OnTimeout, PlayerFaults,
    PlayerTable, VarianceTable,
};

/// Separates these hashes from all others; a change of meaning changes it.
const CONTEXT: &str = "etude v2 experiment fingerprint";

impl Experiment {
    /// The canonical file of this experiment, with every default written out: it parses back to
    /// the same experiment.
    pub fn resolved_toml(&self) -> String {
        toml_of(&self.whole_file())
    }

    /// Returns whether another experiment gives the same numbers and verdicts in the same order, and at most the
    /// texts beside them differ.
    pub fn differs_in_texts_alone(&self, other: &Experiment) -> bool {
        let [one, other] = [self, other].map(|experiment| {
            let file = ExperimentFile {
                question: String::new(),
                answer: None,
                analysis: None,
                page: None,
                labels: IndexMap::new(),
                ..experiment.whole_file()
            };
            toml_of(&file)
        });
        one == other
    }

    /// Returns whether another experiment is the same, wherever its file and its programs are. Tables are equal in any
    /// order; in this one they have a meaning, so the canonical files are compared.
    pub fn is_same(&self, other: &Experiment) -> bool {
        self.resolved_toml() == other.resolved_toml()
    }

    /// The file with its claims, in the order that means something.
    fn whole_file(&self) -> ExperimentFile {
        let claims = self.claims.iter();
        let mut file = ExperimentFile {
            claims: claims.map(|claim| claim.written.clone()).collect(),
            ..self.file.clone()
        };
        file.players.sort_keys();
        file.labels.sort_keys();
        file
    }

    /// All that determines the value of a sample: task, seed, every cell's parameters and budget, and
    /// what is tallied with it to reduce variance; neither the number of samples nor the prose.
    fn sample_facts(&self) -> String {
        let players: BTreeMap<&str, String> = self.player_facts().collect();
        let cells = self.cells.iter().map(cell_facts);
        let parts = std::iter::once(self.shared_facts());
        parts.chain(players.into_values()).chain(cells).collect()
    }

    /// Hashes in hex of the cells, in order: of the parameters of each and of the players in other programs
    /// that they name. A cell keeps its hash wherever it stands in a sweep.
    pub fn cell_hashes(&self) -> Vec<String> {
        let players: BTreeMap<&str, String> = self.player_facts().collect();
        let hash = |cell: &Cell| {
            let named = players.iter().filter(|(name, _)| cell.names(name));
            let named = named.map(|(_, facts)| facts.as_str());
            let facts: String = [&*cell_facts(cell)].into_iter().chain(named).collect();
            let raced = cell.contender.as_ref().map(|_| contender_facts(cell));
            hashed(&(facts + &raced.unwrap_or_default()))[..16].to_owned()
        };
        self.cells.iter().map(hash).collect()
    }

    /// The file by its keys, with every default written out.
    pub fn values(&self) -> Value {
        value_of(&self.whole_file())
    }

    /// The part of [`values`](Self::values) that determines the samples of every cell.
    pub fn sampled_values(&self) -> Value {
        let mut file = self.whole_file();
        if let Some(table) = &mut file.command {
            (table.patience, table.batch, table.proven) = (0.0, 0, None);
            table.params.clear();
            (table.metrics.values_mut()).for_each(|metric| *metric = metric.tallied());
        }
        for table in file.players.values_mut() {
            (table.patience, table.proven) = (0.0, None);
        }
        let mut values = value_of(&file);
        let keys = ["task", "seed", "budget", "variance", "command", "players"];
        let table = values.as_object_mut().into_iter();
        table.for_each(|table| table.retain(|key, _| keys.contains(&&**key)));
        values
    }

    /// The facts among [`sample_facts`](Self::sample_facts) that all cells and players share, one a line.
    fn shared_facts(&self) -> String {
        let budget = self.file.budget.as_ref();
        let nodes = budget.and_then(|budget| budget.nodes.clone());
        toml_of(&SharedFacts {
            task: &self.file.task,
            seed: self.file.seed,
            nodes: nodes.unwrap_or(Nodes::One(Budget::UNLIMITED.limit())),
            variance: self.file.variance.as_ref(),
            command: self.file.command.as_ref().map(CommandFacts::of),
        })
    }

    /// The facts of each player in another program, with the player's name, in file order.
    pub fn player_facts(&self) -> impl Iterator<Item = (&str, String)> {
        let facts = |(name, player)| (name, toml_of(&PlayerFacts::of(name, player)));
        let players = self.file.players.iter();
        players
            .map(|(name, player)| (name.as_str(), player))
            .map(facts)
    }

    /// Takes out a player in another program and the cells that name it. Returns false, and takes out nothing, if no cell
    /// would be left.
    pub fn remove_player(&mut self, name: &str) -> bool {
        if self.cells.iter().all(|cell| cell.names(name)) {
            return false;
        }
        self.cells.retain(|cell| !cell.names(name));
        self.players.retain(|player| player.name != name);
        self.file.players.shift_remove(name);
        true
    }

    /// The text of the experiment whose programs have the identities with which a `stored` run began, and their
    /// files the hashes that they have now; `None` where none of their files has changed since.
    pub fn begun_as(&self, stored: &Self) -> Option<String> {
        type Tables<'t> = (
            &'t [String],
            &'t mut Option<Vec<String>>,
            &'t mut Option<Vec<String>>,
        );
        let begin = |now: Tables, files: &[String], hashes: &Option<Vec<String>>| {
            let (paths, identity, proven) = now;
            let has_changed = paths == files && identity != hashes;
            if has_changed {
                *proven = std::mem::replace(identity, hashes.clone());
            }
            has_changed
        };
        let (mut file, mut has_changed) = (self.whole_file(), false);
        if let (Some(now), Some(then)) = (&mut file.command, &stored.file.command) {
            let tables = (&*now.files, &mut now.hashes, &mut now.proven);
            has_changed |= begin(tables, &then.files, &then.hashes);
        }
        for (name, now) in &mut file.players {
            if let Some(then) = stored.file.players.get(name) {
                let tables = (&*now.files, &mut now.hashes, &mut now.proven);
                has_changed |= begin(tables, &then.files, &then.hashes);
            }
        }
        has_changed.then(|| toml_of(&file))
    }

    /// A hash in hex of all that determines the value of a sample.
    pub fn fingerprint(&self) -> String {
        hashed(&self.sample_facts())
    }

    /// A hash in hex of the facts that all cells and players share.
    pub fn shared_fingerprint(&self) -> String {
        hashed(&self.shared_facts())
    }

    /// A hash in hex of the whole resolved experiment.
    pub fn digest(&self) -> String {
        let text = self.resolved_toml();
        blake3::hash(text.as_bytes()).to_hex().to_string()
    }
}

/// A hash in hex of facts that determine samples.
fn hashed(facts: &str) -> String {
    let mut hasher = blake3::Hasher::new_derive_key(CONTEXT);
    hasher.update(facts.as_bytes());
    hasher.finalize().to_hex().to_string()
}

/// The facts that all cells share.
#[derive(Serialize)]
struct SharedFacts<'a> {
    task: &'a str,
    seed: u64,
    nodes: Nodes,
    variance: Option<&'a VarianceTable>,
    command: Option<CommandFacts<'a>>,
}

/// The facts of a command that determine the samples. Patience and texts that are only shown are left
/// out.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct CommandFacts<'a> {
    protocol: u64,
    once: bool,
    stdin: Option<&'a str>,
    generate: Option<&'a [String]>,
    instances: Option<BTreeMap<&'a str, &'a str>>,
    program: ProgramFacts<'a>,
    streams: &'a [String],
    timeout: Option<f64>,
    on_timeout: Option<OnTimeout>,
    metrics: IndexMap<&'a str, MetricTable>,
}

/// The facts of a player that determine its moves.
#[derive(Serialize)]
struct PlayerFacts<'a> {
    player: &'a str,
    program: ProgramFacts<'a>,
    go: &'a str,
    faults: PlayerFaults,
}

/// The arguments of a program, and its version or the hashes of its files.
#[derive(Serialize)]
struct ProgramFacts<'a> {
    argv: &'a [String],
    version: Option<&'a str>,
    files: BTreeMap<&'a str, &'a str>,
}

impl<'a> CommandFacts<'a> {
    fn of(command: &'a CommandTable) -> Self {
        let argv = command.run.as_ref().or(command.once.as_ref());
        let metrics = command.metrics.iter();
        let metrics = metrics.map(|(name, table)| (name.as_str(), table.tallied()));
        Self {
            protocol: PROTOCOL,
            once: command.once.is_some(),
            stdin: command.stdin.as_deref(),
            generate: command.generate.as_deref(),
            instances: command.instances.as_ref().map(|_| {
                let hashes = command.instance_hashes.iter();
                hashes
                    .map(|(name, hash)| (name.as_str(), hash.as_str()))
                    .collect()
            }),
            program: ProgramFacts {
                argv: argv.map_or(&[], Vec::as_slice),
                version: command.version.as_deref(),
                files: hashed_files(&command.files, command.hashes.as_ref()),
            },
            streams: &command.streams,
            timeout: command.timeout,
            on_timeout: command.timeout.and(command.on_timeout),
            metrics: metrics.collect(),
        }
    }
}

impl<'a> PlayerFacts<'a> {
    fn of(name: &'a str, player: &'a PlayerTable) -> Self {
        Self {
            player: name,
            program: ProgramFacts {
                argv: &player.run,
                version: player.version.as_deref(),
                files: hashed_files(&player.files, player.hashes.as_ref()),
            },
            go: &player.go,
            faults: player.faults,
        }
    }
}

fn hashed_files<'a>(
    files: &'a [String],
    hashes: Option<&'a Vec<String>>,
) -> BTreeMap<&'a str, &'a str> {
    let hashes = hashes.into_iter().flatten();
    let both = files.iter().zip(hashes);
    both.map(|(path, hash)| (path.as_str(), hash.as_str()))
        .collect()
}

fn cell_facts(cell: &Cell) -> String {
    let params: IndexMap<&str, &ParamValue> = cell.params.iter().collect();
    format!("[[cells]]\n{}", toml_of(&params))
}

/// The facts that tell a contender from others with its parameters.
fn contender_facts(cell: &Cell) -> String {
    let argv = cell.program().map(|one| &one.program.argv);
    format!("contender = {:?} {argv:?}\n", cell.name)
}

/// A value by its keys. The types of the file have texts for keys: they always have a form.
fn value_of(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// A value as TOML. The types of the file have texts for keys and finite numbers: they always have a
/// form.
fn toml_of(value: &impl Serialize) -> String {
    toml::to_string(value).unwrap_or_default()
}

/// Words as a list in TOML.
pub fn toml_list(words: &[String]) -> String {
    toml::Value::from(words.to_vec()).to_string()
}
