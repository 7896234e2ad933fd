//! People cross a bridge at night with one torch (the puzzle is older than its use for model checkers: T. Ruys, E. Brinksma, Experience with literate programming in the modelling and validation of
//! systems, 1998).
//!
//! With times in ascending order, the two slowest get over in one of two ways: the fastest brings each of them over, or they cross together while the two fastest handle the
//! torch (G. Rote, Crossing the bridge at night, 2002). So the least time is known for every size.

use crate::Query;

/// The times of four people in the usual puzzle; everybody else is a little slower.
const TIMES: [u32; 4] = [5, 10, 20, 25];

fn time(person: u32) -> u32 {
    TIMES.get(person as usize).copied().unwrap_or(25 + 5 * (person.saturating_sub(3)))
}

/// The least time in which the first few people get over.
fn least(people: u32) -> u32 {
    match people {
        0 => 0,
        1 | 2 => time(people - 1),
        3 => time(0) + time(1) + time(2),
        _ => {
            let (slowest, next) = (time(people - 1), time(people - 2));
            let apart = 2 * time(0) + next + slowest;
            let together = time(0) + 2 * time(1) + slowest;
            apart.min(together) + least(people - 2)
        }
    }
}

pub(crate) fn model(people: u32) -> (String, Vec<Query>) {
    let times: Vec<String> = (0..people).map(|person| time(person).to_string()).collect();
    let least = least(people);
    let text = format!(
        "// People cross a bridge at night. Nobody walks without the torch, of which there is one; the bridge carries two, and two walk at the pace of the slower one.
// It takes {least} minutes: guidepost check MODEL --select 1 --trace fastest

const int N = {people};                // people
const int TIME[N] = {{ {} }};  // minutes that each of them needs

typedef int[0, N - 1] id_t;

bool over;                      // the torch is on the far side
int[0, 2] load;                 // people on the bridge
int[0, {}] pace;                // minutes that the slowest of them needs
chan step_on;
broadcast chan step_off;

process Person(const id_t id)
{{
    state Near, Going, Far, Returning;
    init Near;
    trans
        Near -> Going {{ guard !over && load < 2; sync step_on!; assign load++, pace = pace >? TIME[id]; }},
        Going -> Far {{ sync step_off?; }},
        Far -> Returning {{ guard over && load < 2; sync step_on!; assign load++, pace = pace >? TIME[id]; }},
        Returning -> Near {{ sync step_off?; }};
}}

process Torch()
{{
    clock x;
    state Lying, Taken, Crossing {{ x <= pace }};
    urgent Taken;               // a second one comes along at once or not at all
    init Lying;
    trans
        Lying -> Taken {{ sync step_on?; }},
        Taken -> Crossing {{ sync step_on?; assign x = 0; }},
        Taken -> Crossing {{ assign x = 0; }},
        Crossing -> Lying {{ guard x >= pace; sync step_off!; assign over = !over, load = 0, pace = 0; }};
}}

system Person, Torch;
",
        times.join(", "),
        time(people - 1),
    );
    let queries = vec![
        Query::new("Everybody gets over.", "E<> forall (i : id_t) Person(i).Far", true),
        Query::new(
            "Three are on the bridge.",
            "E<> (sum (i : id_t) (Person(i).Going or Person(i).Returning)) > 2",
            false,
        ),
    ];
    (text, queries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_four_need_an_hour() {
        assert_eq!([1, 2, 3, 4].map(least), [5, 10, 35, 60]);
    }
}
