// Replaces the content when the files have changed. The server has escaped it.
const main = document.querySelector("main");
const stopped = document.getElementById("stopped");
let shown = "";
const update = async () => {
  try {
    const response = await fetch("/main");
    const html = await response.text();
    if (response.ok && html !== shown) {
      shown = html;
      main.innerHTML = html;
    }
    stopped.hidden = response.ok;
  } catch {
    stopped.hidden = false;
  }
  // Only after the answer, so that requests do not pile up.
  setTimeout(update, 1000);
};
setTimeout(update, 1000);
