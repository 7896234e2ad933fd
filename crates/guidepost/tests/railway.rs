//! Networks with many processes, in which every state has many successors and goals are far away.

use guidepost::{Session, Settings, Verdict};
use guidepost_answer::{Answer, Limits};
use guidepost_search::{Algorithm, Directed, HeuristicSpec, Strategy};

/// Trains that wait in a queue before a bridge (Yi, Pettersson, Daniels 1994: Automatic verification of real-time communicating systems by constraint solving).
fn railway(trains: u32) -> String {
    format!(
        "const int N = {trains}; typedef int[0, N - 1] id_t; chan appr[N], stop[N], leave[N]; urgent chan go[N];
         id_t list[N + 1]; int[0, N] len;
         void enqueue(id_t e) {{ list[len++] = e; }}
         void dequeue() {{ int i = 0; len -= 1; while (i < len) {{ list[i] = list[i + 1]; i++; }} list[i] = 0; }}
         process Train(const id_t id) {{ clock x; state Safe, Stop, Cross {{ x <= 5 }}, Appr {{ x <= 20 }}, Start {{ x <= 15 }}; init Safe;
           trans Safe -> Appr {{ sync appr[id]!; assign x = 0; }}, Appr -> Cross {{ guard x >= 10; assign x = 0; }},
                 Appr -> Stop {{ guard x <= 10; sync stop[id]?; }}, Stop -> Start {{ sync go[id]?; assign x = 0; }},
                 Start -> Cross {{ guard x >= 7; assign x = 0; }}, Cross -> Safe {{ guard x >= 3; sync leave[id]!; }}; }}
         process Gate() {{ state Free, Occ, Stopping; commit Stopping; init Free;
           trans Free -> Occ {{ select e : id_t; guard len == 0; sync appr[e]?; assign enqueue(e); }},
                 Free -> Occ {{ guard len > 0; sync go[list[0]]!; }},
                 Occ -> Stopping {{ select e : id_t; sync appr[e]?; assign enqueue(e); }},
                 Stopping -> Occ {{ sync stop[list[len - 1]]!; }},
                 Occ -> Free {{ select e : id_t; guard e == list[0]; sync leave[e]?; assign dequeue(); }}; }}
         system Train, Gate;"
    )
}

const ALL_WAIT: &str = "E<> Train(5).Cross and (forall (i : id_t) i != 5 imply Train(i).Stop)";

fn ask(trains: u32, strategy: Option<Strategy>, limits: Limits) -> Answer {
    let text = railway(trains);
    let mut session = Session::parse("railway.xta", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let settings = Settings { strategy, limits, ..Settings::default() };
    session.ask(ALL_WAIT, &settings).unwrap_or_else(|error| panic!("{error:?}"))
}

/// A search that goes straight to a goal hundreds of steps away has its share. The effort is the same on every machine.
#[test]
fn the_default_takes_little_more_than_the_search_that_finds_the_goal() {
    let directed = Directed::new(Algorithm::Greedy, HeuristicSpec::GraphSum);
    let alone = ask(150, Some(Strategy::Directed(directed)), Limits::default());
    let together = ask(150, None, Limits::default());
    assert_eq!((alone.verdict(), together.verdict()), (Verdict::Satisfied, Verdict::Satisfied));
    let (alone, together) = (alone.statistics.effort, together.statistics.effort);
    assert!(together < 5 * alone, "{together} instead of {alone}");
}

/// Whatever takes long in a large network is interrupted.
#[test]
fn the_time_limit_holds_with_many_processes() {
    use std::time::{Duration, Instant};
    let text = railway(700);
    let mut session = Session::parse("railway.xta", &text).unwrap_or_else(|error| panic!("{error:?}"));
    let limits = Limits { time: Some(Duration::from_millis(1500)), ..Limits::default() };
    let begin = Instant::now();
    let answer = session.ask(ALL_WAIT, &Settings { limits, ..Settings::default() }).expect("an answer");
    // A machine with other work needs longer for its last steps.
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert!(answer.statistics.explored > 0);
}
