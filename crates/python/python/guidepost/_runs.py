"""Runs: states, delays and transitions, with exact times."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class State:
    """A concrete state."""

    locations: dict[str, str]
    """Where each process is."""
    variables: dict[str, int | bool]
    """The values of the variables."""
    clocks: dict[str, Fraction]
    """The values of the clocks, exactly."""

    @classmethod
    def _of(cls, told: dict[str, Any]) -> State:
        clocks = {name: Fraction(value) for name, value in told["clocks"].items()}
        return cls(dict(told["locations"]), dict(told["variables"]), clocks)

    def to_dict(self) -> dict[str, Any]:
        """The state in plain values; clocks are strings such as ``5/2``."""
        clocks = {name: str(value) for name, value in self.clocks.items()}
        return {"locations": dict(self.locations), "variables": dict(self.variables), "clocks": clocks}


@dataclass(frozen=True)
class Edge:
    """One process that moves."""

    process: str
    """Who moves."""
    source: str
    """The location that it leaves."""
    target: str
    """The location that it enters."""
    role: str | None
    """``sends``, ``receives``, ``joins``, or ``None`` when it moves alone."""
    select: dict[str, int]
    """The values that ``select`` chose."""
    number: int
    """The number of the edge in the network."""

    @classmethod
    def _of(cls, told: dict[str, Any]) -> Edge:
        return cls(told["process"], told["from"], told["to"], told["role"], dict(told["select"]), told["edge"])

    def __str__(self) -> str:
        return f"{self.process}: {self.source} -> {self.target}"


@dataclass(frozen=True)
class Transition:
    """Processes that move together."""

    kind: str
    """``internal``, ``binary``, ``broadcast`` or ``vector``."""
    channel: str | None
    """The channel, or the name of the vector."""
    edges: tuple[Edge, ...]
    """Who moves, the sender first."""

    @classmethod
    def _of(cls, told: dict[str, Any]) -> Transition:
        return cls(told["kind"], told["channel"], tuple(Edge._of(edge) for edge in told["edges"]))

    def __str__(self) -> str:
        moves = ", ".join(str(edge) for edge in self.edges)
        return moves if self.channel is None else f"{self.channel} ({moves})"


@dataclass(frozen=True)
class Step:
    """A delay, then a transition."""

    delay: Fraction
    """How long is waited."""
    time: Fraction
    """When the transition happens, counted from the start."""
    transition: Transition | None
    """Who moves; ``None`` when the step only waits."""
    state: State
    """The state that it leads to."""


@dataclass(frozen=True)
class Run:
    """A concrete timed run. It is a sequence of steps; ``print`` shows it as the command does."""

    initial: State
    """Where it begins."""
    steps: tuple[Step, ...]
    """What happens."""
    duration: Fraction
    """How long it takes."""
    optimal: bool | None = None
    """Whether it is proved to be a shortest one; ``None`` for simulations."""
    ending: str | dict[str, Any] | None = None
    """How it goes on behind its last step: ``goal``, ``waits``, ``stuck``, or a loop; ``None`` for simulations."""
    _told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _text: str = field(default="", repr=False, compare=False)

    @classmethod
    def _of(cls, told: dict[str, Any], text: str) -> Run:
        time = Fraction(0)
        steps = []
        for step in told["steps"]:
            delay = Fraction(step["delay"])
            time += delay
            transition = None if step["transition"] is None else Transition._of(step["transition"])
            steps.append(Step(delay, time, transition, State._of(step["state"])))
        return cls(
            State._of(told["initial"]), tuple(steps), time, told.get("optimal"), told.get("ending"), told, text
        )

    @property
    def length(self) -> int:
        """How many transitions are taken; steps that only wait do not count."""
        return sum(step.transition is not None for step in self.steps)

    @property
    def last(self) -> State:
        """The state at its end."""
        return self.steps[-1].state if self.steps else self.initial

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[Step]:
        return iter(self.steps)

    def __getitem__(self, index: int) -> Step:
        return self.steps[index]

    def __str__(self) -> str:
        return self._text

    def to_dict(self) -> dict[str, Any]:
        """The run as ``docs/json.md`` describes it."""
        return self._told

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each state: its time, the transition that led there, and one column for each process, variable and clock."""
        import pandas

        def row(time: Fraction, transition: Transition | None, state: State) -> dict[str, Any]:
            clocks = {name: float(value) for name, value in state.clocks.items()}
            head = {"time": float(time), "transition": None if transition is None else str(transition)}
            return {**head, **state.locations, **state.variables, **clocks}

        rows = [row(Fraction(0), None, self.initial)]
        rows.extend(row(step.time, step.transition, step.state) for step in self.steps)
        return pandas.DataFrame(rows)
