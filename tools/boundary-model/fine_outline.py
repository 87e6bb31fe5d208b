"""Writes what the parity test of the outline compares with: one mask of the pipeline case at a quarter of a pixel.

python3 fine_outline.py ../../tests/fixtures/boundary

Reads pipeline.bin and pipeline.json there, writes fine-outline.json: the fine pixels above the outline's level as
row-major run lengths (the first of zeros). PyTorch enlarges, SciPy blurs; the flood is a plain priority queue.
"""

import heapq
import json
import sys
from pathlib import Path

import numpy as np
import torch
from scipy import ndimage

FINENESS = 4
ROOM = 6
SQUARE = np.ones((3, 3), bool)


def flooded(heights, labels):
    """Watershed without lines, 4 neighbours, ties first come first served."""
    queue = [(heights[place], 0, place) for place in map(tuple, np.argwhere(labels >= 0))]
    heapq.heapify(queue)
    age = 0
    while queue:
        _, _, (row, column) = heapq.heappop(queue)
        for place in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
            if min(place) >= 0 and place[0] < labels.shape[0] and place[1] < labels.shape[1] and labels[place] < 0:
                age += 1
                labels[place] = labels[row, column]
                heapq.heappush(queue, (heights[place], age, place))
    return labels


def fine_mask(mask, probability):
    plane = torch.from_numpy(probability)[None, None]
    fine = torch.nn.functional.interpolate(plane, scale_factor=FINENESS, mode="bicubic", align_corners=False)
    heights = ndimage.gaussian_filter(fine[0, 0].numpy(), 2)
    core, reach = ndimage.binary_erosion(mask, SQUARE, border_value=1), ndimage.binary_dilation(mask, SQUARE)
    labels = np.where(core if core.sum() > 3 else mask, 1, np.where(reach, -1, 0))
    inside = flooded(heights, labels.repeat(FINENESS, 0).repeat(FINENESS, 1))
    return ndimage.gaussian_filter(inside.astype(np.float32), 2.5, mode="constant") > 0.6


def main():
    folder = Path(sys.argv[1])
    case = json.loads((folder / "pipeline.json").read_text())
    numbers = np.fromfile(folder / "pipeline.bin", np.uint8)
    side = case["arrays"]["edges"]["shape"][0]

    def plane(name):
        start = case["arrays"][name]["byteOffset"]
        return numbers[start : start + 4 * side * side].view("<f4").reshape(side, side)

    probability = (plane("edges") - 0.15 * np.minimum(plane("gradient"), 2)) / 1.6
    runs = case["candidates"][case["chosen"]]["runs"]
    mask = np.repeat(np.arange(len(runs)) % 2 == 1, runs).reshape(side, side)
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    top, left = max(0, rows[0] - ROOM), max(0, columns[0] - ROOM)
    part = (slice(top, rows[-1] + ROOM + 1), slice(left, columns[-1] + ROOM + 1))
    fine = fine_mask(mask[part], np.ascontiguousarray(probability[part]))
    starts = np.flatnonzero(np.diff(np.r_[0, fine.ravel(), 1 - fine.ravel()[-1]]))
    found = {"top": int(top), "left": int(left), "height": fine.shape[0], "width": fine.shape[1]}
    found["runs"] = np.diff(np.r_[0, starts]).tolist()
    (folder / "fine-outline.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
