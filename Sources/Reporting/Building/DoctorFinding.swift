// What `stampede doctor` finds of a program, its sources and its client: facts, of which `DoctorWords` makes sentences.
// Values; any thread.

package import ReportModel
package import Simulation
package import Statics

package enum DoctorFinding {}

extension DoctorFinding {
    package enum Program: Sendable {
        /// Dispatch, tasks, waits, clocks, files and URLSession are each device's own.
        case runtimeInForce
        /// They are the machine's.
        ///
        /// - Parameter obstacle: nil: another library stands in front of the system's functions.
        case runtimeAway(ClientData.Obstacle?)
        /// The runtime was not tried with the program's Swift, or lacks something of it.
        case untriedSwift(SwiftLibraries)
        case noOwnClients
        case noStaticData
        /// - Parameter owners: how many variables each module has; the name of C's is empty.
        case staticData(owners: [String: Int])
        case staticDataSharedUnderWallClock
        /// Devices share data, because the program or library at this path has no symbols.
        case stripped(path: String)
        /// Devices share a variable whose module is unknown.
        case unplaced(variable: String?)
        case noLines
        /// The kernel does not keep client code from signalling other processes past the C library.
        case signalsLeave
    }

    package enum Sources: Sendable {
        case noStoreKitGaps(places: [String])
        /// - Parameters:
        ///   - name: a part of StoreKit 2 that is not simulated.
        ///   - more: how many further places use such parts.
        ///   - compiles: whether they compile all the same.
        case storeKitGap(SourcePlace, name: String, more: Int, compiles: Bool)
        case subclassMethod(SubclassMethod)
        /// - Parameters:
        ///   - isOfSystems: whether the condition begins with the name of a system.
        ///   - lines: which Linux does not compile.
        case excludedMethods(
            SourcePlace, condition: String, isOfSystems: Bool, lines: ClosedRange<Int>, methods: [String])
        /// - Parameter folder: of the module, whose files do not import on Linux what they use.
        case modulesNotImported(folder: String, [ModuleUse])
        /// The files import modules that Linux lacks and this package has as products; the first of each.
        case productsImported([ModuleUse])
        /// The sources are of no client of this program, whose users run another one.
        case notRun(client: String)
    }

    package enum Client: Sendable {
        /// The client crashed, hung or ended its process.
        ///
        /// - Parameter evidence: the sentence of a finding that tells more.
        case ended(Report.Reason, evidence: String?)
        case asked(RequestKind, times: Int, tried: Int)
        case askedInVain(RequestKind, times: Int, Refusal)
        /// - Parameter first: the sentence of the first one's finding.
        case unanswered(requests: Int, first: String)
        /// - Parameter longest: how long after the callback that decides it an answer came, in nanoseconds.
        case answered(longest: Int64)
        case goodsShown
        case goodsNeverShown
        case taskJobs(Int)
        /// - Parameter isSentSignedData: whether requests to such servers hold what StoreKit signed.
        case unknownServer(ClientRemarks.Remark, first: String, isSentSignedData: Bool)
        case usesStoreKit2(ClientRemarks.Remark)
        case neverReadsUpdates
        /// Neither what is unfinished nor what its user owns.
        case neverReadsRecord
        /// - Parameter sentence: of the first finding.
        case listensTooLate(sentence: String)
        case stopsListening(sentence: String)
        /// What the users found only when StoreKit could not verify some of what it handed over.
        case foundOfUnverified([RuleCount])
        /// What a report of a run says of its client.
        case noted(String, isObstacle: Bool)
        case found([RuleCount])
        case foundNothing
    }

    package struct SourcePlace: Sendable {
        package let file: String
        package let line: Int

        package init(_ file: String, _ line: Int) { (self.file, self.line) = (file, line) }
    }

    /// The first use of a module that is none of Linux's.
    package struct ModuleUse: Sendable {
        package enum Kind: Sendable {
            /// Another import brings this name along on Apple's systems.
            case name(String)
            /// The import stands under a condition that does not hold on Linux.
            case excludedImport(condition: String)
            case plainImport
            /// The import of StoreKit stands under a condition that asks for the module.
            case condition(String)
        }

        package let module: String
        package let place: SourcePlace
        package let kind: Kind

        package init(_ module: String, _ place: SourcePlace, _ kind: Kind) {
            (self.module, self.place, self.kind) = (module, place, kind)
        }
    }

    /// Why an app may never have called StoreKit.
    package enum Refusal: Sendable {
        /// It looked for its receipt, and there was none.
        case missingReceipt
        /// It may not know the products.
        case refused
        case unknown
    }

    package struct RuleCount: Sendable {
        package let rule: String
        package let count: Int

        package init(_ rule: String, _ count: Int) { (self.rule, self.count) = (rule, count) }
    }
}
