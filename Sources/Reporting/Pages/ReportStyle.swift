// How report.html looks, beyond what all pages share.

enum ReportStyle {
    // Lines have a contrast of 3 to 1 at least on either ground, and patterns of their own for the colour-blind.
    static let text = """
        :root { --c1: #0a5bbd; --c2: #b3450e; --c3: #176f2c; --c4: #7a3fb5; --c5: #8a5a00; --c6: #a3195b;
          --fault: #b3261e; }
        @media (prefers-color-scheme: dark) { :root { --c1: #6cb2ff; --c2: #ff9e64; --c3: #5fd07a; --c4: #c79bff;
          --c5: #f0b849; --c6: #ff8fc0; --fault: #ff8a80; } }
        .verdict { border-left: .5rem solid; padding: .2rem 0 .2rem 1.2rem; margin-bottom: 1.2rem; }
        .good-edge { border-color: var(--good); } .bad-edge { border-color: var(--bad); }
        .doubtful-edge { border-color: var(--doubtful); }
        .outcome { font-size: 1.6rem; font-weight: 700; margin: 0; line-height: 1.3; }
        .outcome .quiet { font-size: 1rem; font-weight: 400; margin-left: .5rem; }
        .verdict h1 { font-size: 1.3rem; margin: .2rem 0 .4rem; overflow-wrap: anywhere; }
        .verdict ul { padding-left: 1.2rem; margin: .2rem 0 .6rem; } .verdict li { overflow-wrap: anywhere; }
        .verdict h1 .quiet { font-size: 1rem; font-weight: 400; } .example, .next { margin: .5rem 0 .2rem; max-width: 60rem; }
        .command .word, li code .word { display: inline-block; max-width: 100%; white-space: normal; overflow-wrap: anywhere; }
        .next { color: var(--quiet); font-size: .9rem; } .small { font-size: .88rem; }
        .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.4rem, 1fr)); gap: .6rem; margin: 1rem 0 .4rem; }
        .tile { background: var(--panel); border-radius: 8px; padding: .6rem .6rem; }
        .tile dt { font-size: .85rem; line-height: 1.25; min-height: 2.5em; } .tile dd { margin: 0; } .tile small { color: var(--quiet); display: block; font-size: .78rem; }
        .tile .value { font-size: 1.45rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
        .tile .change { font-size: .85rem; display: block; } .spark { display: block; margin-top: .2rem; }
        .spark .line { stroke-width: 1.5; } .spark .dots { stroke-width: 5; }
        .dots { fill: none; stroke: currentColor; stroke-width: 6; stroke-linecap: round; vector-effect: non-scaling-stroke; }
        .facts { display: flex; flex-wrap: wrap; gap: .4rem 2rem; }
        .facts dt { font-size: .85rem; }
        .reasons { font-size: .92rem; } td small { display: block; color: var(--quiet); font-size: .8rem; }
        td .change { display: block; font-size: .85rem; white-space: nowrap; } td b { font-size: 1.05rem; } td .spark { width: 4.5rem; }
        nav { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; border-block: 1px solid var(--line); padding: .5rem 0; }
        a { color: var(--accent); text-underline-offset: .2em; }
        section { scroll-margin-top: 1rem; } h3 { font-size: 1rem; margin: 0; }
        table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
        caption { text-align: left; color: var(--quiet); padding: .2rem .4rem .5rem; font-size: .9rem; }
        th, td { text-align: left; padding: .35rem .7rem; border-top: 1px solid var(--line); vertical-align: top;
          font-weight: 400; }
        thead th { border-top: 0; color: var(--quiet); font-size: .85rem; white-space: nowrap; }
        .number { text-align: right; white-space: nowrap; }
        th small { display: block; color: var(--quiet); font-size: .8rem; max-width: 34rem; min-width: 11rem; }
        th code { white-space: nowrap; } th code + code { margin-left: .3rem; } .sub { padding-left: 1.2rem; color: var(--quiet); } .word { white-space: nowrap; }
        .scroll { margin: .6rem 0 1rem; } :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
        .badge { border: 1px solid; border-radius: 1rem; padding: .05rem .6rem; font-size: .8rem; white-space: nowrap; }
        .rule { border-top: 1px solid var(--line); padding: .3rem 0; } .rule > summary { margin: .3rem 0; }
        .rule > summary h3 { display: inline; } .rule > summary small { color: var(--quiet); margin-left: .4rem; }
        article { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1rem 0; }
        article p { margin: .2rem 0; max-width: 52rem; overflow-wrap: anywhere; } article summary { margin: .4rem 0; }
        .command { background: var(--panel); padding: .5rem .7rem; border-radius: 6px; margin: .4rem 0;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        pre.scroll { font-size: .85rem; line-height: 1.4; }
        .plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 1rem 2rem; }
        figure { margin: 0 0 1.5rem; min-width: 0; break-inside: avoid; } figcaption p { margin: 0; font-size: .9rem; }
        .plot { display: grid; grid-template-columns: 3.6rem 1fr; grid-template-rows: auto 1.6rem; padding: .8rem 1.4rem 0 0; }
        .plot svg { width: 100%; height: 100%; overflow: visible; display: block; grid-column: 2; grid-row: 1; }
        .plot.low { --height: 6.5rem; } .plot.high { --height: 13rem; } .plot.tall { --height: 20rem; }
        .plot .y { position: relative; height: var(--height); grid-column: 1; grid-row: 1; }
        .plot .y + svg { height: var(--height); }
        .plot .x { position: relative; grid-column: 2; grid-row: 2; }
        .plot span { position: absolute; font-size: .78rem; line-height: 1; color: var(--quiet); white-space: nowrap;
          font-variant-numeric: tabular-nums; }
        .plot .y span { right: .5rem; transform: translateY(50%); }
        .plot .x span { top: .5rem; transform: translateX(-50%); }
        .axis { font-size: .78rem; color: var(--quiet); } .x-axis { text-align: right; padding-right: 1.4rem; margin-top: -.2rem; }
        .limit { stroke: var(--bad); stroke-width: 1.5; stroke-dasharray: 8 4; vector-effect: non-scaling-stroke; fill: none; }
        .limits { position: relative; grid-column: 2; grid-row: 1; height: var(--height); pointer-events: none; }
        .plot .limit-label { color: var(--bad); transform: translateY(-.25rem); background: var(--ground);
          padding: 0 .2rem; } .plot .limit-label.below { transform: translateY(1.1rem); }
        .plot { position: relative; } .cursor { position: absolute; width: 1px; background: var(--text); opacity: .6;
          pointer-events: none; } .chosen { position: absolute; background: var(--accent); opacity: .2; pointer-events: none; }
        .tip-box { position: absolute; z-index: 2; background: var(--panel); color: var(--text); border: 1px solid var(--line);
          border-radius: 6px; padding: .3rem .5rem; font-size: .8rem; pointer-events: none; white-space: nowrap; }
        .tip-box b { display: block; } .legend button, .tools button { font: inherit; color: inherit; background: none;
          border: 1px solid var(--line); border-radius: 4px; padding: .1rem .5rem; cursor: pointer; }
        .legend button[aria-pressed="false"] { opacity: .55; text-decoration: line-through; }
        .tools { font-size: .85rem; color: var(--quiet); display: flex; gap: .8rem; align-items: baseline; flex-wrap: wrap; }
        [hidden] { display: none !important; }
        .plot .x .start { transform: none; } .plot .x .end { transform: translateX(-100%); }
        .grid { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; fill: none; opacity: .6; }
        .line { fill: none; stroke: currentColor; stroke-width: 2; vector-effect: non-scaling-stroke;
          stroke-linejoin: round; stroke-linecap: round; }
        .area { fill: currentColor; fill-opacity: .22; stroke: currentColor; stroke-width: 1.5;
          vector-effect: non-scaling-stroke; stroke-linejoin: round; }
        .c1 { color: var(--c1); } .c2 { color: var(--c2); } .c3 { color: var(--c3); } .c4 { color: var(--c4); }
        .c5 { color: var(--c5); } .c6 { color: var(--c6); } .line.c2 { stroke-dasharray: 7 4; }
        .line.c3 { stroke-dasharray: 1 5; } .line.c4 { stroke-dasharray: 10 4 1 4; } .line.c5 { stroke-dasharray: 4 4; }
        .line.c6 { stroke-dasharray: 14 5; }
        .heat { fill: var(--c1); } .h1 { fill-opacity: .14; } .h2 { fill-opacity: .3; } .h3 { fill-opacity: .46; }
        .h4 { fill-opacity: .62; } .h5 { fill-opacity: .8; } .h6 { fill-opacity: 1; }
        .s1 { fill: var(--c2); } .s2 { fill: var(--c5); } .s3 { fill: var(--quiet); fill-opacity: .45; }
        .s4 { fill: var(--c1); } .bar { display: block; width: 100%; min-width: 9rem; height: 1rem; margin-top: .25rem; }
        .stages li { display: flex; gap: .3rem; align-items: baseline; } .stages svg { flex: none; }
        .swatch { display: inline-block; width: 1.6rem; height: .8rem; margin-right: .5rem; background: var(--fault);
          opacity: .3; } .faults { margin-bottom: 0; } .windows { margin: 0 0 1rem; font-size: .9rem; }
        .key { font-size: .85rem; margin: -1rem 0 1.5rem 3.6rem; }
        .fault { fill: var(--fault); fill-opacity: .2; }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; padding: 0; margin: .4rem 0 0;
          font-size: .85rem; } .legend svg { margin-right: .4rem; vertical-align: middle; }
        @media (max-width: 30rem) { .plot .x .long { display: none; } .plot .x .start { display: none; } .verdict { padding-left: .8rem; }
          #thresholds th code { white-space: normal; overflow-wrap: anywhere; font-size: .8rem; }
          th, td { padding: .35rem .4rem; } thead th { white-space: normal; } .bar { min-width: 5rem; }
          .wide thead { display: none; } .wide, .wide tbody, .wide caption { display: block; }
          .wide tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: .2rem .4rem; padding: .4rem 0;
            border-top: 1px solid var(--line); }
          .wide th { grid-column: 1 / -1; } .wide th, .wide td { border: 0; padding: 0 .2rem; text-align: left; }
          .wide td:has(.bar), .wide td:has(.word) { grid-column: 1 / -1; } .wide th small { max-width: none; } .wide td:empty { display: none; }
          .wide td::before { content: attr(data-label); display: block; color: var(--quiet); font-size: .8rem; } }
        @media print { body { font-size: 11px; } nav { display: none; } details::details-content {
          content-visibility: visible; block-size: auto; } * { print-color-adjust: exact; } }
        """
}
