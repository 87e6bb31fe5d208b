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


class UNet(nn.Module):
    """Input (n, inputs, H, W) with sides that halve as often as there are levels but one; logits (n, outputs, H, W)."""

    def __init__(self, inputs, widths, outputs):
        super().__init__()
        pairs = list(zip(widths[:-1], widths[1:]))
        self.encoder = nn.ModuleList([block(inputs, widths[0]), *(block(fine, coarse) for fine, coarse in pairs)])
        # Indexed by level like the encoder; they run from the coarsest to the finest.
        self.decoder = nn.ModuleList([block(fine + coarse, fine) for fine, coarse in pairs])
        self.head = nn.Conv2d(widths[0], outputs, 1)

    def forward(self, x):
        levels = []
        for index, part in enumerate(self.encoder):
            x = part(functional.max_pool2d(x, 2) if index else x)
            levels.append(x)
        for part, skip in zip(reversed(self.decoder), reversed(levels[:-1])):
            doubled = functional.interpolate(x, scale_factor=2, mode="nearest")
            x = part(torch.cat([skip, doubled], 1))
        return self.head(x)

    def layers(self):
        """Convolutions with their normalisation, in running order."""
        return [one for one_block in [*self.encoder, *reversed(self.decoder)] for one in one_block]


def boundary_network():
    """Logits of a boundary and of a field."""
    return UNet(BANDS, WIDTHS, OUTPUTS)


def network_input(reflectance, valid):
    """(4, H, W) float32 of reflectance (4, H, W), 0-1, and valid (H, W) bool.

    Per band: square root, 2nd to 98th percentile of the valid pixels to 0-1, clipped to -0.5 ... 1.5, minus 0.5;
    invalid pixels are 0. The service's shared/boundary/window/normalise.ts does the same.
    """
    out = np.zeros(reflectance.shape, np.float32)
    for band, values in enumerate(np.sqrt(np.maximum(reflectance, 0))):
        low, high = np.percentile(values[valid], PERCENTILES)
        out[band] = np.where(valid, np.clip((values - low) / (high - low + 1e-6), *RANGE) + SHIFT, 0)
    return out


def folded_numbers(network):
    """All numbers in running order, float32: of each layer the weights [output][input][row][column], then the biases."""
    parts = []
    for convolution, norm, _ in network.layers():
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        parts += [convolution.weight * scale[:, None, None, None], norm.bias - norm.running_mean * scale]
    parts += [network.head.weight, network.head.bias]
    return np.concatenate([part.detach().numpy().astype("<f4").ravel() for part in parts])


def filled(network, numbers):
    """The network with the numbers of a file as the service reads it, to build on: nothing of it is trained."""
    left = torch.from_numpy(np.asarray(numbers, np.float32))

    def fill(tensor):
        nonlocal left
        tensor.data.copy_(left[: tensor.numel()].reshape(tensor.shape))
        left = left[tensor.numel() :]

    for convolution, norm, _ in network.layers():
        fill(convolution.weight)
        fill(norm.bias)
        # The file has no normalisation left: this one changes nothing but adds the biases.
        norm.weight.data.fill_(1)
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
    fill(network.head.weight)
    fill(network.head.bias)
    if len(left):
        raise ValueError(f"The network's file has {len(left)} numbers too many.")
    return network.requires_grad_(False).eval()
