"""A model, step by step."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Union

from . import _native
from ._errors import StepError
from ._runs import Run, State, Transition

Delay = Union[int, str, Fraction]
"""A delay: a whole number, a fraction, or a text such as ``5/2`` or ``2.5``."""


def exact(delay: Delay) -> str:
    """A delay as the native half reads it. Floating point numbers are refused: 0.1 is none of them."""
    if isinstance(delay, float):
        raise TypeError("a delay is exact: give an int, a fractions.Fraction, or a text such as '5/2' or '2.5'")
    return str(Fraction(delay))


@dataclass(frozen=True)
class Choice:
    """A transition that can be taken now or later."""

    transition: Transition
    """Who moves."""
    when: str
    """The delays after which it is possible, in words."""
    delay: Fraction | None
    """The earliest delay, or one soon after it where the earliest itself is excluded."""
    failure: str | None
    """The error of the model that taking it leads to."""


@dataclass(frozen=True)
class Position:
    """A state that was visited. Going back is going on from an earlier one."""

    number: int
    """Its number in the simulation."""
    state: State
    """The state."""
    time: Fraction | None
    """The time that has passed; ``None`` when it is too fine to be represented."""
    depth: int
    """How many steps lead to it."""
    _simulation: Simulation = field(repr=False, compare=False)

    @property
    def choices(self) -> list[Choice]:
        """What can happen here, now or later, soonest first."""
        return self._simulation.choices(self)

    def take(self, choice: Choice | Transition, delay: Delay | None = None) -> Position:
        """Waits, then takes a transition. Without a delay, a choice is taken as soon as it is possible."""
        return self._simulation.take(self, choice, delay)

    def wait(self, delay: Delay) -> Position:
        """Only waits."""
        return self._simulation.wait(self, delay)

    def wander(self, steps: int = 1, seed: int = 0) -> Position:
        """Goes on at random; less far where nothing is possible any more."""
        return self._simulation.wander(self, steps, seed)

    def go(self, goal: str, **options: Any) -> Position | None:
        """Searches for a way to a state that satisfies a condition, and takes it. ``None`` is a proof that there is none."""
        return self._simulation.go(self, goal, **options)

    @property
    def run(self) -> Run:
        """The run that leads here."""
        return self._simulation.run(self)


class Simulation:
    """A model, step by step: a tree of visited states, of which nothing is forgotten."""

    def __init__(self, simulator: _native.Simulator) -> None:
        self._simulator = simulator

    @property
    def root(self) -> Position:
        """The initial state."""
        return self._position(0)

    def _position(self, number: int) -> Position:
        state, time, depth, _ = self._simulator.state(number)
        when = None if time is None else Fraction(time)
        return Position(number, State._of(json.loads(state)), when, depth, self)

    def choices(self, at: Position) -> list[Choice]:
        """What can happen at a position."""
        told = json.loads(self._simulator.choices(at.number))

        def choice(entry: dict[str, Any]) -> Choice:
            delay = None if entry["delay"] is None else Fraction(entry["delay"])
            return Choice(Transition._of(entry["transition"]), entry["when"], delay, entry["failure"])

        return [choice(entry) for entry in told["choices"]]

    def take(self, at: Position, choice: Choice | Transition, delay: Delay | None = None) -> Position:
        """Waits, then takes a transition."""
        if isinstance(choice, Choice):
            transition, usual = choice.transition, choice.delay
        else:
            transition, usual = choice, Fraction(0)
        wait = usual if delay is None else delay
        if wait is None:
            raise StepError("the clock values are too fine to choose a delay; give one")
        edges = [edge.number for edge in transition.edges]
        return self._position(self._simulator.take(at.number, exact(wait), edges))

    def wait(self, at: Position, delay: Delay) -> Position:
        """Only waits."""
        return self._position(self._simulator.take(at.number, exact(delay), []))

    def wander(self, at: Position, steps: int = 1, seed: int = 0) -> Position:
        """Goes on at random."""
        number, _ = self._simulator.wander(at.number, steps, seed)
        return self._position(number)

    def go(self, at: Position, goal: str, **options: Any) -> Position | None:
        """Searches for a way from a position to a state that satisfies a condition."""
        number = self._simulator.go(at.number, goal, options)
        return None if number is None else self._position(number)

    def run(self, at: Position) -> Run:
        """The run that leads to a position."""
        told, text = self._simulator.run(at.number)
        return Run._of(json.loads(told), text)
