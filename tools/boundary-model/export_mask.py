"""Folds a trained mask network for packModel.ts and writes the parity case of the tests.

python3 export_mask.py --out mask.bin mask.pt [--parity FOLDER]
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from mask_network import INPUTS, mask_network
from network import folded_numbers

PARITY_SIDE = 32


def parity_input():
    """(1, 7, 32, 32): waves of other lengths and turns in each channel, between -0.5 and 1."""
    row, column = np.mgrid[:PARITY_SIDE, :PARITY_SIDE].astype(np.float64)
    planes = [0.25 + 0.75 * np.sin(row * (0.11 + 0.07 * k) + column * (0.31 - 0.04 * k) + k) for k in range(INPUTS)]
    return torch.from_numpy(np.stack(planes)[None].astype("<f4"))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights")
    parser.add_argument("--out", required=True)
    parser.add_argument("--parity", type=Path, help="folder for mask-logits.bin, the answer to parity_input")
    arguments = parser.parse_args()
    network = mask_network()
    network.load_state_dict(torch.load(arguments.weights, map_location="cpu"))
    network.eval()
    folded_numbers(network).tofile(arguments.out)
    if arguments.parity:
        with torch.no_grad():
            answer = network(parity_input())[0].numpy()
        answer.astype("<f4").tofile(arguments.parity / "mask-logits.bin")


if __name__ == "__main__":
    main()
