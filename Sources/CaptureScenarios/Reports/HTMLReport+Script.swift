extension HTMLReport {
    /// The hash of `script` for the content security policy of the page, which permits no other script
    /// (`openssl dgst -sha256 -binary | base64`). CI/browser-report fails if it is wrong, because the browser then refuses
    /// the script.
    static let scriptHash = "sha256-uQlmh+D1diPv4XiUTFLwkc3A3XFsGmSLgIf7IuhNciA="

    /// The script that shows a run at the selected time. The arrow keys on the slider select the previous and the next
    /// event, and page up and page down move by a second.
    static let script = """
        "use strict";
        for (const run of document.querySelectorAll(".run")) {
            const data = JSON.parse(run.querySelector("script").textContent);
            const all = (selector) => [...run.querySelectorAll(selector)];
            const [slider, output, states, views] = ["input", "output", ".states", ".views"].map((s) => run.querySelector(s));
            const cursors = all(".cursor"), logs = all(".log");
            const rows = logs.map((log) => [...log.querySelectorAll("tr[data-time]")]);
            const rowTimes = rows.map((list) => list.map((row) => Number(row.dataset.time)));
            const times = [...new Set(rowTimes.flat())].sort((a, b) => a - b);
            const last = (list, time) => {
                let [low, high] = [0, list.length];
                while (low < high) {
                    const middle = (low + high) >> 1;
                    if (list[middle] <= time) low = middle + 1; else high = middle;
                }
                return low - 1;
            };
            const seconds = (time) => (time / 1e6).toFixed(6).replace(/\\.?0+$/, "") + " s";
            const add = (parent, tag, text) => {
                const element = parent.appendChild(document.createElement(tag));
                if (text !== undefined) element.textContent = text;
                return element;
            };
            const images = data.views.map((view) => {
                const figure = add(views, "figure");
                const image = add(figure, "img");
                return [view, image, add(figure, "figcaption")];
            });
            const current = rows.map(() => null);
            const show = (time) => {
                time = Math.min(data.end, Math.max(0, time));
                slider.value = time;
                output.textContent = seconds(time);
                slider.setAttribute("aria-valuetext", seconds(time));
                for (const cursor of cursors) {
                    const drawing = cursor.ownerSVGElement.dataset;
                    const x = Number(drawing.left) + time / data.end * Number(drawing.width);
                    cursor.setAttribute("x1", x);
                    cursor.setAttribute("x2", x);
                    cursor.setAttribute("visibility", "visible");
                }
                for (const [view, image, caption] of images) {
                    const index = Math.max(0, last(view.times, time));
                    image.src = "data:image/jpeg;base64," + view.pictures[index];
                    image.alt = "The view of " + view.name + " at " + seconds(view.times[index]);
                    caption.textContent = view.name + " at " + seconds(view.times[index]);
                }
                states.textContent = "";
                const list = add(states, "dl");
                const item = (name, text) => { add(list, "dt", name); add(list, "dd", text); };
                for (const { lane, periods } of data.states) {
                    const period = periods.find((period) => period.start <= time && time < period.end);
                    item(lane, period ? period.name : "–");
                }
                for (const { queue, names, starts, durations } of data.work) {
                    const active = new Map();
                    for (let index = last(starts, time); index >= 0 && time - starts[index] < 5e6; index -= 1) {
                        if (starts[index] + durations[index] < time) continue;
                        const name = data.names[names[index]] + (durations[index] ? " for " + seconds(durations[index]) : "");
                        active.set(name, (active.get(name) || 0) + 1);
                    }
                    if (active.size === 0) continue;
                    item(queue, [...active].slice(0, 4).map(([name, count]) => (count > 1 ? count + " × " : "") + name).join("; "));
                }
                logs.forEach((log, index) => {
                    const row = rows[index][last(rowTimes[index], time)] || null;
                    if (row === current[index]) return;
                    if (current[index]) { current[index].classList.remove("at"); current[index].removeAttribute("aria-current"); }
                    current[index] = row;
                    if (!row) return;
                    row.classList.add("at");
                    row.setAttribute("aria-current", "true");
                    log.scrollTop = row.offsetTop - log.clientHeight / 2;
                });
            };
            const now = () => Number(slider.value);
            const go = {
                previous: () => { const next = times.filter((time) => time < now()).pop(); show(next === undefined ? 0 : next); },
                next: () => { const next = times.find((time) => time > now()); show(next === undefined ? data.end : next); },
                difference: () => show(data.difference),
            };
            for (const button of all("button")) button.addEventListener("click", () => go[button.dataset.go]());
            slider.addEventListener("input", () => show(now()));
            slider.addEventListener("keydown", (event) => {
                const action = { ArrowLeft: go.previous, ArrowDown: go.previous, ArrowRight: go.next, ArrowUp: go.next,
                    PageUp: () => show(now() + 1e6), PageDown: () => show(now() - 1e6) }[event.key];
                if (!action) return;
                event.preventDefault();
                action();
            });
            for (const drawing of all("svg")) {
                const select = (event) => {
                    const { left, width } = drawing.dataset;
                    const box = drawing.getBoundingClientRect();
                    const x = (event.clientX - box.left) / box.width * drawing.viewBox.baseVal.width;
                    show(Math.round((x - Number(left)) / Number(width) * data.end));
                };
                drawing.addEventListener("pointerdown", select);
                drawing.addEventListener("pointermove", (event) => { if (event.buttons & 1) select(event); });
            }
            rows.forEach((list) => list.forEach((row) => row.addEventListener("click", () => show(Number(row.dataset.time)))));
            for (const element of all("[hidden]")) element.hidden = false;
            show(data.difference === undefined ? times[0] || 0 : data.difference);
        }
        """
}
