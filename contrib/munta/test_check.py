#!/usr/bin/env python3
"""Certificates for Munta, read by the checker beside this file: GUIDEPOST=target/debug/guidepost python3 contrib/munta/test_check.py"""
import os, struct, subprocess, sys, tempfile, unittest

HERE = os.path.dirname(os.path.abspath(__file__))
GUIDEPOST = os.path.abspath(os.environ.get("GUIDEPOST", "target/release/guidepost"))

# A machine with a tray that can hold three cups, a customer who is in a hurry, and somebody who takes cups away.
MODEL = """
clock brewing, waiting; int[0,3] cups; int[-2,2] mood; chan coin, ready, clear;
process Machine() { state Idle, Busy { brewing <= 5 }, Full; init Idle;
    trans Idle -> Busy { guard cups < 3; sync coin?; assign brewing = 0; }, Busy -> Idle { guard brewing >= 3; sync ready!; assign cups = cups + 1; },
          Idle -> Full { guard cups == 3; }, Full -> Idle { sync clear?; assign cups = 0; }; }
process Customer() { state Thirsty, Waits { waiting <= 5 }, Drinks, Gone; init Thirsty;
    trans Thirsty -> Waits { sync coin!; assign waiting = 0, mood = -1; }, Waits -> Drinks { sync ready?; assign mood = 2; }, Drinks -> Thirsty { assign mood = 0; },
          Waits -> Gone { guard waiting > 5 && mood != 2; }; }
process Cleaner() { state There; init There; trans There -> There { sync clear!; }; }
system Machine, Customer, Cleaner;
"""


class Certificates(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.certificate = os.path.join(folder.name, "machine.cert")
        model = os.path.join(folder.name, "machine.xta")
        with open(model, "w") as file:
            file.write(MODEL)
        command = [GUIDEPOST, "check", model, "--query", "E<> Customer.Gone or cups == 3 and Machine.Busy", "--certificate", self.certificate, "--certificate-format", "munta"]
        self.assertEqual(subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 1)

    def check(self):
        done = subprocess.run([sys.executable, os.path.join(HERE, "check.py"), self.certificate], capture_output=True, text=True)
        return done.returncode, done.stdout

    def words(self):
        with open(self.certificate, "rb") as file:
            data = file.read()
        return list(struct.unpack(f">{len(data) // 8}q", data))

    def write(self, words):
        with open(self.certificate, "wb") as file:
            file.write(struct.pack(f">{len(words)}q", *words))

    def replace(self, extension, old, new):
        path = os.path.splitext(self.certificate)[0] + extension
        with open(path) as file:
            text = file.read()
        self.assertIn(old, text)
        with open(path, "w") as file:
            file.write(text.replace(old, new))

    def test_what_is_written_is_accepted(self):
        code, text = self.check()
        self.assertEqual(code, 0, text)

    def test_a_state_less_is_noticed(self):
        words = self.words()
        # Behind three locations, two variables and the number of zones come 3 * 3 bounds each.
        first = 5 + 3 + 2 + 1 + words[10] * 9
        self.write(words[:4] + [words[4] - 1] + words[first:])
        self.assertEqual(self.check()[0], 1)

    def test_a_tighter_bound_is_noticed(self):
        words = self.words()
        words[5 + 3 + 2 + 1 + 1] -= 4
        self.write(words)
        self.assertEqual(self.check()[0], 1)

    def test_a_file_that_is_cut_off_is_not_read(self):
        self.write(self.words()[:-3])
        self.assertEqual(self.check()[0], 2)

    def test_another_model_is_noticed(self):
        self.replace(".muntax", "waiting > 5", "waiting > 4")
        self.assertEqual(self.check()[0], 1)

    def test_another_formula_is_noticed(self):
        self.replace(".muntax", "Customer.Gone", "Customer.Drinks")
        self.assertEqual(self.check()[0], 1)


if __name__ == "__main__":
    unittest.main()
