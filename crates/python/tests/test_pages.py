"""The examples of the documents are run, and say what they say there."""

import doctest
import pathlib
import re

import guidepost
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@pytest.mark.parametrize("page", ["docs/python.md"])
def test_the_page_says_what_happens(page, monkeypatch, tmp_path):
    # Files that the page writes go elsewhere; those that it reads are beside it.
    monkeypatch.chdir(tmp_path)
    (tmp_path / "models").symlink_to(ROOT / "models")
    failed, tried = doctest.testfile(str(ROOT / page), module_relative=False, optionflags=OPTIONS)
    assert tried > 20 and failed == 0


def test_docstrings_say_what_happens():
    failed, tried = doctest.testmod(guidepost, optionflags=OPTIONS)
    assert tried >= 3 and failed == 0


@pytest.mark.parametrize("page", ["README.md", "crates/python/README.md"])
def test_the_example_of_the_readme_runs(page, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    (example,) = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL)
    exec(example, {})
    assert capsys.readouterr().out.startswith("satisfied 6")


def test_everything_public_is_documented():
    for name in guidepost.__all__:
        thing = getattr(guidepost, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for key, value in vars(thing).items():
                if not key.startswith("_") and callable(value):
                    assert value.__doc__, f"{name}.{key}"
