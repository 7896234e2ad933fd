//! Aircraft landing: planes land around their target times, early and late ones cost, and wake turbulence keeps them apart (J. E. Beasley et al., Scheduling aircraft
//! landings: the static case, 2000).
//!
//! An instance is a file of OR-Library: the number of planes and the freeze time; then for each plane when it appears, its earliest, target and latest times, the penalties per time unit early
//! and late, and the separations from it to every plane that lands after it. Planes that nothing tells apart but their times are of one type, and a runway remembers the type
//! that landed last. That is exact where separations satisfy the triangle inequality.

use crate::Query;
use crate::instance::{InstanceError, Numbers};
use std::fmt::Write;

struct Plane {
    earliest: i64,
    target: i64,
    latest: i64,
    early: i64,
    late: i64,
    /// To every plane that lands after it.
    separations: Vec<i64>,
}

fn read(text: &str) -> Result<Vec<Plane>, InstanceError> {
    const MOST: i64 = 1_000_000;
    let mut numbers = Numbers::new(text);
    let count = numbers.next("the number of planes", 1, 1000)?;
    numbers.next("the freeze time", 0, MOST)?;
    let mut planes = Vec::new();
    for _ in 0..count {
        numbers.next("when a plane appears", 0, MOST)?;
        let earliest = numbers.next("an earliest time", 0, MOST)?;
        let target = numbers.next("a target time", earliest, MOST)?;
        let latest = numbers.next("a latest time", target, MOST)?;
        let early = numbers.next("a penalty", 0, MOST)?;
        let late = numbers.next("a penalty", 0, MOST)?;
        let separations =
            (0..count).map(|_| numbers.next("a separation", 0, MOST)).collect::<Result<_, _>>()?;
        planes.push(Plane { earliest, target, latest, early, late, separations });
    }
    numbers.finish()?;
    Ok(planes)
}

/// By plane its type, and the separations between types.
fn types(planes: &[Plane]) -> (Vec<usize>, Vec<Vec<i64>>) {
    let is_alike = |a: usize, b: usize| {
        let (first, second) = (&planes[a].separations, &planes[b].separations);
        first[b] == second[a]
            && (0..planes.len()).filter(|&other| other != a && other != b).all(|other| {
                first[other] == second[other] && planes[other].separations[a] == planes[other].separations[b]
            })
    };
    let mut members: Vec<Vec<usize>> = Vec::new();
    let mut type_of = Vec::new();
    for plane in 0..planes.len() {
        // Within a type, all pairs keep the same distance.
        let distance = |group: &[usize]| planes[group[0]].separations[plane];
        let fits = |group: &Vec<usize>| {
            group.iter().all(|&other| is_alike(other, plane))
                && (group.len() < 2 || planes[group[0]].separations[group[1]] == distance(group))
        };
        let found = members.iter().position(fits);
        let number = found.unwrap_or_else(|| {
            members.push(Vec::new());
            members.len() - 1
        });
        members[number].push(plane);
        type_of.push(number);
    }
    let separation = |first: &Vec<usize>, second: &Vec<usize>| {
        let (a, b) = (first[0], second[0]);
        match (a == b, first.get(1)) {
            (false, _) => planes[a].separations[b],
            (true, Some(&other)) => planes[a].separations[other],
            (true, None) => 0,
        }
    };
    let table = members
        .iter()
        .map(|first| members.iter().map(|second| separation(first, second)).collect())
        .collect();
    (type_of, table)
}

/// The model of an instance with so many runways.
pub(crate) fn model(instance: &str, runways: u32) -> Result<(String, Vec<Query>), InstanceError> {
    let planes = read(instance)?;
    let (type_of, table) = types(&planes);
    let types = table.len();
    let nobody = format!("    {{ {} }}", vec!["0"; types + 1].join(", "));
    let row = |row: &Vec<i64>| {
        let numbers: Vec<String> = row.iter().map(i64::to_string).collect();
        format!("    {{ 0, {} }}", numbers.join(", "))
    };
    let rows: Vec<String> = std::iter::once(nobody).chain(table.iter().map(row)).collect();
    let mut text = format!(
        "// Aircraft landing: {} planes, {runways} {}. A plane that lands before its target time costs its early penalty per time unit, one that lands later its late penalty.
//
// The cheapest run in which all planes land is a best plan: guidepost check MODEL --trace cheapest

const int TYPES = {types};
typedef int[1, TYPES] type_t;
typedef int[0, TYPES] last_t;   // 0: nobody has landed yet

// How long after a plane of one type (row) one of another type (column) may land on the same runway.
const int separation[last_t][last_t] = {{
{}
}};

clock time;
chan land[type_t];

process Plane(const type_t kind, const int earliest, const int target, const int latest, const int early, const int late)
{{
    state Approaching {{ time <= target }},
          Early {{ time <= target && cost' == early }},        // has landed, and pays until its target time
          Late {{ time <= latest && cost' == late }},          // has not landed, and pays until it does
          Landed;
    init Approaching;
    trans
        Approaching -> Early {{ guard time >= earliest; sync land[kind]!; }},
        Early -> Landed {{ guard time >= target; }},
        Approaching -> Late {{ guard time >= target; }},
        Late -> Landed {{ sync land[kind]!; }};
}}

process Runway()
{{
    clock since;                // the last landing
    last_t last;
    state Open;
    init Open;
    trans
        Open -> Open {{ select kind : type_t; guard since >= separation[last][kind]; sync land[kind]?; assign last = kind, since = 0; }};
}}

",
        planes.len(),
        if runways == 1 { "runway" } else { "runways" },
        rows.join(",\n"),
    );
    let mut names = Vec::new();
    for (number, (plane, kind)) in planes.iter().zip(&type_of).enumerate() {
        let Plane { earliest, target, latest, early, late, .. } = plane;
        let _ = writeln!(
            text,
            "P{number} = Plane({}, {earliest}, {target}, {latest}, {early}, {late});",
            kind + 1
        );
        names.push(format!("P{number}"));
    }
    let landed: Vec<String> = names.iter().map(|name| format!("{name}.Landed")).collect();
    for number in 0..runways {
        let _ = writeln!(text, "R{number} = Runway();");
        names.push(format!("R{number}"));
    }
    let _ = writeln!(text, "\nsystem {};", names.join(", "));
    let query = Query::new("All planes have landed.", format!("E<> {}", landed.join(" and ")), true);
    Ok((text, vec![query]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_that_nothing_tells_apart_are_of_one_type() {
        let plane = |separations: [i64; 4]| Plane {
            earliest: 0,
            target: 5,
            latest: 9,
            early: 1,
            late: 2,
            separations: separations.to_vec(),
        };
        let planes =
            [plane([99, 3, 15, 15]), plane([3, 99, 15, 15]), plane([15, 15, 99, 8]), plane([15, 15, 8, 99])];
        let (type_of, table) = types(&planes);
        assert_eq!(type_of, [0, 0, 1, 1]);
        assert_eq!(table, [[3, 15], [15, 8]]);
    }

    #[test]
    fn an_instance_becomes_a_model() {
        let (text, queries) = model("1 10\n0 5 7.00 9 1.00 2\n99999\n", 2).unwrap();
        assert!(text.contains("P0 = Plane(1, 5, 7, 9, 1, 2);"), "{text}");
        assert!(text.contains("system P0, R0, R1;"), "{text}");
        assert_eq!(queries[0].formula, "E<> P0.Landed");
        assert!(model("1 10\n0 5 7 9 1.50 2\n0\n", 1).is_err(), "penalties are whole numbers");
    }
}
