"""A headless browser without a network, whose console and requests tests look at."""

from __future__ import annotations

import io
import json
import shutil
from pathlib import Path
from typing import Any

import numpy
import pytest


def find_browser() -> str | None:
    """Path of a Chromium, or None."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next((found for name in names if (found := shutil.which(name))), None)


class Browser:
    """Opens pages and says what they did."""

    def __init__(self, width: int = 1280, height: int = 1000) -> None:
        selenium = pytest.importorskip("selenium.webdriver")
        service = pytest.importorskip("selenium.webdriver.chrome.service")
        options = selenium.ChromeOptions()
        options.binary_location = find_browser() or pytest.skip("there is no Chromium")
        for argument in (
            "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--use-angle=swiftshader",
            "--enable-unsafe-swiftshader", "--hide-scrollbars", f"--window-size={width},{height}",
        ):  # fmt: skip
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = shutil.which("chromedriver") or pytest.skip("there is no chromedriver")
        self.driver: Any = selenium.Chrome(options=options, service=service.Service(driver))
        self.driver.set_script_timeout(60)
        if width < 600:
            self.driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 2, "mobile": True},
            )

    def open(self, page: Path | str) -> None:
        self.driver.get(page if isinstance(page, str) else page.resolve().as_uri())

    def run(self, script: str) -> Any:
        return self.driver.execute_script(script)

    def wait_for(self, script: str, seconds: float = 60) -> None:
        from selenium.webdriver.support.ui import WebDriverWait

        WebDriverWait(self.driver, seconds, 0.2).until(lambda _: self.run(script))

    def complaints(self) -> list[str]:
        """Everything on the console but the notes of the software renderer about its speed."""
        return [entry["message"] for entry in self.driver.get_log("browser")
                if "GPU stall" not in entry["message"] and "swiftshader" not in entry["message"].lower()]  # fmt: skip

    def requests(self) -> list[str]:
        """Addresses that the page has asked for."""
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

    def picture(self, selector: str) -> numpy.ndarray:
        """[height, width, 3] what an element looks like."""
        from PIL import Image
        from selenium.webdriver.common.by import By

        element = self.driver.find_element(By.CSS_SELECTOR, selector)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        return numpy.asarray(Image.open(io.BytesIO(element.screenshot_as_png)).convert("RGB")).astype(int)

    def whole_page(self, path: Path) -> None:
        size = self.driver.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        image = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": True, "clip": {
            "x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}})  # fmt: skip
        import base64

        path.write_bytes(base64.b64decode(image["data"]))

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        self.driver.quit()
