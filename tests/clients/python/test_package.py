"""The package as it is handed on: its version, types, wheel."""

import json
import os
import subprocess
import sys
import unittest
import venv
import zipfile
from pathlib import Path
from typing import Any

import partner_fields
from cases import ROOT, StandInCase, needs

CLIENT = ROOT / "clients/python"


def output_of(*command: Any, **options: Any) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout


class Package(StandInCase):
    def test_its_version_is_that_of_the_service(self) -> None:
        version = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["version"]
        self.assertEqual(partner_fields.__version__, version)

    def test_each_name_that_it_exports_says_what_it_is(self) -> None:
        exported = [getattr(partner_fields, name) for name in partner_fields.__all__]
        members = [
            (f"{each.__name__}.{name}", member)
            for each in exported
            if isinstance(each, type)
            for name, member in vars(each).items()
            if callable(member) and not name.startswith("_")
        ]
        named = [(each.__name__, each) for each in exported if callable(each)]
        self.assertEqual([name for name, each in named + members if not each.__doc__], [])

    @needs("mypy")
    def test_its_types_are_strict(self) -> None:
        output_of(sys.executable, "-m", "mypy", "--cache-dir", self.folder(), cwd=CLIENT)

    @needs("hatchling")
    def test_its_wheel_is_installed_into_a_clean_environment_and_tried(self) -> None:
        folder = self.folder()
        output_of(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=CLIENT)
        (wheel,) = folder.glob("*.whl")
        with zipfile.ZipFile(wheel) as file:
            names = {name for name in file.namelist() if not name.endswith(".py")}
        self.assertIn("partner_fields/py.typed", names)
        # With the packages of this Python: `requests` is to be there, and nothing is fetched.
        venv.create(folder / "clean", system_site_packages=True, with_pip=True)
        programs = folder / "clean" / ("Scripts" if os.name == "nt" else "bin")
        clean = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
        pip = (programs / "python", "-m", "pip", "install", "--no-index", "--no-deps", wheel)
        output_of(*pip, cwd=folder, env=clean)
        tried = "import partner_fields as p; print(p.__version__, p.__file__)"
        version, place = output_of(programs / "python", "-c", tried, cwd=folder, env=clean).split(maxsplit=1)
        self.assertEqual(version, partner_fields.__version__)
        self.assertIn(str(folder), str(Path(place)))
        needed = output_of(programs / "python", "-m", "pip", "show", "partner-fields", cwd=folder, env=clean)
        self.assertIn("Requires: requests\n", needed)


if __name__ == "__main__":
    unittest.main()
