//! Job shops: jobs visit machines in given orders, and the last should be done as early as possible (J. F. Muth, G. L. Thompson, Industrial Scheduling, 1963).
//!
//! An instance is the usual file: the numbers of jobs and machines, then for each job its operations, each a machine (from 0) and a duration.

use crate::Query;
use crate::instance::{InstanceError, Numbers};
use std::fmt::Write;

/// Operations of one job: machine and duration.
type Job = Vec<(i64, i64)>;

fn read(text: &str) -> Result<(i64, Vec<Job>), InstanceError> {
    let mut numbers = Numbers::new(text);
    let jobs = numbers.next("the number of jobs", 1, 1000)?;
    let machines = numbers.next("the number of machines", 1, 1000)?;
    let mut all = Vec::new();
    for _ in 0..jobs {
        let mut job = Vec::new();
        for _ in 0..machines {
            job.push((
                numbers.next("a machine", 0, machines - 1)?,
                numbers.next("a duration", 0, 1_000_000)?,
            ));
        }
        all.push(job);
    }
    numbers.finish()?;
    Ok((machines, all))
}

/// The model of an instance.
pub(crate) fn model(instance: &str) -> Result<(String, Vec<Query>), InstanceError> {
    let (machines, jobs) = read(instance)?;
    let mut text = format!(
        "// A job shop: {} jobs visit {machines} machines, each in its own order. A machine works on one job at a time.
//
// An operation takes its duration or longer. To hold a machine for longer than needed is allowed and never helps, so the fastest run to the
// end is a best schedule: guidepost check MODEL --trace fastest

bool busy[{machines}];        // by machine
",
        jobs.len()
    );
    for (number, job) in jobs.iter().enumerate() {
        process(&mut text, number, job);
    }
    let names: Vec<String> = (0..jobs.len()).map(|number| format!("Job{number}")).collect();
    let _ = writeln!(text, "\nsystem {};", names.join(", "));
    let done: Vec<String> = names.iter().map(|name| format!("{name}.Done")).collect();
    let query = Query::new("All jobs are done.", format!("E<> {}", done.join(" and ")), true);
    Ok((text, vec![query]))
}

/// A job: it waits for a machine, works on it, and goes on.
fn process(text: &mut String, number: usize, job: &Job) {
    let place = |verb: &str, step: usize| {
        let machine = job[step].0;
        // Jobs that come back to a machine need more than one name for it.
        let earlier = job[..step].iter().filter(|operation| operation.0 == machine).count();
        let again = if earlier == 0 { String::new() } else { format!("_{}", earlier + 1) };
        format!("{verb}{machine}{again}")
    };
    let states: Vec<String> =
        (0..job.len()).flat_map(|step| [place("For", step), place("On", step)]).collect();
    let _ = write!(
        text,
        "
process Job{number}()
{{
    clock x;                    // since the operation began
    state {}, Done;
    init {};
    trans
",
        states.join(", "),
        place("For", 0)
    );
    for (step, (machine, duration)) in job.iter().enumerate() {
        let (waits, works) = (place("For", step), place("On", step));
        let is_last = step + 1 == job.len();
        let next = if is_last { "Done".to_owned() } else { place("For", step + 1) };
        let end = if is_last { ";" } else { "," };
        let _ = writeln!(
            text,
            "        {waits} -> {works} {{ guard !busy[{machine}]; assign busy[{machine}] = true, x = 0; }},
        {works} -> {next} {{ guard x >= {duration}; assign busy[{machine}] = false; }}{end}"
        );
    }
    text.push_str("}\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_is_read_or_refused() {
        let (text, queries) = model("# two jobs\n2 2\n0 3 1 2\n1 4 0 1\n").unwrap();
        assert!(text.contains("For1 -> On1 { guard !busy[1]; assign busy[1] = true, x = 0; },"), "{text}");
        assert!(text.contains("On0 -> Done { guard x >= 1; assign busy[0] = false; };"), "{text}");
        assert_eq!(queries[0].formula, "E<> Job0.Done and Job1.Done");
        let message = |text: &str| model(text).unwrap_err().to_string();
        assert_eq!(message("2 2 0 3 1"), "the instance ends where a duration should be");
        assert_eq!(message("1 1 1 3"), "`1` is not a machine: a number from 0 to 0 is expected");
        assert_eq!(message("1 1 0 3 7"), "`7` is too much: the instance should end before it");
    }
}
