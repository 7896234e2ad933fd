# This file is part of guidepost, a directed model checker for real-time systems.
#
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Tool-info module for BenchExec. See README.md beside it."""

import json

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """guidepost answers one query per run; its verdict is in the exit code, the numbers are in its JSON."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("guidepost", subdir="target/release")

    def name(self):
        return "guidepost"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="guidepost")

    def cmdline(self, executable, options, task, rlimits):
        arguments = [executable, "check", task.single_input_file, "--format", "json", "--quiet"]
        if task.property_file:
            arguments += ["--queries", task.property_file]
        if rlimits.cputime and "--time-limit" not in options:
            # A little earlier than the hard limit, so that there is an answer with statistics.
            arguments += ["--time-limit", str(max(1, rlimits.cputime - 2))]
        if rlimits.memory and "--memory-limit" not in options:
            arguments += ["--memory-limit", str(max(1, int(rlimits.memory * 0.9) >> 20))]
        return arguments + list(options)

    def determine_result(self, run):
        answers = self._answers(run)
        if answers is None:
            if run.exit_code.value == 2:
                return result.RESULT_ERROR + "(input)"
            return result.RESULT_ERROR
        verdicts = [answer.get("verdict") for answer in answers]
        if any("internal_error" in answer for answer in answers):
            return result.RESULT_ERROR + "(internal)"
        if any("model_error" in answer for answer in answers):
            return result.RESULT_ERROR + "(model)"
        for answer in answers:
            if answer.get("verdict") == "undecided":
                reason = answer.get("reason", "")
                return {"time limit": "TIMEOUT", "memory limit": "OUT OF MEMORY"}.get(reason, result.RESULT_UNKNOWN)
        if any(answer.get("approximate") for answer in answers):
            return result.RESULT_UNKNOWN
        if verdicts and all(verdict == "satisfied" for verdict in verdicts):
            return result.RESULT_TRUE_PROP
        return result.RESULT_FALSE_PROP if verdicts else result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        """`statistics.explored`, `trace.length`, `search`: a path in the first answer."""
        answers = _parse(output)
        value = answers[0] if answers else None
        for key in identifier.split("."):
            value = value.get(key) if isinstance(value, dict) else None
        return None if value is None else str(value)

    def _answers(self, run):
        return _parse(run.output)


def _parse(output):
    """The answers on standard output; BenchExec puts its own lines in front."""
    text = "".join(line if line.endswith("\n") else line + "\n" for line in output)
    start = text.find("{\n")
    if start < 0:
        return None
    try:
        return json.JSONDecoder().raw_decode(text[start:])[0]["results"]
    except (ValueError, KeyError, TypeError):
        return None
