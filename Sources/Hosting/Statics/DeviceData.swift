// The client's data as one process of an app has it.
// Guard: the thread that runs devices, one at a time; what is global is written before it starts.

internal import CStatics

/// One process's own copy of everything that is static in the client's modules: fresh at first, in place while its
/// client runs.
package final class DeviceData {
    private let image: OpaquePointer?

    /// Made when the process first enters client code.
    package init() {
        image = stampede_image_make()
        Self.counts.made += 1
    }

    /// Runs `body` as the last that needs it.
    package func close(_ body: () -> Void) {
        let before = stampede_image_in_place()
        bringIn()
        body()
        if before != image { stampede_image_switch(before) }
    }

    deinit {
        // Objects that the bytes refer to are not released: it is unknown which bytes are references.
        stampede_image_free(image)
        Self.counts.dropped += 1
    }

    /// Puts the data in its place. A comparison where it is there already.
    @inline(__always)
    package func bringIn() { stampede_image_switch(image) }
}

extension DeviceData {
    package struct Counts: Sendable {
        package var made = 0
        /// Each has left behind what its variables referred to.
        package var dropped = 0
    }

    nonisolated(unsafe) package fileprivate(set) static var counts = Counts()  // Guard: as the file says.

    /// Whether devices have data of their own right now: in this program there is some, and they run one at a time.
    ///
    /// Computed: asked at every call into client code, by another module, which would make sure of its access each time.
    package static var isExchanged: Bool { isInForce }
    @exclusivity(unchecked)
    nonisolated(unsafe) private static var isInForce = false  // Guard: as the file says.

    /// Bytes of one process's data; nil until `install`.
    nonisolated(unsafe) package private(set) static var size: Int?  // Guard: as the file says.

    /// An object in a static of its own type.
    package struct Singleton: Sendable {
        package let type: String
        package let property: String

        package init(type: String, property: String) { (self.type, self.property) = (type, property) }

        /// `Shop.shared`.
        package var name: String { "\(type).\(property)" }
    }

    /// One for all devices that run at once.
    package static var singletons: [Singleton] {
        variables.compactMap { FunctionName.singleton($0) }.sorted { $0.name < $1.name }
    }

    nonisolated(unsafe) private static var variables: [String] = []  // Guard: as the file says.

    /// Why devices shared what is there to exchange, if they did.
    nonisolated(unsafe) package private(set) static var sharing: Sharing?  // Guard: as the file says.

    package enum Sharing: Sendable {
        /// Several workers were threads of one process.
        case workers
        /// Devices run at once under the wall clock.
        case wallClock
    }

    nonisolated(unsafe) private static var isDecided = false  // Guard: as the file says.

    /// Takes the data as it is now for that of a process that has just begun. Once, before any client code has run.
    package static func install(_ data: ClientData) {
        precondition(size == nil, "the client's data is installed once")
        let regions = data.regions
        let objects = data.objects(in: regions)
        stampede_regions_install(regions, regions.count, objects, objects.count)
        variables = data.variables.map(\.name)
        size = regions.reduce(0) { $0 + $1.size }
    }

    /// Runs `body` with data exchanged from device to device if they run one at a time; what runs within it stays by that.
    package static func exchanging<Result, Failure>(
        oneAtATime: Bool, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if isDecided || size ?? 0 == 0 { return try body() }
        isDecided = true
        isInForce = oneAtATime
        if !oneAtATime { sharing = .workers }
        defer {
            leave()
            (isDecided, isInForce) = (false, false)
        }
        return try body()
    }

    /// Devices are about to run at once, all with the program's own data.
    package static func shareUnderWallClock() {
        if size ?? 0 > 0 { sharing = .wallClock }
    }

    /// Puts the program's own data back. At the end of a thread that has run devices, on that thread.
    package static func leave() {
        if isExchanged { stampede_image_leave() }
    }
}
