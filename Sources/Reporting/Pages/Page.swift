// The frame of every HTML page: one file, no network, light and dark, whole without its script.
// Pure; any thread.

import Text

package enum Page {
    /// - Parameter script: of our own, for what a page does beyond saying everything.
    package static func render(title: String, style: String, body: String, script: String = "") -> String {
        """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(HTMLText.escaped(title))</title>
        <style>
        \(base)
        \(style)
        </style>
        </head>
        <body>
        <main>
        \(body)
        </main>
        \(script.isEmpty ? "" : "<script>\n\(script)\n</script>")
        </body>
        </html>

        """
    }

    // Colours have a contrast of 4.5 to 1 at least, on both grounds.
    private static let base = """
        :root { --ground: #ffffff; --panel: #f5f6f8; --text: #1b1f24; --quiet: #57606a; --line: #c9d1d9;
          --accent: #0a5bbd; --good: #176f2c; --bad: #b3261e; --doubtful: #8a5a00; }
        @media (prefers-color-scheme: dark) { :root { --ground: #14181d; --panel: #1d232a; --text: #e6e9ec;
          --quiet: #9aa5b1; --line: #3d4752; --accent: #6cb2ff; --good: #5fd07a; --bad: #ff8a80; --doubtful: #f0b849; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--text);
          font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
        main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .5rem; }
        h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
        .story { font-size: 1.05rem; max-width: 48rem; }
        .good { color: var(--good); } .bad { color: var(--bad); } .doubtful { color: var(--doubtful); }
        .quiet, time { color: var(--quiet); }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 1rem 0; }
        dt { color: var(--quiet); } dd { margin: 0; overflow-wrap: anywhere; }
        code, time, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; }
        .scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 6px; padding: .5rem; }
        ol { padding-left: 2.5rem; }
        summary { cursor: pointer; margin: 1rem 0; }
        @media print { .scroll { overflow: visible; border: 0; } .scroll svg { max-width: 100%; height: auto; }
          details { display: block; } }
        """
}
