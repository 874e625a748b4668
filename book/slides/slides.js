// Shows one slide at a time. Without this script, the slides follow each other on the page.
const slides = [...document.querySelectorAll("main > section")];
let at = 0;
let dark = matchMedia("(prefers-color-scheme: dark)").matches;

// Takes one of the themes of the pages.
function color(dark) {
    document.documentElement.classList.toggle("navy", dark);
    document.documentElement.classList.toggle("light", !dark);
}

// Text that does not fit becomes smaller.
function fit(slide) {
    for (let size = 100; size >= 50; size -= 5) {
        slide.style.fontSize = `${size}%`;
        if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth) return;
    }
}

function show(next) {
    at = Math.min(Math.max(next, 0), slides.length - 1);
    slides.forEach((slide, number) => { slide.hidden = number !== at; });
    fit(slides[at]);
    document.getElementById("place").textContent = `${at + 1} of ${slides.length}`;
    // The address names the slide, so that a reload shows it again.
    history.replaceState(null, "", `#${slides[at].id || at + 1}`);
}

// The slide that the address names: by its id, such as `chapter-4`, or by its number.
function named() {
    const name = decodeURIComponent(location.hash.slice(1));
    const found = slides.findIndex((slide) => slide.id !== "" && slide.id === name);
    return found >= 0 ? found : (Number.isInteger(+name) ? +name - 1 : 0);
}

const moves = {
    ArrowRight: () => at + 1, ArrowDown: () => at + 1, PageDown: () => at + 1, " ": () => at + 1,
    ArrowLeft: () => at - 1, ArrowUp: () => at - 1, PageUp: () => at - 1,
    Home: () => 0, End: () => slides.length - 1,
};
addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "t") color(dark = !dark);
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    show(move());
});
addEventListener("hashchange", () => show(named()));
addEventListener("resize", () => fit(slides[at]));
addEventListener("beforeprint", () => {
    color(false);
    slides.forEach((slide) => { slide.hidden = false; fit(slide); });
});
addEventListener("afterprint", () => { color(dark); show(at); });
color(dark);
show(named());
