"""Folds trained weights for packModel.ts and writes the parity case of the tests.

python3 export.py --out network.bin a.pt [b.pt ...] [--parity FOLDER]

Several files are averaged number by number: stages of one training, which must have started from one another.
"""

import argparse
from pathlib import Path

import numpy as np
import torch

from network import boundary_network, folded_numbers

PARITY_INPUT = Path(__file__).parents[2] / "tests/fixtures/boundary/network-input.bin"


def mean_of(files):
    states = [torch.load(file, map_location="cpu") for file in files]
    return {
        key: torch.stack([state[key].float() for state in states]).mean(0).to(value.dtype)
        for key, value in states[0].items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", nargs="+")
    parser.add_argument("--out", required=True)
    parser.add_argument("--parity", type=Path, help="folder for network-logits.bin, the answer to PARITY_INPUT")
    arguments = parser.parse_args()
    network = boundary_network()
    network.load_state_dict(mean_of(arguments.weights))
    network.eval()
    folded_numbers(network).tofile(arguments.out)
    if arguments.parity:
        x = np.fromfile(PARITY_INPUT, "<f4").reshape(1, 4, 64, 64)
        with torch.no_grad():
            logits = network(torch.from_numpy(x))[0].numpy()
        logits.astype("<f4").tofile(arguments.parity / "network-logits.bin")


if __name__ == "__main__":
    main()
