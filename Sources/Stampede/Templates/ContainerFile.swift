// A program in a small image, run by a user without rights: of `init --package`, and of `emit kubernetes`.
// Pure; any thread.

struct ContainerFile {
    /// The lines above all else, each a comment.
    let head: String
    /// An executable product of the package.
    let product: String
    /// Where the package stands while it is built.
    let home: String
    /// Lines before it is copied there, each with its end.
    var before = ""
    /// Lines of the build once the program is there, each with its end.
    var after = ""
    /// A line that puts files into the image.
    let files: String

    var text: String {
        """
        \(head)
        FROM swift:6.3-bookworm AS build
        # hadolint ignore=DL3008
        RUN apt-get update \\
            && apt-get install -y --no-install-recommends libjemalloc-dev libsqlite3-dev \\
            && rm -rf /var/lib/apt/lists/*
        \(before)WORKDIR \(home)
        COPY . .
        RUN swift build -c release --product \(product) \\
            && cp "$(swift build -c release --show-bin-path)/\(product)" /usr/local/bin/
        \(after)
        FROM swift:6.3-bookworm-slim
        # hadolint ignore=DL3008
        RUN apt-get update \\
            && apt-get install -y --no-install-recommends libjemalloc2 libsqlite3-0 \\
            && rm -rf /var/lib/apt/lists/* \\
            && useradd --create-home --uid 1000 stampede
        COPY --from=build /usr/bin/llvm-symbolizer /usr/bin/
        COPY --from=build /usr/local/bin/\(product) /usr/local/bin/
        USER 1000
        WORKDIR /app
        \(files)
        ENTRYPOINT ["\(product)"]

        """
    }
}
