//! A real browser, without a window. It is controlled by the messages of the
//! [Chrome DevTools Protocol](https://chromedevtools.github.io/devtools-protocol/) over two pipes.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// Far longer than any step takes.
const PATIENCE: Duration = Duration::from_secs(60);

/// One tab of a browser.
pub struct Browser {
    child: Child,
    requests: File,
    messages: Receiver<Value>,
    sent: u64,
    session: Option<String>,
    /// The browser's profile and the two pipes.
    _folder: TempDir,
}

impl Browser {
    /// Starts a browser. Prints a note and returns `None` if chromium is not installed.
    pub fn start() -> Option<Self> {
        if Command::new("chromium").arg("--version").output().is_err() {
            eprintln!("chromium is not installed: the pages are not tested in a browser");
            return None;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let [requests, responses] = ["requests", "responses"].map(|name| {
            let path = folder.path().join(name);
            let made = Command::new("mkfifo").arg(&path).status();
            assert!(made.expect("mkfifo runs").success());
            path
        });
        // Without its sandbox, which needs rights that a container may lack: it opens only pages
        // of this repository.
        let child = Command::new("sh")
            .arg("-c")
            .arg("exec chromium --headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir=\"$0\" about:blank 3<\"$1\" 4>\"$2\"")
            .args([folder.path().join("profile"), requests.clone(), responses.clone()])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the shell starts");
        let requests = OpenOptions::new().write(true).open(requests);
        let responses = File::open(responses).expect("a pipe");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            for message in BufReader::new(responses).split(0).map_while(Result::ok) {
                let message = serde_json::from_slice(&message).expect("JSON");
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut browser = Self {
            child,
            requests: requests.expect("a pipe"),
            messages,
            sent: 0,
            session: None,
            _folder: folder,
        };
        let tabs = browser.send("Target.getTargets", json!({}));
        let mut tabs = tabs["targetInfos"].as_array().into_iter().flatten();
        let tab = tabs.find(|tab| tab["type"] == "page").expect("a tab");
        let target = json!({ "targetId": tab["targetId"], "flatten": true });
        let session = browser.send("Target.attachToTarget", target);
        browser.session = session["sessionId"].as_str().map(String::from);
        browser.send("Page.enable", json!({}));
        Some(browser)
    }

    /// Opens a file and waits until it has loaded.
    pub fn open(&mut self, page: &Path) {
        self.visit(&format!("file://{}", page.display()));
    }

    /// Opens an address and waits until its page has loaded.
    pub fn visit(&mut self, url: &str) {
        self.send("Page.navigate", json!({ "url": url }));
        while self.message()["method"] != "Page.loadEventFired" {}
    }

    /// The value of a JavaScript expression.
    pub fn value(&mut self, expression: &str) -> Value {
        let arguments = json!({ "expression": expression, "returnByValue": true });
        let mut result = self.send("Runtime.evaluate", arguments);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {result}"
        );
        result["result"]["value"].take()
    }

    /// Presses and releases a key, as a keyboard does.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "Tab" => 9,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowRight" => 39,
            "t" => 84,
            key => panic!("the code of {key} is missing here"),
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let event =
                json!({ "type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code });
            self.send("Input.dispatchKeyEvent", event);
        }
    }

    /// Sets the size of the window, in pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.send("Emulation.setDeviceMetricsOverride", size);
    }

    /// Pages that are opened from now on run no scripts.
    pub fn disable_scripts(&mut self) {
        self.send(
            "Emulation.setScriptExecutionDisabled",
            json!({ "value": true }),
        );
    }

    /// Sends a command and returns its result.
    fn send(&mut self, method: &str, arguments: Value) -> Value {
        self.sent += 1;
        let mut request = json!({ "id": self.sent, "method": method, "params": arguments });
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        let sent = write!(self.requests, "{request}\0");
        sent.expect("the browser reads its commands");
        loop {
            let mut message = self.message();
            if message["id"] == self.sent {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].take();
            }
        }
    }

    fn message(&self) -> Value {
        let message = self.messages.recv_timeout(PATIENCE);
        message.expect("the browser answers")
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
