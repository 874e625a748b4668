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
