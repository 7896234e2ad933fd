"""Answers, runs, options."""

import json
import subprocess
from fractions import Fraction

import guidepost
import pytest


def test_one_question(switch):
    answer = switch.ask("E<> P.C")
    assert (answer.verdict, answer.satisfied, answer.number) == ("satisfied", True, 1)
    assert answer.statistics["explored"] >= 1 and answer.engine == "auto" or answer.engine
    assert answer.run is None
    assert switch.ask("A[] n < 1").satisfied is False


def test_the_stored_queries_are_as_expected(faulty):
    answers = faulty.check()
    assert [answer.expected for answer in answers] == [True] * 5
    assert len(answers) == 5 and [answer.number for answer in answers] == [1, 2, 3, 4, 5]
    assert [answer.number for answer in answers[1:3]] == [2, 3]
    assert "1: not satisfied" in repr(answers) and "Formula is NOT satisfied" in str(answers)


def test_queries_are_chosen_by_number(faulty):
    assert [answer.number for answer in faulty.check(select=[2, 4])] == [2, 4]
    with pytest.raises(guidepost.ModelError):
        faulty.check(select=[77])


def test_queries_from_texts_and_files(switch, tmp_path):
    assert [answer.satisfied for answer in switch.check(["E<> P.C", "A[] P.A"])] == [True, False]
    file = tmp_path / "own.q"
    file.write_text("E<> P.C\n\nE[] P.A\n")
    assert [answer.satisfied for answer in switch.check(file=file)] == [True, True]
    with pytest.raises(TypeError):
        switch.check("E<> P.C", file=file)


def test_a_wrong_query_does_not_stop_the_others(switch):
    answers = switch.check(["E<> P.Nowhere", "E<> P.C"])
    assert [answer.verdict for answer in answers] == ["undecided", "satisfied"]
    assert answers[0].satisfied is None and "Nowhere" in answers[0].reason
    assert answers.diagnostics[0].code == "E024"


def test_a_wrong_question_alone_is_an_exception(switch):
    with pytest.raises(guidepost.ModelError) as caught:
        switch.ask("E<> P.Nowhere")
    assert caught.value.errors[0].code == "E024"


def test_nothing_to_ask_is_an_exception(switch):
    with pytest.raises(guidepost.ModelError, match="stores no queries"):
        switch.check()


def test_a_shortest_run_is_exact(faulty):
    run = faulty.ask("E<> P(1).Critical and P(2).Critical", trace="shortest").run
    assert (run.length, len(run), run.duration, run.optimal, run.ending) == (6, 6, Fraction(4), True, "goal")
    assert run.initial.locations["P(1)"] == "Idle" and run.last.locations["P(2)"] == "Critical"
    assert run[3].delay == Fraction(2) and run[3].time == Fraction(2)
    assert str(run[0].transition) == "P(1): Idle -> Trying"
    assert run.last.clocks["P(2).x"] == Fraction(2)
    assert "Idle -> Trying" in str(run)
    assert [step.time for step in run] == sorted(step.time for step in run)


def test_strict_bounds_give_fractions():
    model = guidepost.parse(
        "clock x; process P() { state A { x < 1 }, B; init A; trans A -> B { guard x > 0; }; } system P;"
    )
    run = model.ask("E<> P.B", trace="some").run
    assert 0 < run[0].delay < 1 and isinstance(run[0].delay, Fraction)


def test_runs_and_answers_as_plain_values(faulty):
    answers = faulty.check(select=[2], trace="some")
    told = json.loads(json.dumps(answers.to_dict()))
    assert told["tool"] == "guidepost" and told["results"][0]["number"] == 2
    assert answers[0].to_dict()["verdict"] == "satisfied"
    assert answers[0].run.to_dict()["length"] == answers[0].run.length
    state = answers[0].run.last.to_dict()
    assert set(state) == {"locations", "variables", "clocks"}


def test_tables_of_answers_and_runs(faulty):
    pandas = pytest.importorskip("pandas")
    answers = faulty.check(trace="some")
    table = answers.to_pandas()
    assert list(table.index) == [1, 2, 3, 4, 5] and table.loc[2, "verdict"] == "satisfied"
    run = answers[1].run
    rows = run.to_pandas()
    assert isinstance(rows, pandas.DataFrame) and len(rows) == len(run) + 1
    assert rows["time"].iloc[-1] == float(run.duration) and rows["P(1)"].iloc[0] == "Idle"


def test_a_notebook_shows_the_report_in_a_frame(faulty, tmp_path):
    answers = faulty.check(select=[2], trace="some")
    frame = answers._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts" srcdoc="')
    # Whatever is in the page stays inside the attribute.
    assert frame.count('"') == 6 and "<script" not in frame
    answers.save_report(tmp_path / "out.html")
    page = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert page == answers.to_html() and page.lstrip().lower().startswith("<!doctype html>")


def test_bounds_have_values(switch):
    assert switch.ask("sup: n").values[0]["sup"] == {"value": 1, "strict": False}


def test_the_fastest_run(switch):
    answer = switch.ask("E<> P.C", trace="fastest")
    assert answer.cost["measure"] == "time" and answer.cost["value"] == "3"


def test_searches_heuristics_and_engines(faulty):
    query = "E<> P(1).Critical and P(2).Critical"
    for options in (
        {"search": "bfs"},
        {"search": "dfs"},
        {"search": "astar", "heuristic": "hl"},
        {"search": "greedy", "heuristic": "hu", "ties": "fifo"},
        {"engine": "zones"},
        {"engine": "lazy"},
        {"extrapolation": "lu", "subsumption": "alu"},
        {"without": "all"},
        {"without": ["order", "merging"]},
        {"threads": 2, "search": "bfs"},
        {"seed": 3, "search": "rdfs"},
    ):
        answer = faulty.ask(query, **options)
        assert answer.satisfied is True, options
        if "search" in options:
            assert answer.search == options["search"], options


def test_limits_leave_questions_undecided():
    model = guidepost.generate("fischer", "a", 8).open()
    answer = model.ask("E<> Observer.Two", search="bfs", state_limit=1000)
    assert (answer.verdict, answer.satisfied) == ("undecided", None)
    assert "state limit" in answer.reason


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"search": "bsf"}, "there is no search `bsf`; there are auto, bfs"),
        ({"heuristic": "nonsense"}, "nonsense"),
        ({"engine": "nonsense"}, "nonsense"),
        ({"search": "bfs", "heuristic": "hl"}, "takes no heuristic"),
        ({"weight": 2.0}, "`--weight` needs `--search wastar`"),
        ({"search": "dfs", "trace": "shortest"}, "depth-first search does not find shortest runs"),
        ({"time_limit": -1}, "makes no sense"),
        ({"memory_limit": 0}, "`--memory-limit` must be at least 1"),
        ({"threads": 0}, "`--threads` must be at least 1"),
        ({"trace": "best"}, "there is no trace `best`"),
    ],
)
def test_options_that_make_no_sense_are_refused(switch, options, message):
    with pytest.raises(guidepost.OptionError, match=None) as caught:
        switch.ask("E<> P.C", **options)
    assert message in str(caught.value)


def test_options_that_do_not_exist_are_type_errors(switch):
    with pytest.raises(TypeError, match="there is no option `serach`"):
        switch.ask("E<> P.C", serach="bfs")
    with pytest.raises((TypeError, OverflowError)):
        switch.ask("E<> P.C", seed=-1)


def test_the_state_space(switch):
    told = switch.states()
    assert told["complete"] is True and told["statistics"]["explored"] >= 3
    with pytest.raises(guidepost.OptionError, match="no goal to go for"):
        switch.states(search="astar")


def test_an_error_of_the_model_is_told(tmp_path):
    model = guidepost.parse(
        "int[0,1] n; process P() { state A; init A; trans A -> A { assign n = n + 1; }; } system P;"
    )
    answer = model.ask("A[] n < 5", trace="some")
    assert answer.verdict == "undecided" and "error" in answer.reason
    assert "message" in answer.to_dict()["model_error"]


def test_the_answers_are_those_of_the_command(root, faulty):
    """Where the command is built, both say the same."""
    command = root / "target" / "debug" / "guidepost"
    if not command.exists():
        pytest.skip("the command is not built")
    ran = subprocess.run(
        [command, "check", faulty.name, "--format", "json", "--trace", "some"], capture_output=True, text=True
    )
    told, own = json.loads(ran.stdout)["results"], faulty.check(trace="some").to_dict()["results"]
    for other, answer in zip(told, own):
        for key in ("number", "query", "verdict", "search", "heuristic", "trace"):
            assert other.get(key) == answer.get(key), key
