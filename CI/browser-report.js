// Checks a results page after it has loaded, and writes the findings into its attributes, where CI/browser-report reads
// them in the dumped document.
"use strict";
addEventListener("load", () => {
    const problems = [];
    const all = (selector) => [...document.querySelectorAll(selector)];
    const name = (element) => element.tagName.toLowerCase() + " \"" + (element.textContent || "").trim().slice(0, 40) + "\"";

    // All resources are part of the page, and have loaded.
    for (const element of all("[src], [href], [srcset], [data], [poster]")) {
        for (const attribute of ["src", "href", "srcset", "data", "poster"]) {
            const value = element.getAttribute(attribute);
            if (value !== null && !/^(data:|#)/.test(value)) problems.push("not part of the page: " + value.slice(0, 80));
        }
    }
    for (const image of all("img")) {
        if (!image.complete || image.naturalWidth === 0) problems.push("an image has not loaded: " + image.alt);
        if (!image.alt) problems.push("an image has no alternative text: " + image.src.slice(0, 40));
    }
    for (const video of all("video")) {
        if (video.error || video.readyState < 1 || video.videoWidth === 0 || !(video.duration > 0)) {
            problems.push("a movie cannot be played: " + video.getAttribute("aria-label"));
        }
        if (!video.controls) problems.push("a movie has no controls: " + video.getAttribute("aria-label"));
    }
    for (const link of all("a[href^='#']")) {
        if (!document.getElementById(link.getAttribute("href").slice(1))) problems.push("a link has no target: " + link.href);
    }

    // Structure for screen readers and the keyboard.
    if (!document.documentElement.lang) problems.push("the page has no language");
    for (const landmark of ["header", "nav", "main"]) {
        if (all(landmark).length !== 1) problems.push("the page does not have exactly one landmark " + landmark);
    }
    const ids = all("[id]").map((element) => element.id);
    if (new Set(ids).size !== ids.length) problems.push("an ID is used twice");
    let level = 0;
    for (const heading of all("h1, h2, h3, h4, h5, h6")) {
        const next = Number(heading.tagName[1]);
        if (next > level + 1) problems.push("a heading skips a level: " + name(heading));
        level = next;
    }
    for (const table of all("table")) {
        if (!table.caption) problems.push("a table has no caption: " + name(table));
    }
    for (const header of all("th")) {
        if (!header.scope) problems.push("a header has no scope: " + name(header));
    }
    for (const region of all("[role=region], [role=img], nav, section")) {
        const label = region.getAttribute("aria-label") || document.getElementById(region.getAttribute("aria-labelledby"));
        if (!label) problems.push("a region has no name: " + name(region));
    }
    for (const element of all("[tabindex]")) {
        if (element.tabIndex > 0) problems.push("the order of the focus is not that of the document: " + name(element));
    }
    for (const element of all("body *")) {
        const scrolls = element.scrollWidth > element.clientWidth + 1
            && ["auto", "scroll"].includes(getComputedStyle(element).overflowX);
        if (scrolls && element.tabIndex < 0) problems.push("cannot be scrolled with the keyboard: " + name(element));
    }
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) problems.push("the page is " + width + " pixels wide in a window of " + innerWidth);

    // The selected time: with the slider, its keys, the buttons and the rows of the log.
    for (const run of all(".run")) {
        const find = (selector) => run.querySelector(selector);
        const slider = find("input[type=range]");
        const rows = [...run.querySelectorAll(".log")].map((log) => [...log.querySelectorAll("tr[data-time]")]);
        const current = () => [...run.querySelectorAll(".log tr.at")];
        const expect = (isTrue, text) => { if (!isTrue) problems.push("the run at a time: " + text); };
        const press = (key) => slider.dispatchEvent(new KeyboardEvent("keydown", { key, cancelable: true, bubbles: true }));
        expect(!find(".controls").hidden && !find(".now").hidden, "the script of the page has not run");
        if (find(".controls").hidden) continue;
        slider.value = 0;
        slider.dispatchEvent(new Event("input"));
        expect(find("output").textContent === "0 s", "the slider does not select 0 s: " + find("output").textContent);
        press("ArrowRight");
        const second = Number(slider.value);
        expect(second > 0, "the right arrow does not select the next event");
        expect(current().every((row) => Number(row.dataset.time) <= second), "the log is not in step");
        expect(find(".cursor").getAttribute("visibility") === "visible", "the drawing has no cursor");
        press("PageUp");
        expect(Number(slider.value) === Math.min(Number(slider.max), second + 1e6), "page up does not add a second");
        press("PageDown");
        press("ArrowLeft");
        expect(Number(slider.value) < second, "the left arrow does not select the previous event");
        const last = rows[0][rows[0].length - 1];
        last.click();
        expect(last.classList.contains("at") && slider.value === last.dataset.time, "a row does not select its time");
        const views = [...run.querySelectorAll(".views img")];
        expect(views.length > 0, "no camera has a picture");
        expect(run.querySelectorAll(".states dt").length >= 4, "the states are missing");
        expect(run.querySelectorAll("path.work").length > 0, "no queue has a lane");
        const difference = find("button[data-go=difference]");
        if (difference) {
            difference.click();
            const marked = run.querySelectorAll("tr.differs");
            expect(marked.length > 0 && run.querySelectorAll("line.difference").length === 2, "the first difference is not marked");
        }
    }

    // Contrast of texts (WCAG 2.2, 1.4.3).
    const parse = (color) => (color.match(/[\d.]+/g) || []).map(Number);
    const luminance = ([red, green, blue]) => {
        const [r, g, b] = [red, green, blue].map((value) => {
            const part = value / 255;
            return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    let texts = 0;
    for (const element of all("body *")) {
        const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
        if (!hasText || ["title", "script"].includes(element.tagName.toLowerCase())) continue;
        const style = getComputedStyle(element);
        const color = parse(element instanceof SVGElement ? style.fill : style.color);
        let back = [0, 0, 0, 0];
        for (let parent = element; parent && back[3] === 0; parent = parent.parentElement) {
            const found = parse(getComputedStyle(parent).backgroundColor);
            back = [...found.slice(0, 3), found.length > 3 ? found[3] : 1];
        }
        const [light, dark] = [luminance(color), luminance(back)].sort((a, b) => b - a);
        const ratio = (light + 0.05) / (dark + 0.05);
        texts += 1;
        if (ratio < 4.5) problems.push("the contrast is " + ratio.toFixed(2) + ": " + name(element));
    }

    const root = document.documentElement;
    root.dataset.problems = [...new Set(problems)].join("\u2028");
    root.dataset.counts = `${all("img").length} images, ${all("video").length} movies, ${texts} texts`;
    root.dataset.height = root.scrollHeight;
    root.dataset.scheme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
});
