"""A browser for tests: Chromium without a window, driven through a pipe by its DevTools protocol.

    with Browser(program) as browser:
        page = browser.open("/path/to/page.html")
        page.run("document.title")

Every request of the page is noted in `requests`, every error of its scripts in `errors`."""
import base64
import json
import os
import select
import signal
import subprocess
import tempfile
import time


class Browser:
    def __init__(self, program, limit_s=120):
        self.limit_s = limit_s
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        down, self.down = os.pipe()
        self.up, up = os.pipe()
        # The browser reads commands from descriptor 3 and writes answers to descriptor 4.
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update", "--window-size=1400,1000",
                   "--user-data-dir=" + self.folder.name, "--remote-debugging-pipe"]
        self.process = subprocess.Popen(["bash", "-c", f'exec 3<&{down} 4>&{up}; exec "$@"', "browser"] + command,
                                        pass_fds=(down, up), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, start_new_session=True)
        os.close(down)
        os.close(up)
        self.rest = b""
        self.number = 0
        self.notes = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.killpg(self.process.pid, signal.SIGKILL)  # the browser's own processes, which are its group
        self.process.wait()
        os.close(self.down)
        os.close(self.up)
        self.folder.cleanup()

    def send(self, method, session=None, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.down, data):]
        return self.number

    def receive(self, until):
        """Returns the next message; None after the time `until`."""
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.up], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            data = os.read(self.up, 1 << 20)
            if not data:
                raise RuntimeError("the browser ended")
            self.rest += data
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        number, until = self.send(method, session, **parameters), time.monotonic() + self.limit_s
        while True:
            message = self.receive(until)
            if message is None:
                raise TimeoutError(f"{method}: no answer in {self.limit_s} s")
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.notes.append(message)

    def open(self, path, javascript=True, dark=False):
        return Page(self, path, javascript, dark)


class Page:
    def __init__(self, browser, path, javascript, dark):
        self.browser = browser
        self.url = "file://" + os.path.abspath(path)
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Network", "Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        if not javascript:
            self.call("Emulation.setScriptExecutionDisabled", value=True)
        if dark:
            self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        begun = time.monotonic()
        loads = len(self.noted("Page.loadEventFired"))
        self.call("Page.navigate", url=self.url)
        self.await_note("Page.loadEventFired", loads)
        if javascript:
            while not self.run("window.ordo && window.ordo.ready_ms ? 1 : 0"):
                if time.monotonic() - begun > browser.limit_s or self.errors:
                    raise TimeoutError(f"{path}: is not ready: {self.errors}")
                time.sleep(0.02)
        self.open_s = time.monotonic() - begun

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def await_note(self, method, count):
        """Waits until more than `count` notes of a method have come."""
        until = time.monotonic() + self.browser.limit_s
        while len(self.noted(method)) <= count:
            message = self.browser.receive(until)
            if message is None:
                raise TimeoutError(f"{self.url}: no {method} in {self.browser.limit_s} s")
            self.browser.notes.append(message)

    def run(self, expression):
        """Returns the value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:1000])
        return result["result"].get("value")

    def noted(self, method):
        return [note["params"] for note in self.browser.notes if note.get("method") == method and note.get("sessionId") == self.session]

    @property
    def requests(self):
        return [note["request"]["url"] for note in self.noted("Network.requestWillBeSent")]

    @property
    def errors(self):
        return [json.dumps(note)[:500] for note in self.noted("Runtime.exceptionThrown")] + \
            [note["entry"]["text"] for note in self.noted("Log.entryAdded") if note["entry"]["level"] == "error"]

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            text = {"text": key} if kind == "keyDown" and len(key) == 1 else {}
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1)

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))
