"""Draws the program's icon in every size a desktop asks for: hicolor folders, and a file for Windows and one for macOS.

python packaging/bundle/make_icons.py FOLDER
"""

import os
import shutil
import sys
from pathlib import Path

from PIL import Image

os.environ["QT_QPA_PLATFORM"] = "offscreen"
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

NAME = "org.anonymizer.Anonymizer"
DRAWING = Path(__file__).resolve().parents[2] / "resources" / "icons" / "app.svg"
SIZES = (16, 22, 24, 32, 48, 64, 96, 128, 256, 512)
WINDOWS_SIZES = (16, 24, 32, 48, 64, 128, 256)


def main(folder: Path) -> None:
    """Write hicolor/*/apps, app.ico and app.icns below the folder."""
    application = QGuiApplication([])
    renderer = QSvgRenderer(str(DRAWING))
    for size in SIZES:
        draw(renderer, size, folder / "hicolor" / f"{size}x{size}" / "apps" / f"{NAME}.png")
    scalable = folder / "hicolor" / "scalable" / "apps" / f"{NAME}.svg"
    scalable.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(DRAWING, scalable)
    large = folder / "app.png"
    draw(renderer, 1024, large)
    with Image.open(large) as image:
        image.save(folder / "app.ico", sizes=[(size, size) for size in WINDOWS_SIZES])
        image.save(folder / "app.icns")
    application.quit()


def draw(renderer: QSvgRenderer, size: int, target: Path) -> None:
    """Write the drawing as a PNG of that size."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    target.parent.mkdir(parents=True, exist_ok=True)
    if not image.save(str(target)):
        raise SystemExit(f"The icon {target.name} cannot be written.")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
