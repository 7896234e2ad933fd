"""guidepost: a directed model checker for real-time systems.

>>> import guidepost
>>> lamp = guidepost.parse('''
...     clock y; chan press;
...     process Lamp() { state off, on { y <= 10 }; init off;
...         trans off -> on { sync press?; assign y = 0; }, on -> off { guard y == 10; }; }
...     process User() { state idle; init idle; trans idle -> idle { sync press!; }; }
...     system Lamp, User;
... ''')
>>> lamp.ask("E<> Lamp.on").verdict
'satisfied'

``docs/python.md`` in the repository is the tutorial.
"""

from __future__ import annotations

from os import PathLike

from . import _native
from ._answers import Answer, Answers
from ._errors import Diagnostic, GuidepostError, InternalError, ModelError, OptionError, StepError
from ._model import Generated, Model, Progress, generate
from ._runs import Edge, Run, State, Step, Transition
from ._simulation import Choice, Position, Simulation

__version__: str = _native.__version__

__all__ = [
    "Answer",
    "Answers",
    "Choice",
    "Diagnostic",
    "Edge",
    "Generated",
    "GuidepostError",
    "InternalError",
    "Model",
    "ModelError",
    "OptionError",
    "Position",
    "Progress",
    "Run",
    "Simulation",
    "State",
    "Step",
    "StepError",
    "Transition",
    "generate",
    "open",
    "parse",
]

# Where users find them, and what messages call them.
for _name in __all__:
    if _name not in ("open", "parse"):
        globals()[_name].__module__ = __name__


def open(path: str | PathLike[str]) -> Model:
    """Reads a model file, and the ``.q`` file beside it when the model itself stores no queries.

    ``FILE.plc:VARIANT`` is a variant of a system of controllers. Mistakes are a :class:`ModelError`.
    """
    return Model(_native.Model.open(path))


def parse(text: str, name: str = "model.xta") -> Model:
    """Reads a model from a text; the ending of the name says how: ``.xml``, ``.xta``, ``.ta`` or ``.tck``."""
    return Model(_native.Model.parse(text, name))
