"""Progress, Ctrl-C, and several threads."""

import _thread
import signal
import threading
import time

import guidepost
import pytest


@pytest.fixture(scope="module")
def large():
    """A model that takes much longer than any test."""
    return guidepost.generate("fischer", "a", 12).open()


@pytest.fixture
def interruptible():
    """Ctrl-C counts, even where whoever started the tests in the background has told them to ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_progress_is_told(large):
    told = []
    answer = large.ask("E<> Observer.Two", search="bfs", without=["symmetry"], time_limit=1.5, progress=told.append)
    assert answer.verdict == "undecided" and len(told) >= 3
    explored = [progress.explored for progress in told]
    assert explored == sorted(explored) and told[-1].stored > 0 and told[-1].memory_bytes > 0


def test_ctrl_c_ends_a_check_soon(large, interruptible):
    timer = threading.Timer(0.5, _thread.interrupt_main)
    timer.start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        large.ask("E<> Observer.Two", search="bfs", without=["symmetry"], time_limit=60)
    assert time.monotonic() - begin < 10
    timer.join()


def test_what_the_callback_raises_ends_the_check(large):
    class Enough(Exception):
        pass

    def callback(progress):
        raise Enough

    begin = time.monotonic()
    with pytest.raises(Enough):
        large.ask("E<> Observer.Two", search="bfs", without=["symmetry"], time_limit=60, progress=callback)
    assert time.monotonic() - begin < 10


def test_other_threads_go_on_meanwhile(large):
    counted = []

    def count():
        for number in range(20):
            counted.append(number)
            time.sleep(0.01)

    counting = threading.Thread(target=count)
    counting.start()
    large.ask("E<> Observer.Two", search="bfs", without=["symmetry"], time_limit=1)
    assert len(counted) == 20
    counting.join()


def test_several_checks_at_once(faulty):
    found = [None] * 4

    def check(index):
        found[index] = [answer.verdict for answer in faulty.check()]

    threads = [threading.Thread(target=check, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [found[0]] * 4 and found[0] is not None


def test_a_simulation_that_is_shared_while_a_way_is_looked_for():
    simulation = guidepost.generate("fischer", "a", 5).open().explore()
    start = simulation.root
    depths = []
    looking = threading.Thread(target=lambda: start.go("Observer.Two", time_limit=3))
    looking.start()
    while looking.is_alive():
        depths.append(start.wander(2, seed=len(depths)).depth)
    looking.join()
    assert depths and set(depths) == {2}
