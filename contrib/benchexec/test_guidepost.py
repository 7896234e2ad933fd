#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tests of the tool-info module: python3 contrib/benchexec/test_guidepost.py

Needs BenchExec (pip install benchexec) and skips without it. Runs the command as well when GUIDEPOST names it.
"""

import collections
import os
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import benchexec.result as result
    import guidepost
except ImportError as error:
    print(f"skipped: {error}; pip install benchexec")
    sys.exit(0)

MODELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "models")
Run = collections.namedtuple("Run", "output exit_code")
ExitCode = collections.namedtuple("ExitCode", "value")
Task = collections.namedtuple("Task", "single_input_file property_file")
Limits = collections.namedtuple("Limits", "cputime memory")


def answer(verdict, **more):
    import json

    text = json.dumps({"tool": "guidepost", "results": [{"verdict": verdict, "statistics": {"explored": 7}, **more}]}, indent=2)
    return [line + "\n" for line in text.splitlines()]


class GuidepostTest(unittest.TestCase):
    def setUp(self):
        self.tool = guidepost.Tool()

    def verdict(self, output, code=0):
        return self.tool.determine_result(Run(output, ExitCode(code)))

    def test_verdicts(self):
        self.assertEqual(self.verdict(answer("satisfied")), result.RESULT_TRUE_PROP)
        self.assertEqual(self.verdict(answer("not satisfied"), 1), result.RESULT_FALSE_PROP)
        self.assertEqual(self.verdict(answer("undecided", reason="time limit"), 3), "TIMEOUT")
        self.assertEqual(self.verdict(answer("undecided", reason="memory limit"), 3), "OUT OF MEMORY")
        self.assertEqual(self.verdict(answer("undecided", reason="interrupted"), 3), result.RESULT_UNKNOWN)
        self.assertEqual(self.verdict(answer("satisfied", approximate=True), 3), result.RESULT_UNKNOWN)
        self.assertTrue(self.verdict(answer("undecided", model_error={}), 2).startswith(result.RESULT_ERROR))

    def test_no_answer_is_an_error(self):
        for output in ([], ["error: nothing\n"], ["{\n", "cut off"]):
            self.assertTrue(self.verdict(output, 2).startswith(result.RESULT_ERROR))

    def test_lines_in_front_do_not_matter(self):
        self.assertEqual(self.verdict(["guidepost check m.xml\n", "\n", "\n", *answer("satisfied")]), result.RESULT_TRUE_PROP)

    def test_values(self):
        self.assertEqual(self.tool.get_value_from_output(answer("satisfied"), "statistics.explored"), "7")
        self.assertIsNone(self.tool.get_value_from_output(answer("satisfied"), "trace.length"))

    def test_command_line(self):
        line = self.tool.cmdline("guidepost", ["--search", "dfs"], Task("m.xml", "q.q"), Limits(60, 1 << 30))
        self.assertEqual(line[:3], ["guidepost", "check", "m.xml"])
        self.assertEqual(line[line.index("--queries") + 1], "q.q")
        self.assertEqual(line[line.index("--time-limit") + 1], "58")
        self.assertEqual(line[line.index("--memory-limit") + 1], str(int((1 << 30) * 0.9) >> 20))
        self.assertEqual(line[-2:], ["--search", "dfs"])

    @unittest.skipUnless("GUIDEPOST" in os.environ, "GUIDEPOST does not name a command")
    def test_with_the_command(self):
        executable = os.environ["GUIDEPOST"]
        model = os.path.join(MODELS, "fischer.xml")
        for query, wanted in (("E<> P(1).Critical", result.RESULT_TRUE_PROP), ("E<> P(1).Critical and P(2).Critical", result.RESULT_FALSE_PROP)):
            line = self.tool.cmdline(executable, ["--query", query], Task(model, None), Limits(60, None))
            ran = subprocess.run(line, capture_output=True, text=True)
            output = ran.stdout.splitlines(keepends=True)
            self.assertEqual(self.verdict(output, ran.returncode), wanted, ran.stderr)
            self.assertGreater(int(self.tool.get_value_from_output(output, "statistics.explored")), 0)


if __name__ == "__main__":
    unittest.main()
