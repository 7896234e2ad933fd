"""Random runs, and models step by step."""

from fractions import Fraction

import guidepost
import pytest


def test_equal_seeds_give_equal_runs(faulty):
    assert faulty.simulate(10, seed=1) == faulty.simulate(10, seed=1)
    assert len(faulty.simulate(10, seed=1)) == 10
    assert faulty.simulate(0).steps == ()


def test_a_run_ends_where_nothing_is_possible(switch):
    assert len(switch.simulate(50)) == 2


def test_choices_say_when(switch):
    start = switch.explore().root
    assert (start.depth, start.time, start.state.locations) == (0, Fraction(0), {"P": "A"})
    (choice,) = start.choices
    assert choice.delay == 2 and choice.failure is None and "2" in choice.when
    assert str(choice.transition) == "P: A -> B"


def test_steps_and_ways_back(switch):
    start = switch.explore().root
    (choice,) = start.choices
    soon, late = start.take(choice), start.take(choice, "5/2")
    assert (soon.time, late.time) == (2, Fraction(5, 2))
    assert soon.state.variables == {"n": 1} and soon.state.clocks["x"] == 0
    assert start.take(choice, Fraction(5, 2)).number == late.number
    assert late.run.duration == Fraction(5, 2) and late.depth == 1
    waited = start.wait(1)
    assert waited.state.clocks["x"] == 1 and waited.run.length == 0 and len(waited.run) == 1


def test_what_is_not_possible_is_refused(switch):
    start = switch.explore().root
    (choice,) = start.choices
    with pytest.raises(guidepost.StepError):
        start.take(choice, 1)
    behind = start.take(choice)
    with pytest.raises(guidepost.StepError, match="5"):
        behind.wait(6)
    with pytest.raises(guidepost.OptionError):
        start.wait("99999999999999999999999999/7")


def test_delays_are_exact(switch):
    start = switch.explore().root
    with pytest.raises(TypeError, match="exact"):
        start.wait(0.1)
    assert start.wait("0.1").time == Fraction(1, 10)


def test_a_way_from_here(faulty):
    start = faulty.explore().root
    behind = start.take(start.choices[0])
    there = behind.go("P(1).Critical and P(2).Critical")
    assert there.state.locations["P(1)"] == "Critical" and there.depth > behind.depth
    assert there.run.last == there.state
    assert start.go("turn > 17") is None
    with pytest.raises(guidepost.ModelError):
        start.go("P(1).Nowhere")


def test_wandering(faulty):
    start = faulty.explore().root
    assert start.wander(10, seed=4).depth == 10
    assert start.wander(10, seed=4).state == start.wander(10, seed=4).state


def test_a_model_without_an_initial_state():
    model = guidepost.parse("clock x; process P() { state A { x >= 2 }; init A; } system P;")
    for refused in (model.explore, model.simulate, lambda: model.ask("A[] false")):
        with pytest.raises(guidepost.ModelError, match="initial state"):
            refused()
