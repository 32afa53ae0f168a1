"""Colours of complex numbers: the hue is the argument, the lightness the modulus.

The wheel lies in Ottosson's OKLab, where equal steps look equal.  It is an ellipse drawn out along
blue and yellow, the axis that eyes with red-green blindness keep: +i is yellow, -i blue, +1 and -1
are reddish and greenish.  As these two may look alike to some, the lines where a function is real
and positive are drawn over the colours, solid, and those where it is real and negative, dashed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

RED_GREEN, BLUE_YELLOW = 0.10, 0.14
MIDDLE, SPREAD = 0.72, 0.25
UNKNOWN = (0.5, 0.5, 0.5)
"""The colour of a place without a value."""
_CONES = np.array([[1, 0.3963377774, 0.2158037573], [1, -0.1055613458, -0.0638541728],
                   [1, -0.0894841775, -1.2914855480]])
_LINEAR = np.array([[4.0767416621, -3.3077115913, 0.2309699292],
                    [-1.2684380046, 2.6097574011, -0.3413193965],
                    [-0.0041960863, -0.7034186147, 1.7076147010]])


def lightness(logs: Any) -> Any:
    """From log|w| to 0...1, growing with it: 0.72 at |w| = 1, in steps that fit the data."""
    known = np.abs(logs[np.isfinite(logs)])
    scale = float(np.median(known)) if known.size and np.median(known) > 0 else 1.0
    return MIDDLE + SPREAD * 2 / np.pi * np.arctan(logs / scale)


def colours(logs: Any, angles: Any) -> Any:
    """sRGB for arrays of log|w| and arg w, with shape (..., 3)."""
    light = lightness(logs)
    # the wheel shrinks towards white and black, where no strong colours are
    pure = np.clip(1 - np.abs(light - MIDDLE) / 0.4, 0, 1)
    lab = np.stack([light, RED_GREEN * pure * np.cos(angles),
                    BLUE_YELLOW * pure * np.sin(angles)], axis=-1)
    linear = np.clip((lab @ _CONES.T) ** 3 @ _LINEAR.T, 0, 1)
    curved = np.where(linear <= 0.0031308, 12.92 * linear,
                      1.055 * np.maximum(linear, 1e-9) ** (1 / 2.4) - 0.055)
    return np.where(np.isfinite(light)[..., None], np.clip(curved, 0, 1), UNKNOWN)


__all__ = ["colours", "lightness"]
