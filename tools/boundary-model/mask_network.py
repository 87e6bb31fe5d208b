"""The network that is told the asked point, in PyTorch."""

import torch

from network import BANDS, OUTPUTS, UNet

# What the mask network sees: the bands, the boundary network's two probabilities, the point that was asked.
INPUTS = BANDS + OUTPUTS + 1
LEVEL_WIDTHS = (16, 24, 32, 48, 64)
SIDE = 128
CLICK_SIGMA = 3.0


def mask_network():
    """A U-Net with sides that are multiples of 16, and the logit of the asked point's field."""
    return UNet(INPUTS, LEVEL_WIDTHS, 1)


def click_map(side):
    """(side, side): 1 at the middle, where the asked point is, falling to 0 within a few pixels."""
    offsets = torch.arange(side) - side // 2
    return torch.exp(-(offsets[:, None] ** 2 + offsets[None] ** 2) / (2 * CLICK_SIGMA**2))
