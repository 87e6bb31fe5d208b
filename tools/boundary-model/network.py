"""The boundary network in PyTorch: a U-Net of four levels, and its numbers with batch normalisation folded in."""

import numpy as np
import torch
from torch import nn
from torch.nn import functional

WIDTHS = (12, 24, 36, 48)
BANDS = 4
OUTPUTS = 2  # logits: boundary, field
PERCENTILES = (2, 98)
RANGE = (-0.5, 1.5)
SHIFT = -0.5


def layer(inputs, outputs):
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, padding=1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU(inplace=True)
    )


def block(inputs, outputs):
    return nn.Sequential(layer(inputs, outputs), layer(outputs, outputs))


class BoundaryNetwork(nn.Module):
    """Input (n, 4, H, W) with sides that are multiples of 8; output logits (n, 2, H, W)."""

    def __init__(self):
        super().__init__()
        one, two, three, four = WIDTHS
        self.encoder = nn.ModuleList([block(BANDS, one), block(one, two), block(two, three), block(three, four)])
        # Indexed by level like the encoder; they run from the coarsest to the finest.
        self.decoder = nn.ModuleList([block(one + two, one), block(two + three, two), block(three + four, three)])
        self.head = nn.Conv2d(one, OUTPUTS, 1)

    def forward(self, x):
        levels = []
        for index, part in enumerate(self.encoder):
            x = part(functional.max_pool2d(x, 2) if index else x)
            levels.append(x)
        for part, skip in zip(reversed(self.decoder), reversed(levels[:-1])):
            doubled = functional.interpolate(x, scale_factor=2, mode="nearest")
            x = part(torch.cat([skip, doubled], 1))
        return self.head(x)


def network_input(reflectance, valid):
    """(4, H, W) float32 of reflectance (4, H, W), 0-1, and valid (H, W) bool.

    Per band: square root, 2nd to 98th percentile of the valid pixels to 0-1, clipped to -0.5 ... 1.5, minus 0.5;
    invalid pixels are 0. The service's shared/boundary/normalise.ts does the same.
    """
    out = np.zeros(reflectance.shape, np.float32)
    for band, values in enumerate(np.sqrt(np.maximum(reflectance, 0))):
        low, high = np.percentile(values[valid], PERCENTILES)
        out[band] = np.where(valid, np.clip((values - low) / (high - low + 1e-6), *RANGE) + SHIFT, 0)
    return out


def folded_numbers(network):
    """All numbers in running order, float32: of each layer the weights [output][input][row][column], then the biases."""
    parts = []
    for one_block in [*network.encoder, *reversed(network.decoder)]:
        for convolution, norm, _ in one_block:
            scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
            parts += [convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale]
    parts += [network.head.weight, network.head.bias]
    return np.concatenate([part.detach().numpy().astype("<f4").ravel() for part in parts])
