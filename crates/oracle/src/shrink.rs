//! Makes a model on which something goes wrong as small as it can, by leaving parts out.
//!
//! Greedy and simple: try to remove one part; if the trouble is still there, keep the smaller model; go on until nothing more can be removed. Models
//! that no longer load are no trouble, so the parts need not know of each other.

use crate::model::Model;

/// The smallest model found that still `fails`.
pub fn shrink(model: &Model, fails: &mut dyn FnMut(&Model) -> bool) -> Model {
    let mut best = model.clone();
    loop {
        let mut improved = false;
        for step in STEPS {
            let mut index = 0;
            while let Some(smaller) = step(&best, index) {
                if fails(&smaller) {
                    best = smaller;
                    improved = true;
                } else {
                    index += 1;
                }
            }
        }
        if !improved {
            return best;
        }
    }
}

/// The model without its n-th part of some kind; nothing when there are not so many.
type Step = fn(&Model, usize) -> Option<Model>;

const STEPS: [Step; 12] = [
    without_process,
    without_edge,
    without_guard,
    without_update,
    without_sync,
    without_select,
    without_invariant,
    without_kind,
    without_location,
    without_local,
    without_declaration,
    without_template,
];

fn without_process(model: &Model, index: usize) -> Option<Model> {
    let mut smaller = model.clone();
    (index < smaller.processes.len()).then(|| smaller.processes.remove(index))?;
    Some(smaller)
}

fn without_template(model: &Model, index: usize) -> Option<Model> {
    let mut smaller = model.clone();
    let unused =
        (0..smaller.templates.len()).filter(|at| !smaller.processes.iter().any(|p| p.template == *at));
    let at = unused.collect::<Vec<_>>().get(index).copied()?;
    smaller.templates.remove(at);
    smaller.processes.iter_mut().filter(|p| p.template > at).for_each(|p| p.template -= 1);
    Some(smaller)
}

fn without_declaration(model: &Model, index: usize) -> Option<Model> {
    let mut smaller = model.clone();
    (index < smaller.declarations.len()).then(|| smaller.declarations.remove(index))?;
    Some(smaller)
}

fn without_edge(model: &Model, index: usize) -> Option<Model> {
    nth(model, index, |template| template.edges.len(), |template, at| drop(template.edges.remove(at)))
}

fn without_local(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.declarations.len(),
        |template, at| drop(template.declarations.remove(at)),
    )
}

/// A location other than the initial one, with the edges that touch it.
fn without_location(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.locations.len() - 1,
        |template, at| {
            let at = at + 1;
            template.locations.remove(at);
            template.edges.retain(|edge| edge.source != at && edge.target != at);
            for edge in &mut template.edges {
                edge.source -= usize::from(edge.source > at);
                edge.target -= usize::from(edge.target > at);
            }
        },
    )
}

fn without_kind(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.locations.iter().filter(|l| !l.kind.is_empty()).count(),
        |template, at| {
            if let Some(location) = template.locations.iter_mut().filter(|l| !l.kind.is_empty()).nth(at) {
                location.kind = "";
            }
        },
    )
}

fn without_invariant(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.locations.iter().map(|location| location.invariant.len()).sum(),
        |template, at| remove_nth(template.locations.iter_mut().map(|l| &mut l.invariant), at),
    )
}

fn without_guard(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.edges.iter().map(|edge| edge.guard.len()).sum(),
        |template, at| remove_nth(template.edges.iter_mut().map(|edge| &mut edge.guard), at),
    )
}

fn without_update(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.edges.iter().map(|edge| edge.update.len()).sum(),
        |template, at| remove_nth(template.edges.iter_mut().map(|edge| &mut edge.update), at),
    )
}

fn without_sync(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.edges.iter().filter(|edge| !edge.sync.is_empty()).count(),
        |template, at| {
            if let Some(edge) = template.edges.iter_mut().filter(|edge| !edge.sync.is_empty()).nth(at) {
                edge.sync.clear();
            }
        },
    )
}

fn without_select(model: &Model, index: usize) -> Option<Model> {
    nth(
        model,
        index,
        |template| template.edges.iter().filter(|edge| !edge.select.is_empty()).count(),
        |template, at| {
            if let Some(edge) = template.edges.iter_mut().filter(|edge| !edge.select.is_empty()).nth(at) {
                edge.select.clear();
            }
        },
    )
}

/// Changes the n-th part, counted over all templates.
fn nth(
    model: &Model,
    mut index: usize,
    count: impl Fn(&crate::model::Template) -> usize,
    change: impl Fn(&mut crate::model::Template, usize),
) -> Option<Model> {
    for at in 0..model.templates.len() {
        let here = count(&model.templates[at]);
        if index < here {
            let mut smaller = model.clone();
            change(&mut smaller.templates[at], index);
            return Some(smaller);
        }
        index -= here;
    }
    None
}

fn remove_nth<'l>(lists: impl Iterator<Item = &'l mut Vec<String>>, mut index: usize) {
    for list in lists {
        if index < list.len() {
            list.remove(index);
            return;
        }
        index -= list.len();
    }
}
