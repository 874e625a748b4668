// Shows on each checkpoint how far the reader's own code is. The course's server puts
// that beside the pages as course-status.json; a book that is hosted anywhere else has
// no such file, and then nothing is shown and nothing asked again.
(() => {
    const words = {
        "done": "done",
        "given": "given",
        "not-written": "not written yet",
        "wrong": "wrong answer",
        "waiting": "needs an earlier section",
    };
    const checkpoints = document.querySelectorAll(".checkpoint");
    const address = path_to_root + "course-status.json";
    const pause = 2000;

    async function refresh() {
        let states;
        try {
            const response = await fetch(address, { cache: "no-store" });
            const { chapters } = await response.json();
            states = new Map(chapters
                .flatMap((chapter) => chapter.sections)
                .map((section) => [section.id, section.given ? "given" : section.state]));
        } catch {
            show(new Map());
            return;
        }
        show(states);
        setTimeout(next, pause);
    }

    // A page that nobody looks at does not ask; it does as soon as it is looked at.
    function next() {
        if (document.visibilityState === "visible") {
            refresh();
        } else {
            document.addEventListener("visibilitychange", next, { once: true });
        }
    }

    function show(states) {
        for (const checkpoint of checkpoints) {
            const state = states.get(checkpoint.dataset.section);
            const text = words[state] ?? "";
            const place = checkpoint.querySelector(".checkpoint-state");
            checkpoint.dataset.state = state ?? "";
            // Only when it changes: screen readers read it out.
            if (place.textContent !== text) {
                place.textContent = text;
            }
        }
    }

    if (checkpoints.length > 0 && location.protocol !== "file:") {
        refresh();
    }
})();

// Keeps the first choice that the reader opens under each question of a quiz. The course's
// server stores it with the learner's progress; elsewhere, the choices only unfold.
(() => {
    const questions = document.querySelectorAll(".quiz");
    const address = path_to_root + "course-quiz.json";

    async function start() {
        let answers;
        try {
            const response = await fetch(address, { cache: "no-store" });
            answers = await response.json();
        } catch {
            return;
        }
        for (const question of questions) {
            show(question, answers[question.dataset.question]);
            for (const choice of question.querySelectorAll(".choice")) {
                choice.addEventListener("toggle", () => {
                    if (choice.open && !question.dataset.answer) {
                        answer(question, choice.dataset.right === "true");
                    }
                });
            }
        }
    }

    function answer(question, right) {
        show(question, right);
        fetch(address, {
            method: "POST",
            headers: { "Content-Type": "application/json" },
            body: JSON.stringify({ [question.dataset.question]: right }),
        }).catch(() => {});
    }

    function show(question, right) {
        if (right !== undefined) {
            question.dataset.answer = right ? "right" : "wrong";
        }
    }

    if (questions.length > 0 && location.protocol !== "file:") {
        start();
    }
})();

// Shows a trace one step at a time: with buttons, with the arrow keys, Home and End while the
// trace has the focus, and with a click on its map. Without this script it is a list.
(() => {
    for (const trace of document.querySelectorAll(".trace")) {
        const steps = [...trace.querySelectorAll(".trace-step")];
        const last = steps.length - 1;
        let current = 0;

        const back = button("Back", () => show(current - 1));
        const next = button("Next", () => show(current + 1));
        const position = element("p", "trace-position");
        position.setAttribute("aria-live", "polite");
        const controls = element("div", "trace-controls");
        controls.append(back, position, next);
        const [map, marks] = mapOf(steps);
        trace.querySelector(".trace-steps").before(map, controls);
        trace.setAttribute("role", "group");
        trace.tabIndex = 0;
        trace.addEventListener("keydown", (event) => {
            const targets = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: last };
            const target = targets[event.key];
            const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
            if (target !== undefined && !modified) {
                event.preventDefault();
                // Elsewhere on the page, the arrow keys turn to another chapter.
                event.stopPropagation();
                show(target);
            }
        });
        show(0);

        function show(number) {
            current = Math.min(Math.max(number, 0), last);
            for (const [at, step] of steps.entries()) {
                step.hidden = at !== current;
                marks[at].classList.toggle("is-current", at === current);
                marks[at].classList.toggle("is-past", at < current);
            }
            // A disabled button would lose the focus, and with it the keys.
            back.setAttribute("aria-disabled", current === 0);
            next.setAttribute("aria-disabled", current === last);
            const title = element("span", "trace-announced");
            title.textContent = `: ${steps[current].querySelector(".trace-head").textContent}`;
            position.replaceChildren(`Step ${current + 1} of ${steps.length}`, title);
        }

        // One row for each lane, one column for each step.
        function mapOf(steps) {
            const map = element("div", "trace-map");
            map.setAttribute("aria-hidden", "true");
            map.style.setProperty("--steps", steps.length);
            const lanes = [...new Set(steps.map((step) => step.dataset.lane))];
            for (const [row, lane] of lanes.entries()) {
                const name = element("span", "trace-map-lane");
                name.textContent = lane;
                name.style.gridRow = row + 1;
                map.append(name);
            }
            const marks = steps.map((step, at) => {
                const column = element("span", "trace-map-step");
                column.style.gridColumn = at + 2;
                column.style.gridRow = `1 / ${lanes.length + 1}`;
                column.addEventListener("click", () => show(at));
                const mark = element("span", "trace-map-mark");
                mark.style.gridColumn = at + 2;
                mark.style.gridRow = lanes.indexOf(step.dataset.lane) + 1;
                map.append(column, mark);
                return mark;
            });
            return [map, marks];
        }
    }

    function button(text, onClick) {
        const button = element("button", "trace-button");
        button.type = "button";
        button.textContent = text;
        button.addEventListener("click", onClick);
        return button;
    }

    function element(name, className) {
        const element = document.createElement(name);
        element.className = className;
        return element;
    }
})();

// Folds the depth sections, which the core path gives. A button below the chapter's title unfolds
// all of them, and the browser remembers that. Without this script they are plain sections.
(() => {
    const sections = [...document.querySelectorAll(".section-time.depth")].map(fold);
    if (sections.length === 0) {
        return;
    }
    const key = "claw-depth-sections";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "depth-button";
    button.addEventListener("click", () => {
        const isOpen = sections.every((section) => section.open);
        remember(isOpen ? "folded" : "open");
        unfold(!isOpen);
    });
    document.querySelector(".chapter-time").append(" · ", button);
    // The page shows what a search has found.
    unfold(remembered() === "open" || new URLSearchParams(location.search).has("highlight"));
    for (const section of sections) {
        section.addEventListener("toggle", label);
    }
    window.addEventListener("hashchange", showTarget);
    window.addEventListener("beforeprint", () => unfold(true));
    showTarget();

    // Moves what follows a depth section's time, up to the next section, into a fold.
    function fold(time) {
        const section = document.createElement("details");
        section.className = "depth-section";
        const summary = document.createElement("summary");
        summary.textContent = "Read this section";
        const title = time.previousElementSibling?.textContent;
        summary.setAttribute("aria-label", `Read this section: ${title}`);
        section.append(summary);
        while (time.nextElementSibling && !time.nextElementSibling.matches("h1, h2")) {
            section.append(time.nextElementSibling);
        }
        time.after(section);
        return section;
    }

    function unfold(isOpen) {
        for (const section of sections) {
            section.open = isOpen;
        }
        label();
    }

    function label() {
        const isOpen = sections.every((section) => section.open);
        button.textContent = isOpen ? "fold the depth sections" : "unfold the depth sections";
    }

    // A link can lead into a section that is folded.
    function showTarget() {
        const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const folded = "details:not([open])";
        // A section's heading is before its time and its fold.
        const section = target?.nextElementSibling?.nextElementSibling;
        const start = section?.matches(".depth-section") ? section : target;
        for (let it = start?.closest(folded); it; it = it.closest(folded)) {
            it.open = true;
            target.scrollIntoView();
        }
    }

    function remembered() {
        try {
            return localStorage.getItem(key);
        } catch {
            return null;
        }
    }

    function remember(value) {
        try {
            localStorage.setItem(key, value);
        } catch {
            // Without a storage, the choice holds for this page.
        }
    }
})();
