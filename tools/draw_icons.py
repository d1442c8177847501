"""Draw the icons of the installed app from icon.svg: `python tools/draw_icons.py`. They are kept with the code."""

from __future__ import annotations

from pathlib import Path

import machine
from playwright.sync_api import sync_playwright

STATIC = Path(__file__).parent.parent / "src" / "tefuda" / "web" / "static"
GROUND = "#f0ebe0"

ICONS = {
    # name: (pixels, share of it that the picture takes, ground); of a maskable icon only the middle 80 % is sure
    "icon-192.png": (192, 0.94, "transparent"),
    "icon-512.png": (512, 0.94, "transparent"),
    "icon-maskable-512.png": (512, 0.66, GROUND),
    "icon-touch-180.png": (180, 0.78, GROUND),
}


def main() -> None:
    """Draw them all."""
    picture = (STATIC / "icon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=machine.find_browser(), args=["--no-sandbox"])
        for name, (size, share, ground) in ICONS.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = f"body{{margin:0;height:100vh;display:grid;place-items:center;background:{ground}}}"
            page.set_content(f"<style>{style}svg{{width:{share * 100}vw;height:{share * 100}vw}}</style>{picture}")
            page.screenshot(path=STATIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
