"""PyUPPAAL calls `guidepost verifyta` as if it were verifyta, and gets the verdicts of `guidepost check`."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile

import pyuppaal
import pyuppaal.utap

GUIDEPOST = os.environ["GUIDEPOST"]
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MOST = int(os.environ.get("GUIDEPOST_WRAPPER_MODELS", "40"))


def of_check(model):
    """The verdicts of `check` in verifyta's words; nothing for what is wrong or takes long."""
    command = [GUIDEPOST, "check", str(model), "--format", "json", "--approximate", "--time-limit", "2", "--quiet"]
    ran = subprocess.run(command, capture_output=True, text=True)
    try:
        results = json.loads(ran.stdout)["results"]
    except ValueError:
        return None
    words = {
        ("satisfied", False): "Formula is satisfied.",
        ("not satisfied", False): "Formula is NOT satisfied.",
        ("satisfied", True): "Formula MAY be satisfied.",
        ("not satisfied", True): "Formula MAY NOT be satisfied.",
    }
    verdicts = [words.get((result["verdict"], result.get("approximate", False))) for result in results]
    return None if None in verdicts else verdicts


def of_wrapper(model):
    """The verdicts that PyUPPAAL hands on."""
    output = pyuppaal.Verifyta().verify(str(model), verify_options="-t 0")
    return [line.strip().removeprefix("-- ") for line in output.splitlines() if line.startswith(" -- Formula")]


def load_trace(model):
    """The trace of the first query, through PyUPPAAL's own reader, when there is one and the reader runs here."""
    trace = model.with_name(model.stem + "-1.xtr")
    if not trace.exists():
        return None
    reader = pathlib.Path(pyuppaal.utap.TRACEER_FILE)
    # The package comes without the permission to run its reader.
    reader.chmod(reader.stat().st_mode | stat.S_IXUSR)
    try:
        opened = pyuppaal.UModel(str(model))
    except TypeError:
        # Some models lack coordinates that its own reader of models wants.
        return None
    return opened.load_xtr_trace(str(trace))


def models():
    yield from sorted((ROOT / "models").glob("*.xml"))
    for folder in sys.argv[1:]:
        yield from sorted(path for path in pathlib.Path(folder).rglob("*.xml") if path.stat().st_size < 30_000)


def main():
    pyuppaal.set_verifyta_path(f"{GUIDEPOST} verifyta")
    compared = verdicts = traces = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, source in enumerate(models()):
            if compared >= MOST:
                break
            # The wrapper's names must not have blanks, and it writes beside the model.
            model = pathlib.Path(folder) / f"model{number}.xml"
            shutil.copy(source, model)
            expected = of_check(model)
            if not expected:
                continue
            found = of_wrapper(model)
            assert found == expected, f"{source}: {found} instead of {expected}"
            trace = load_trace(model)
            if trace is not None:
                assert trace.states, source
                traces += 1
            compared += 1
            verdicts += len(expected)
    print(f"{verdicts} verdicts of {compared} models through PyUPPAAL, {traces} traces loaded")
    assert compared >= 10 and traces >= 3


main()
