"""The notebook: what docs/season.md shows of it, and that it runs. UPDATE_DOCS=1 writes its outputs, the page and the picture."""

import base64
import json
import os
import shutil
import unittest
from typing import Any, List

from cases import ROOT, needs
from test_service import FILE, ServiceCase

NOTEBOOK = ROOT / "examples/season.ipynb"
PAGE = ROOT / "docs/season.md"
PICTURE = ROOT / "docs/pictures/season.png"


def cells() -> List[Any]:
    return list(json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"])


def pictures(cell: Any) -> List[str]:
    """What a cell draws, in base64."""
    return [each["data"]["image/png"] for each in cell.get("outputs", []) if "image/png" in each.get("data", {})]


def page() -> str:
    """The notebook as Markdown; its picture stands behind the code that draws it."""
    parts = []
    for cell in cells():
        text = "".join(cell["source"]).strip()
        parts.append(text if cell["cell_type"] == "markdown" else f"```python\n{text}\n```")
        parts += ["![The season of each field](pictures/season.png)" for _ in pictures(cell)]
    return "\n\n".join(parts) + "\n"


class Notebook(unittest.TestCase):
    def test_ten_lines_are_enough(self) -> None:
        code = "\n".join("".join(cell["source"]) for cell in cells() if cell["cell_type"] == "code")
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 10)

    def test_the_page_shows_it_as_it_is(self) -> None:
        self.assertEqual(PAGE.read_text(encoding="utf-8"), page())
        self.assertTrue(PICTURE.read_bytes().startswith(b"\x89PNG"))


class Run(ServiceCase):
    @needs("pandas")
    @needs("matplotlib")
    @needs("nbclient")
    @needs("ipykernel")
    def test_it_plots_a_season_of_22_fields(self) -> None:
        import nbclient
        import nbformat

        folder = self.folder()
        (folder / "examples").mkdir()
        (folder / ".local").mkdir()
        shutil.copy(ROOT / "examples/farm.geojson", folder / "examples")
        shutil.copy(FILE, folder / ".local/service.json")
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        question = "len(ndvi.columns), len(ndvi) >= 10, ndvi.max().min() > 0.4"
        notebook.cells.append(nbformat.v4.new_code_cell(question))
        # The kernel's debugger has nothing to say.
        os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
        place = {"metadata": {"path": str(folder / "examples")}}
        nbclient.NotebookClient(notebook, timeout=1800, resources=place).execute()
        self.assertEqual(notebook.cells.pop().outputs[0].data["text/plain"], "(22, True, True)")
        (shown,) = [picture for cell in notebook.cells for picture in pictures(cell)]
        if os.environ.get("UPDATE_DOCS"):
            write(notebook, base64.b64decode(shown))


def write(notebook: Any, picture: bytes) -> None:
    import nbformat

    for cell in notebook.cells:
        cell.pop("id", None)
        cell.metadata = {}
    notebook.metadata = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook.nbformat_minor = 4
    nbformat.write(notebook, NOTEBOOK)
    PICTURE.write_bytes(picture)
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    unittest.main()
