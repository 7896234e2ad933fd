"""Models, and what can be asked about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any

from . import _native
from ._answers import Answer, Answers
from ._errors import Diagnostic, ModelError, diagnostics
from ._runs import Run
from ._simulation import Simulation


@dataclass(frozen=True)
class Progress:
    """How a search is getting on."""

    query: int
    """Which of the queries that can be answered, from 0."""
    seconds: float
    """How long it has taken."""
    explored: int
    """States whose successors were computed."""
    stored: int
    """States in the store."""
    waiting: int
    """States that wait."""
    depth: int
    """How many transitions lead to the state that was explored last."""
    estimate: int | None
    """The best estimate of the distance to a goal."""
    memory_bytes: int
    """What the states take."""


class Model:
    """A model without errors: what it consists of, and everything that can be asked about it.

    Options are those of the command ``guidepost check``, with underscores: ``search``, ``heuristic``, ``engine``, ``trace``, ``time_limit``
    (seconds), ``memory_limit`` (MiB), ``state_limit``, ``seed``, ``threads``, and more; ``docs/cli.md`` explains them.
    """

    def __init__(self, native: _native.Model) -> None:
        self._native = native

    @property
    def name(self) -> str:
        """The file, or the name that was given."""
        return self._native.name

    def __repr__(self) -> str:
        return f"<Model {self.name}>"

    @property
    def info(self) -> dict[str, Any]:
        """What the model consists of and uses, as ``guidepost info --format json`` tells it."""
        told: dict[str, Any] = json.loads(self._native.info())
        return told

    @property
    def queries(self) -> list[str]:
        """The queries that came with the model."""
        return [query["text"] for query in self.info["queries"]]

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """What looks wrong with the model, though it can be used."""
        return diagnostics(self._native.warnings())

    def check(
        self,
        queries: str | Iterable[str] | None = None,
        *,
        file: str | PathLike[str] | None = None,
        select: Iterable[int | str] = (),
        progress: Callable[[Progress], object] | None = None,
        **options: Any,
    ) -> Answers:
        """Answers queries: one or several texts, those of a file, or those that came with the model.

        ``select`` chooses some of them, by number or name. ``progress`` is called about ten times a second; what it raises ends the
        check, and so does Ctrl-C.
        """
        texts = [queries] if isinstance(queries, str) else None if queries is None else list(queries)
        if texts is not None and file is not None:
            raise TypeError("queries are given as texts or as a file, not both")
        hear = None if progress is None else lambda told: progress(Progress(**told))
        return Answers(self._native.check(texts, file, [str(one) for one in select], hear, options))

    def ask(self, query: str, **options: Any) -> Answer:
        """Answers one query. A mistake in it is a :class:`ModelError`."""
        answers = self.check(query, **options)
        wrong = [message.rendered for message in answers.diagnostics if message.severity == "error"]
        if wrong:
            raise ModelError("\n".join(wrong), answers._checked.messages)
        return answers[0]

    def states(
        self, *, progress: Callable[[Progress], object] | None = None, **options: Any
    ) -> dict[str, Any]:
        """Explores the whole state space: counts, deadlocks, dead code, as ``guidepost states --format json`` tells them."""
        hear = None if progress is None else lambda told: progress(Progress(**told))
        told: dict[str, Any] = json.loads(self._native.states(hear, options))
        return told

    def simulate(self, steps: int = 20, seed: int = 0) -> Run:
        """A random timed run. Equal seeds give equal runs."""
        _, told, text = self._native.simulate(steps, seed)
        return Run._of(json.loads(told), text)

    def explore(self) -> Simulation:
        """Begins to go through the model step by step."""
        return Simulation(self._native.simulator())


@dataclass(frozen=True)
class Generated:
    """A model of a well-known family."""

    model: str
    """The model, as ``.xta`` text."""
    queries: str
    """Its queries, as the text of a ``.q`` file."""

    def open(self) -> Model:
        """Reads the model. The queries are not stored in it."""
        return Model(_native.Model.parse(self.model, "generated.xta"))


def generate(family: str, *arguments: int | str, faulty: bool = False) -> Generated:
    """A model of a family that ``guidepost generate --help`` lists, such as ``generate("fischer", 5)``."""
    words = [family, *(str(argument) for argument in arguments), *(["--faulty"] if faulty else [])]
    model, queries = _native.generate(words)
    return Generated(model, queries)
