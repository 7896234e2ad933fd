"""Models for the tests."""

import pathlib

import guidepost
import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent

SWITCH = """
clock x;
int[0,3] n;
process P()
{
    state A, B { x <= 5 }, C;
    init A;
    trans A -> B { guard x >= 2; assign x = 0, n = n + 1; },
          B -> C { guard x > 1 && n == 1; };
}
system P;
"""


@pytest.fixture
def root():
    return ROOT


@pytest.fixture
def switch():
    return guidepost.parse(SWITCH)


@pytest.fixture
def faulty():
    return guidepost.open(ROOT / "models" / "fischer-faulty.xml")
