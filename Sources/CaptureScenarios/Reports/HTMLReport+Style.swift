extension HTMLReport {
    /// The style sheet. Text has a contrast ratio of at least 4.5:1 in both color schemes (WCAG 2.2, 1.4.3).
    static let style = """

        :root { color-scheme: light dark; --text: #1c1c1e; --page: #fff; --muted: #5c5c63; --line: #d5d5da;
        --good: #1a7f37; --bad: #b3261e; --event: #0a5fb4; --panel: #f5f5f7; --frame: #8a8a92;
        --running: #cfe3f8; --interrupted: #f6d6a8; --recording: #f7c9c5; --paused: #e3e3e8;
        --expected: #fbe4e2; --seen: #dff3e4; }
        @media (prefers-color-scheme: dark) { :root { --text: #f2f2f4; --page: #161618; --muted: #adadb5;
        --line: #3c3c42; --good: #5fd083; --bad: #ff8a80; --event: #7cbcff; --panel: #212124; --frame: #85858e;
        --running: #1d3f63; --interrupted: #6b4a14; --recording: #6d2a26; --paused: #3c3c42;
        --expected: #4a1f1c; --seen: #173a22; } }
        * { box-sizing: border-box; }
        body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--page); margin: 0 auto;
        max-width: 1100px; padding: 1rem 1.5rem 4rem; overflow-wrap: anywhere; }
        h1 { font-size: 1.6rem; margin: .6rem 0; } h2 { font-size: 1.25rem; margin: 0; }
        h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; } h4 { font-size: .9rem; margin: .8rem 0 .3rem; }
        .pass-rate { height: 6px; border-radius: 3px; background: var(--bad); overflow: hidden; }
        .pass-rate div { height: 100%; background: var(--good); }
        nav ul { list-style: none; padding: 0; columns: 22rem 2; } nav li { padding: .1rem 0; break-inside: avoid; }
        a { color: var(--event); }
        .skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; top: 1rem; background: var(--page);
        padding: .5rem 1rem; z-index: 1; }
        :focus-visible { outline: 3px solid var(--event); outline-offset: 2px; }
        section { border-top: 1px solid var(--line); padding: 1.5rem 0; scroll-margin-top: 1rem; }
        .file { color: var(--muted); margin: .1rem 0 .8rem; font-size: 13px; }
        .badge { font-size: .85rem; font-weight: 600; white-space: nowrap; }
        .good { color: var(--good); } .bad { color: var(--bad); }
        .failure { border-left: 4px solid var(--bad); padding-left: .8rem; }
        .scroll { overflow-x: auto; }
        table { border-collapse: collapse; width: 100%; margin: .4rem 0; }
        caption { text-align: left; font-weight: 600; padding-bottom: .2rem; }
        th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
        .verdicts { table-layout: fixed; min-width: 620px; } .verdicts th:nth-child(1) { width: 6.2rem; }
        .verdicts th:nth-child(2) { width: 3.2rem; } .verdicts th:nth-child(3) { width: 34%; }
        thead th { color: var(--muted); font-weight: 600; font-size: 13px; }
        td:first-child, td:nth-child(2) { white-space: nowrap; }
        pre { background: var(--panel); border-radius: 4px; padding: .6rem .8rem; overflow-x: auto; margin: .4rem 0;
        font: 12.5px/1.5 ui-monospace, monospace; overflow-wrap: normal; }
        .difference td { font: 12.5px/1.4 ui-monospace, monospace; padding: .1rem .8rem .1rem .4rem; border: 0;
        white-space: pre; }
        .difference .expected td { background: var(--expected); } .difference .seen td { background: var(--seen); }
        .gap td { color: var(--muted); }
        svg { display: block; width: 100%; min-width: 640px; height: auto; }
        svg text { font: 12px system-ui, sans-serif; fill: var(--muted); } svg text.step { font-size: 11px; fill: var(--text); }
        svg text.lane { font-weight: 600; }
        .axis { stroke: var(--line); } circle.event { fill: var(--event); stroke: var(--page); }
        path.bad { fill: var(--bad); stroke: var(--page); }
        path.frame { stroke: var(--frame); stroke-width: 1; } path.work { stroke: var(--event); stroke-width: 11; }
        svg text.queue { font-size: 11px; } .cursor { stroke: var(--text); stroke-width: 1.5; }
        .difference { stroke: var(--bad); stroke-width: 2; } .state.in { fill: var(--recording); }
        .time { text-anchor: middle; }
        .state.running { fill: var(--running); } .state.interrupted { fill: var(--interrupted); }
        .state.recording { fill: var(--recording); } .state.paused { fill: var(--paused); }
        .unmet { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 5 4; }
        [hidden] { display: none !important; }
        .run svg { touch-action: pan-x; cursor: crosshair; }
        .controls { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; position: sticky; top: 0;
        background: var(--page); padding: .4rem 0; z-index: 1; } .controls input { flex: 1; min-width: 8rem; }
        .controls output { min-width: 6.5rem; font-variant-numeric: tabular-nums; }
        button { font: inherit; color: var(--text); background: var(--panel); border: 1px solid var(--muted);
        border-radius: 4px; padding: .15rem .6rem; }
        .now { display: flex; flex-wrap: wrap; gap: 1rem; margin: .6rem 0; min-height: 12rem; align-items: flex-start; }
        .views { display: flex; flex-wrap: wrap; gap: .6rem; } .views img { display: block; height: 160px; border-radius: 4px; }
        .states { flex: 1; min-width: 16rem; } dl { display: grid; grid-template-columns: minmax(7rem, max-content) 1fr;
        gap: .1rem .8rem; margin: 0; font-size: 13px; } dt { color: var(--muted); } dd { margin: 0; }
        .logs { display: flex; flex-wrap: wrap; gap: 1rem; } .log { flex: 1 1 24rem; min-width: 0; max-height: 24rem;
        overflow: auto; position: relative; border: 1px solid var(--line); border-radius: 4px; padding: 0 .6rem;
        font-size: 13px; } .log td { padding: .1rem .6rem .1rem 0; } .log .at td { background: var(--running); }
        .log .differs td { border-top: 2px solid var(--bad); border-bottom: 2px solid var(--bad); }
        figure { margin: 0; } figcaption { color: var(--muted); font-size: 12.5px; }
        .files { display: flex; flex-wrap: wrap; gap: 1rem; } .files figure { max-width: 320px; }
        .files img, .files video { max-width: 100%; max-height: 320px; border-radius: 4px; background: var(--panel); }
        .frames { list-style: none; padding: 0; margin: 0; display: grid; gap: .8rem .6rem;
        grid-template-columns: repeat(auto-fill, minmax(130px, 1fr)); }
        .frames img { display: block; width: 100%; max-height: 150px; object-fit: contain; object-position: left;
        border-radius: 4px; }
        details { margin-top: .8rem; } summary { cursor: pointer; color: var(--event); width: fit-content; }
        @media (max-width: 640px) { body { padding: .5rem .8rem 2rem; } th, td { padding-right: .5rem; }
        .verdicts { min-width: 0; font-size: 13px; } .verdicts th:nth-child(1) { width: 5rem; }
        .verdicts th:nth-child(2) { width: 2.9rem; } .verdicts th:nth-child(3) { width: 40%; } }
        @media print { details:not([open]) > * { display: block; } .skip, nav { display: none; } }

        """
}
