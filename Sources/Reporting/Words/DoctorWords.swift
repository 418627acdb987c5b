// What `stampede doctor` says of what it found, and what to do about it.
// Pure; any thread.

package import ReportModel
import Simulation
import Statics

extension DoctorReport.Section {
    package static func ofProgram(_ program: [DoctorFinding.Program], _ sources: [DoctorFinding.Sources]) -> Self {
        Self("The program", program.map(\.check) + sources.map(\.check))
    }

    package static func ofClient(_ name: String, users: Int, _ findings: [DoctorFinding.Client]) -> Self {
        Self("\(name), by \(HumanNumbers.quantity(users, "user"))", findings.map(\.check))
    }
}

/// Answers that come later than this after the callback that decides them keep people waiting.
private let answerDelayMax: Int64 = 1_000_000_000

extension DoctorFinding.Program {
    fileprivate var check: DoctorReport.Check {
        switch self {
        case .runtimeInForce:
            DoctorReport.Check(
                .good, "Each device has its own Dispatch, tasks, waits, clocks, files and URLSession")
        case .runtimeAway(let obstacle):
            DoctorReport.Check(
                .bad, "Devices share the machine's Dispatch, tasks and clocks, because \(Self.reason(obstacle))",
                hint: "if that is impossible, use perDevice and the file that `stampede glue` prints")
        case .untriedSwift(let swift):
            DoctorReport.Check(
                swift.missing.isEmpty ? .note : .bad, swift.problem.prefix(1).uppercased() + swift.problem.dropFirst(),
                hint: SwiftLibraries.remedy)
        case .noOwnClients:
            DoctorReport.Check(.note, "The program has no clients of its own: the shipped clients keep no statics")
        case .noStaticData: DoctorReport.Check(.good, "The client's modules keep no static data")
        case .staticData(let owners):
            DoctorReport.Check(.good, "Each device has its own static data of \(Self.list(owners))")
        case .staticDataSharedUnderWallClock:
            DoctorReport.Check(
                .note, "Under the wall clock devices run at once and share static data",
                hint: "for `--clock wall`: make singletons `static var shared: Shop { perDevice { Shop() } }`")
        case .stripped(let path):
            DoctorReport.Check(
                .bad, "Devices share static data: \(path) has no symbols",
                hint: "build it without strip and without -s")
        case .unplaced(let variable):
            DoctorReport.Check(
                .note, "Devices share a variable whose module is unknown" + (variable.map { ": \($0)" } ?? ""),
                hint: "list it in exclude: of Stampede.main(clients:statics:) if that is right")
        case .noLines:
            DoctorReport.Check(
                .note, "Findings name functions but no lines: there is no llvm-symbolizer",
                hint: "install it with Swift's toolchain or with LLVM")
        case .signalsLeave:
            DoctorReport.Check(
                .note,
                "Client code that bypasses the C library can signal other processes: this kernel does not prevent it",
                hint: "Linux 6.12 prevents it, with Landlock; `kill` and similar functions are refused everywhere")
        }
    }

    private static func reason(_ obstacle: ClientData.Obstacle?) -> String {
        switch obstacle {
        case .staticRuntime: "the program is linked with Swift's libraries statically: build without -static-stdlib"
        case .sanitizer: "the program is built with a sanitizer: build without --sanitize"
        default: "another library replaces the system's functions: start it without LD_PRELOAD"
        }
    }

    /// `Shop (12 variables), ShopKit (1 variable)`
    private static func list(_ owners: [String: Int]) -> String {
        HumanNumbers.list(
            owners.sorted { $0.key < $1.key }.map { owner, count in
                "\(owner.isEmpty ? "C" : owner) (\(HumanNumbers.quantity(count, "variable")))"
            })
    }
}

extension DoctorFinding.Sources {
    fileprivate var check: DoctorReport.Check {
        switch self {
        case .noStoreKitGaps(let places):
            return DoctorReport.Check(
                .good, "All that the code in \(places.joined(separator: ", ")) uses of StoreKit is simulated")
        case .storeKitGap(let place, let name, let more, let compiles):
            let others = more > 0 ? " (and other such parts at \(HumanNumbers.quantity(more, "more place")))" : ""
            if compiles {
                return DoctorReport.Check(
                    .note, "\(place.words) uses \(name)\(others): it compiles, and is not simulated yet",
                    hint: "a call of it throws")
            }
            return DoctorReport.Check(
                .bad, "\(place.words) uses \(name)\(others), which Stampede's StoreKit does not have",
                hint: "leave the file out, or its lines: #if !os(Linux)")
        case .productsImported(let uses):
            return DoctorReport.Check(
                .note,
                "The code imports modules that Linux lacks and this package has: "
                    + uses.map(\.words).joined(separator: "; "),
                hint: "the target needs \(Self.products(uses)) among its dependencies")
        case .notRun(let client):
            return DoctorReport.Check(
                .note, "This code was read and not run: the users below run the shipped client \(client)",
                hint: "`\(CommandName.words) init --package` writes a program that runs it, and its own `doctor`")
        case .subclassMethod(let method):
            let place = method.file.flatMap { file in method.line.map { "\(file):\($0): " } } ?? ""
            return DoctorReport.Check(
                .bad,
                "\(place)only the subclass \(method.type) has \(method.name), so StoreKit does not call it on Linux: the class "
                    + "that conforms to the protocol, \(method.conforming), lacks it",
                hint: "implement \(method.name) in \(method.conforming), and write `override` in \(method.type)")
        case .excludedMethods(let place, let condition, let isOfSystems, let lines, let methods):
            return DoctorReport.Check(
                .bad,
                "\(place.words): Linux does not compile lines \(lines.lowerBound) to \(lines.upperBound), under "
                    + "`\(condition)`, so StoreKit does not call their methods: \(methods.joined(separator: ", "))",
                hint: isOfSystems
                    ? "write `\(condition) || os(Linux)`, and import the modules that the lines need: the guide on modules that "
                        + "Linux lacks lists them"
                    : "make the condition true for os(Linux)")
        case .modulesNotImported(let folder, let uses):
            let file = AddedFile.of(folder: folder, modules: uses.map(\.module))
            return DoctorReport.Check(
                .note,
                "Files in \(folder) use modules that they do not import on Linux: "
                    + uses.map(\.words).joined(separator: "; "),
                hint:
                    "add \(Self.products(uses)) to the target's dependencies, and "
                    + "add one file, \(file.path):",
                file: file)
        }
    }

    private static func products(_ uses: [DoctorFinding.ModuleUse]) -> String {
        "the product\(uses.count == 1 ? "" : "s") \(HumanNumbers.list(uses.map(\.module)))"
    }
}

/// One file has all files of its module see other modules.
private enum AddedFile {
    static func of(folder: String, modules: [String]) -> DoctorReport.File {
        DoctorReport.File(
            path: "\(folder)/AppleModules.swift",
            lines: ["// Modules that other imports include on Apple's systems, for all files of this module."]
                + modules.map { "@_exported import \($0)" })
    }
}

extension DoctorFinding.ModuleUse {
    fileprivate var words: String {
        switch kind {
        case .name(let name): "\(place.words) uses \(name) of \(module)"
        case .plainImport: "\(place.words) imports \(module)"
        case .excludedImport(let condition):
            "\(place.words) imports \(module) under `\(condition)`, which Linux does not compile"
        case .condition(let condition):
            "\(place.words) imports StoreKit under `\(condition)`, which Linux compiles only with \(module)"
        }
    }
}

extension DoctorFinding.Client {
    fileprivate var check: DoctorReport.Check {
        switch self {
        case .ended(let reason, let evidence): return DoctorReport.Check(.bad, reason.sentence, hint: evidence)
        case .asked(let kind, let asked, let tried):
            return DoctorReport.Check(
                .good,
                "\(Self.member(kind)) was called \(Self.times(asked)), and the app called StoreKit \(Self.times(tried))"
            )
        case .askedInVain(let kind, let asked, let refusal):
            return DoctorReport.Check(
                .bad, "\(Self.member(kind)) was called \(Self.times(asked)), but the app never called StoreKit",
                hint: Self.hint(kind, refusal))
        case .unanswered(let requests, let first):
            return DoctorReport.Check(
                .bad, "The app did not answer \(HumanNumbers.quantity(requests, "request")). The first: \(first)",
                hint: "every path through the app's code has to call the completion, or return, exactly once")
        case .answered(let longest):
            let delay = HumanNumbers.duration(nanoseconds: longest)
            if longest > answerDelayMax {
                return DoctorReport.Check(
                    .note, "Answers come up to \(delay) after the callback that decides them",
                    hint: "users wait this long although everything is done")
            }
            let when = longest == 0 ? "as soon as it was decided" : "at most \(delay) after it was decided"
            return DoctorReport.Check(.good, "The app answered every request, \(when)")
        case .goodsShown: return DoctorReport.Check(.good, "`holdings` showed the bought goods")
        case .goodsNeverShown:
            return DoctorReport.Check(
                .bad, "`holdings` never showed any bought goods",
                hint:
                    "it has to read durable storage, by product identifier, as a launch after a crash would"
            )
        case .taskJobs(let count):
            return DoctorReport.Check(
                .good, "\(HumanNumbers.quantity(count, "job")) of Swift's tasks ran as events of their devices")
        case .unknownServer(let remark, let first, let isSentSignedData):
            let deed = isSentSignedData ? "sends what StoreKit signed to" : "calls"
            return DoctorReport.Check(
                .bad, "The app \(deed) a server that the scenario does not describe, and gets no answer: \(first)",
                hint: "add to the scenario: `\(ServerWords.stubs(for: remark))`, with your server's answer")
        case .usesStoreKit2(let remark):
            return DoctorReport.Check(.good, RemarkWords(places: [:]).sentence(remark))
        case .neverReadsUpdates:
            return DoctorReport.Check(
                .note,
                "The app never reads `Transaction.updates`: approvals, renewals, refunds and purchases from other devices "
                    + "reach it late or never",
                hint: "start a task in `launch` that reads it for as long as the app runs")
        case .neverReadsRecord:
            return DoctorReport.Check(
                .note,
                "The app reads neither `Transaction.unfinished` nor current entitlements: after a reinstall or on another "
                    + "device it does not know what its user owns",
                hint: "read both at each launch")
        case .listensTooLate(let sentence):
            return DoctorReport.Check(
                .note, "The app began to read `Transaction.updates` after its launch: \(sentence)",
                hint: "start the task that reads it in `launch`")
        case .stopsListening(let sentence):
            return DoctorReport.Check(
                .note, "The app stopped reading `Transaction.updates`: \(sentence)",
                hint: "keep the task that reads it, and do not end its loop at an element that cannot be verified")
        case .foundOfUnverified(let rules):
            if rules.isEmpty {
                return DoctorReport.Check(
                    .good, "Where StoreKit cannot verify half of the transactions at first, the users find the same")
            }
            return DoctorReport.Check(
                .note,
                "When StoreKit could not verify half of the transactions at first, the users also found: "
                    + rules.map { "\($0.rule) \(HumanNumbers.count($0.count))" }.joined(separator: ", "),
                hint: "grant and finish only what is `.verified`, and deliver the same transaction when it comes again")
        case .noted(let note, let isObstacle): return DoctorReport.Check(isObstacle ? .bad : .note, note)
        case .found(let rules):
            let texts = rules.map { "\($0.rule) \(HumanNumbers.count($0.count))" }
            return DoctorReport.Check(
                .note, "The users found: \(texts.joined(separator: ", "))",
                hint: "`\(CommandName.words) run` shows the details")
        case .foundNothing:
            return DoctorReport.Check(.good, "These few users found nothing wrong: run thousands of users next")
        }
    }

    private static func hint(_ kind: RequestKind, _ refusal: DoctorFinding.Refusal) -> String {
        switch refusal {
        case .missingReceipt:
            "the app looked for its receipt, but there was none: a device has a receipt after the first purchase, restore "
                + "or refresh (SKReceiptRefreshRequest); refresh the receipt first, or continue without it"
        case .refused: "the app may not know these products: give its own StoreKit configuration file with --catalog"
        case .unknown: "check \(member(kind)): it has to call the app's code, which has to call StoreKit"
        }
    }

    private static func member(_ kind: RequestKind) -> String { "`\(kind.member)`" }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(HumanNumbers.count(count)) times" }
}

extension DoctorFinding.SourcePlace {
    fileprivate var words: String { "\(file):\(line)" }
}
