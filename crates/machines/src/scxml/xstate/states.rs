//! The states of a machine of `XState`, and what paths to them mean.

use super::json::Json;
use guidepost_language::source::Span;

/// A state by its number, or the names that are there instead.
pub(super) type Found = Result<usize, Vec<String>>;

struct State<'j> {
    key: &'j str,
    name: String,
    json: &'j Json,
    parent: Option<usize>,
    children: Vec<usize>,
    span: Span,
}

/// All states in document order; the first is the machine.
pub(super) struct States<'j> {
    all: Vec<State<'j>>,
    keeps_root: bool,
}

impl<'j> States<'j> {
    pub(super) fn collect(json: &'j Json) -> Self {
        let key = json.get("id").and_then(Json::text).unwrap_or("(machine)");
        let root = State { key, name: key.to_owned(), json, parent: None, children: vec![], span: json.span };
        let mut states = Self { all: vec![root], keeps_root: false };
        states.descend(0);
        states.give_names();
        states
    }

    fn descend(&mut self, at: usize) {
        let json = self.all[at].json;
        for member in json.get("states").map_or(&[][..], Json::members) {
            let number = self.all.len();
            self.all.push(State {
                key: &member.key,
                name: String::new(),
                json: &member.value,
                parent: Some(at),
                children: vec![],
                span: member.key_span,
            });
            self.all[at].children.push(number);
            self.descend(number);
        }
    }

    /// The key where it is the only one, the path from the machine otherwise. Names are words: targets are separated by white space.
    fn give_names(&mut self) {
        for at in 1..self.all.len() {
            let key = self.all[at].key;
            let is_only = self.all.iter().filter(|state| state.key == key).count() == 1;
            let name = if is_only { key.to_owned() } else { self.path(at) };
            self.all[at].name = name.replace(char::is_whitespace, "_");
        }
        let root = self.all[0].key.replace(char::is_whitespace, "_");
        let is_free = self.all.iter().skip(1).all(|state| state.name != root);
        self.all[0].name = if is_free { root } else { "(machine)".to_owned() };
    }

    fn path(&self, at: usize) -> String {
        let above =
            std::iter::successors(Some(at), |&state| self.all[state].parent).filter(|&state| state != 0);
        let mut keys: Vec<&str> = above.map(|state| self.all[state].key).collect();
        keys.reverse();
        keys.join(".")
    }

    /// The machine itself is a state.
    pub(super) fn keep_root(&mut self) {
        self.keeps_root = true;
    }

    pub(super) fn keeps_root(&self) -> bool {
        self.keeps_root
    }

    pub(super) fn json(&self, at: usize) -> &'j Json {
        self.all[at].json
    }

    pub(super) fn name(&self, at: usize) -> &str {
        &self.all[at].name
    }

    pub(super) fn span(&self, at: usize) -> Span {
        self.all[at].span
    }

    pub(super) fn parent(&self, at: usize) -> Option<usize> {
        self.all[at].parent
    }

    pub(super) fn children(&self, at: usize) -> &[usize] {
        &self.all[at].children
    }

    pub(super) fn kind(&self, at: usize) -> Option<&str> {
        self.all[at].json.get("type").and_then(Json::text)
    }

    /// Whether a state is another one or in it.
    pub(super) fn is_within(&self, outer: usize, inner: usize) -> bool {
        std::iter::successors(Some(inner), |&state| self.all[state].parent).any(|state| state == outer)
    }

    /// The state that a target means in a state.
    pub(super) fn resolve(&self, from: usize, target: &str) -> Found {
        if target.starts_with('#') {
            return self.by_id(target);
        }
        match target.strip_prefix('.') {
            Some(path) => self.below(from, path),
            None => self.below(self.all[from].parent.unwrap_or(from), target),
        }
    }

    /// `a.b` in a state.
    pub(super) fn below(&self, from: usize, path: &str) -> Found {
        let mut at = from;
        for key in path.split('.') {
            let children = &self.all[at].children;
            let found = children.iter().copied().find(|&child| self.all[child].key == key);
            at = found.ok_or_else(|| {
                children.iter().map(|&child| self.all[child].key.to_owned()).collect::<Vec<_>>()
            })?;
        }
        Ok(at)
    }

    /// `#id`, `#id.child`, or `#machine.path`: ids may have dots themselves, so the longest one counts.
    pub(super) fn by_id(&self, target: &str) -> Found {
        let target = target.strip_prefix('#').unwrap_or(target);
        let has_id = |at: &usize, id: &str| {
            self.all[*at].json.get("id").and_then(Json::text) == Some(id)
                || (*at == 0 && self.all[0].key == id)
        };
        let ends = target.match_indices('.').map(|(at, _)| at).chain([target.len()]);
        for end in ends.collect::<Vec<_>>().into_iter().rev() {
            let Some(at) = (0..self.all.len()).find(|at| has_id(at, &target[..end])) else { continue };
            return if end == target.len() { Ok(at) } else { self.below(at, &target[end + 1..]) };
        }
        Err(self.all.iter().filter_map(|state| state.json.get("id")?.text()).map(str::to_owned).collect())
    }
}
