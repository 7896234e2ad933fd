"""Exceptions, and the messages that they carry."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Diagnostic:
    """A message about a model or a query, with its place."""

    code: str
    """The stable code, such as ``E020``; ``docs/diagnostics.md`` lists them all."""
    severity: str
    """``error`` or ``warning``."""
    message: str
    """What is wrong, in one sentence."""
    file: str
    """The file, or the name that was given to a text."""
    line: int
    """The line, from 1."""
    column: int
    """The column in characters, from 1."""
    end_line: int
    """The line in which the marked text ends."""
    end_column: int
    """The column behind its end."""
    place: str | None
    """The place in the model: template, edge, which label."""
    hints: tuple[str, ...]
    """How to fix it."""
    rendered: str
    """The message as the command prints it, with the text underlined."""

    def __str__(self) -> str:
        return self.rendered

    @classmethod
    def _of(cls, told: dict[str, Any]) -> Diagnostic:
        return cls(
            code=told["code"],
            severity=told["severity"],
            message=told["message"],
            file=told["file"],
            line=told["line"],
            column=told["column"],
            end_line=told["end_line"],
            end_column=told["end_column"],
            place=told["place"],
            hints=tuple(told["hints"]),
            rendered=told["rendered"],
        )


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    """Messages from their JSON."""
    return tuple(Diagnostic._of(told) for told in json.loads(text))


class GuidepostError(Exception):
    """Whatever guidepost refuses."""


class ModelError(GuidepostError):
    """A model or a query with mistakes. Shown, it is what the command prints."""

    diagnostics: tuple[Diagnostic, ...]
    """All messages, warnings included."""

    def __init__(self, text: str, messages: str = "[]") -> None:
        super().__init__(text)
        self.diagnostics = diagnostics(messages)

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The messages that are errors."""
        return tuple(message for message in self.diagnostics if message.severity == "error")


class OptionError(GuidepostError, ValueError):
    """Options that contradict each other, have no effect, or are not known. They are named as at the command line."""


class StepError(GuidepostError):
    """A step of a simulation that is not possible, or a goal for which no way was found in time."""


class InternalError(GuidepostError):
    """A bug of guidepost's. Please report it with the model."""
