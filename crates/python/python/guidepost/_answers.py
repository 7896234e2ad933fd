"""Answers to queries."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from . import _native
from ._errors import Diagnostic, diagnostics
from ._runs import Run

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Answer:
    """The answer to one query."""

    number: int
    """The number of the query, from 1."""
    query: str
    """The query."""
    verdict: str
    """``satisfied``, ``not satisfied`` or ``undecided``."""
    reason: str | None
    """Why there is no verdict."""
    expected: bool | None
    """Whether the answer is the one that the author of the model expects; ``None`` when nothing is expected."""
    approximate: bool
    """The verdict rests on an over-approximation: read it as MAY."""
    engine: str | None
    """Who answered."""
    search: str | None
    """In which order states were searched."""
    heuristic: str | None
    """What guided the search."""
    statistics: dict[str, Any]
    """What the engine did: ``explored``, ``stored``, ``seconds``, and more; see ``docs/json.md``."""
    run: Run | None
    """A run that shows the verdict, where there is one and it was asked for."""
    values: list[dict[str, Any]]
    """What ``sup``, ``inf`` and ``bounds`` measured."""
    cost: dict[str, Any] | None
    """What the cheapest or fastest run costs."""
    _told: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def satisfied(self) -> bool | None:
        """Whether the query holds; ``None`` when that is undecided, or known only approximately."""
        if self.approximate or self.verdict == "undecided":
            return None
        return self.verdict == "satisfied"

    @classmethod
    def _of(cls, told: dict[str, Any], run_text: str | None) -> Answer:
        trace = told.get("trace")
        return cls(
            number=told["number"],
            query=told["query"],
            verdict=told["verdict"],
            reason=told.get("reason"),
            expected=told.get("expected"),
            approximate=told.get("approximate", False),
            engine=told.get("engine"),
            search=told.get("search"),
            heuristic=told.get("heuristic"),
            statistics=told.get("statistics", {}),
            run=None if trace is None else Run._of(trace, run_text or ""),
            values=told.get("values", []),
            cost=told.get("cost"),
            _told=told,
        )

    def to_dict(self) -> dict[str, Any]:
        """The answer as ``docs/json.md`` describes it."""
        return self._told


class Answers(Sequence[Answer]):
    """The answers of a check, in the order of the queries. In a notebook they are shown as the report."""

    def __init__(self, checked: _native.Checked) -> None:
        self._checked = checked
        self._told: dict[str, Any] = json.loads(checked.json())
        results = self._told["results"]
        self._answers = [Answer._of(told, checked.run_text(index)) for index, told in enumerate(results)]

    @overload
    def __getitem__(self, index: int) -> Answer: ...
    @overload
    def __getitem__(self, index: slice) -> list[Answer]: ...
    def __getitem__(self, index: int | slice) -> Answer | list[Answer]:
        return self._answers[index]

    def __len__(self) -> int:
        return len(self._answers)

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)

    def __str__(self) -> str:
        return self._checked.text()

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{answer.number}: {answer.verdict}" for answer in self)
        return f"<Answers {verdicts}>"

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is to be said about the queries. One with a mistake is not answered, and does not stop the others."""
        return diagnostics(self._checked.messages)

    def to_dict(self) -> dict[str, Any]:
        """All answers as ``guidepost check --format json`` writes them."""
        return self._told

    def to_pandas(self) -> pandas.DataFrame:
        """One row for each query, with its verdict and the numbers of its search."""
        import pandas

        def row(answer: Answer) -> dict[str, Any]:
            head = {
                "query": answer.query,
                "verdict": answer.verdict,
                "expected": answer.expected,
                "search": answer.search,
                "heuristic": answer.heuristic,
            }
            return {**head, **answer.statistics}

        frame = pandas.DataFrame([row(answer) for answer in self])
        frame.index = pandas.Index([answer.number for answer in self], name="number")
        return frame

    def to_html(self) -> str:
        """The report: one HTML page that needs nothing else."""
        return self._checked.html()

    def save_report(self, path: str | PathLike[str]) -> None:
        """Writes the report to a file."""
        Path(path).write_text(self.to_html(), encoding="utf-8")

    def _repr_html_(self) -> str:
        # The page brings its own style and script: a frame keeps them to themselves, and what is in it away from the notebook.
        page = html.escape(self.to_html(), quote=True)
        style = "width: 100%; height: 700px; border: 1px solid #8888"
        return f'<iframe sandbox="allow-scripts" srcdoc="{page}" style="{style}"></iframe>'
