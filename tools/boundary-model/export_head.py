"""Folds a trained head for packModel.ts and writes the parity case of the tests.

python3 export_head.py --head mask --out mask.bin mask.pt [--parity FOLDER]
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from heads import MaskNetwork, SubPixelHead, folded_numbers

PARITY_SIDE = 32


def parity_input(channels):
    """(1, channels, 32, 32): waves of other lengths and turns in each channel, between -0.5 and 1."""
    row, column = np.mgrid[:PARITY_SIDE, :PARITY_SIDE].astype(np.float64)
    planes = [0.25 + 0.75 * np.sin(row * (0.11 + 0.07 * k) + column * (0.31 - 0.04 * k) + k) for k in range(channels)]
    return torch.from_numpy(np.stack(planes)[None].astype("<f4"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights")
    parser.add_argument("--head", choices=["mask", "sub-pixel"], required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--parity", type=Path, help="folder for <head>-logits.bin, the answer to parity_input")
    arguments = parser.parse_args()
    head, channels = {"mask": (MaskNetwork(), 7), "sub-pixel": (SubPixelHead(), 16)}[arguments.head]
    head.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    head.eval()
    folded_numbers(head).tofile(arguments.out)
    if arguments.parity:
        with torch.no_grad():
            answer = head(parity_input(channels))[0].numpy()
        answer.astype("<f4").tofile(arguments.parity / f"{arguments.head}-logits.bin")


if __name__ == "__main__":
    main()
