"""Turns the screen file of Xvfb (XWD, 24 bit) into a PNG; fails when nothing is drawn on it.

python packaging/picture_of_screen.py SCREEN_FILE PICTURE
"""

import struct
import sys
from pathlib import Path

import numpy as np
from PIL import Image

BYTES_PER_COLOUR = 12
FEWEST_COLOURS = 10


def main(screen: Path, picture: Path) -> None:
    """Write the picture; a screen of few colours has no window on it."""
    content = screen.read_bytes()
    header = struct.unpack(">25I", content[:100])
    header_size, width, height, bytes_per_line, colours = header[0], header[4], header[5], header[12], header[19]
    start = header_size + colours * BYTES_PER_COLOUR
    lines = np.frombuffer(content, np.uint8, bytes_per_line * height, start).reshape(height, bytes_per_line // 4, 4)
    pixels = lines[:, :width, 2::-1]
    Image.fromarray(np.ascontiguousarray(pixels)).save(picture)
    if len(np.unique(pixels.reshape(-1, 3), axis=0)) < FEWEST_COLOURS:
        raise SystemExit("Nothing is drawn on the screen.")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
