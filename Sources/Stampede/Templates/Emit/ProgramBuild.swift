// How machines that have nothing but the repository get the program: built once, handed to all parts.
// Pure; any thread.

struct ProgramBuild {
    /// An executable product of the repository's package.
    let product: String

    static let buildImage = "swift:6.3-bookworm"
    /// With Swift's libraries and without its compiler.
    static let runImage = "swift:6.3-bookworm-slim"

    static let buildPackages = "apt-get update -qq && apt-get install -y -qq libjemalloc-dev libsqlite3-dev"
    static let runPackages = "apt-get update -qq && apt-get install -y -qq libjemalloc2 libsqlite3-0"

    var build: String { "swift build -c release --product \(product)" }

    /// Into the folder `program`: the executable, what its modules read, and what names lines of code in reports.
    var gather: String {
        #"""
        bin=$(swift build -c release --show-bin-path)
        mkdir program
        cp "$bin/\#(product)" "$(command -v llvm-symbolizer)" program/
        find "$bin" -maxdepth 1 -name '*.resources' -exec cp -R {} program/ \;
        """#
    }
}
