// `ObservableObject` and `@Published` without OpenCombine: what a store that views would show is written with.
// Any thread: locks guard the receivers. The object guards its properties, as on Apple's systems.

#if !Combine
    internal import Foundation

    /// An object that announces that it is about to change.
    public protocol ObservableObject: AnyObject {
        associatedtype ObjectWillChangePublisher = ObservableObjectPublisher
        /// Sends before one of the object's `@Published` properties changes.
        var objectWillChange: ObjectWillChangePublisher { get }
    }

    extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
        /// One for all `@Published` properties of the object; without such a property a new one each time.
        public var objectWillChange: ObservableObjectPublisher {
            var mirror: Mirror? = Mirror(reflecting: self)
            var shared: ObservableObjectPublisher?
            while let level = mirror {
                for case let property as any PublishedProperty in level.children.map(\.value) {
                    let publisher = shared ?? property.publisher ?? ObservableObjectPublisher()
                    property.publisher = publisher
                    shared = publisher
                }
                mirror = level.superclassMirror
            }
            return shared ?? ObservableObjectPublisher()
        }
    }

    /// Tells its receivers that an object is about to change.
    public final class ObservableObjectPublisher: @unchecked Sendable {  // Guard: `lock`.
        /// A change is announced without a value.
        public typealias Output = Void

        private let lock = NSLock()
        private var receivers: [Int: () -> Void] = [:]
        private var latest = 0

        public init() {}

        /// Calls every receiver, in the order in which they came.
        public func send() {
            let receivers = lock.withLock { self.receivers.sorted { $0.key < $1.key } }
            for (_, receive) in receivers { receive() }
        }

        /// Calls `receiveValue` at each change, until the result is cancelled or freed.
        public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
            let number = lock.withLock {
                latest += 1
                receivers[latest] = { receiveValue(()) }
                return latest
            }
            return AnyCancellable { [weak self] in
                guard let self else { return }
                // Freed after the lock is.
                let last = lock.withLock { receivers.removeValue(forKey: number) }
                withExtendedLifetime(last) {}
            }
        }
    }

    /// What can be cancelled.
    public protocol Cancellable {
        func cancel()
    }

    /// Cancels once: when it is asked to, or when it is freed.
    public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {  // Guard: `lock`.
        private let lock = NSLock()
        private var body: (() -> Void)?

        public init(_ cancel: @escaping () -> Void) { body = cancel }

        deinit { cancel() }

        public func cancel() {
            let body = lock.withLock {
                defer { self.body = nil }
                return self.body
            }
            body?()
        }

        /// Keeps it in a set of its owner's.
        public func store(in set: inout Set<AnyCancellable>) { set.insert(self) }

        /// Keeps it in a collection of its owner's.
        public func store(in collection: inout some RangeReplaceableCollection<AnyCancellable>) {
            collection.append(self)
        }

        public static func == (one: AnyCancellable, other: AnyCancellable) -> Bool { one === other }
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }

    /// A property of a class that announces its changes through `objectWillChange`.
    @propertyWrapper
    public struct Published<Value>: PublishedProperty {
        private final class State {
            var value: Value
            var publisher: ObservableObjectPublisher?

            init(_ value: Value) { self.value = value }
        }

        private let state: State

        fileprivate var publisher: ObservableObjectPublisher? {
            get { state.publisher }
            nonmutating set { state.publisher = newValue }
        }

        public init(wrappedValue: Value) { state = State(wrappedValue) }
        public init(initialValue: Value) { state = State(initialValue) }

        @available(*, unavailable, message: "@Published belongs to properties of classes")
        public var wrappedValue: Value {
            get { state.value }
            nonmutating set { state.value = newValue }
        }

        /// Reads and writes the property of an object.
        public static subscript<Object: AnyObject>(
            _enclosingInstance object: Object, wrapped _: ReferenceWritableKeyPath<Object, Value>,
            storage storage: ReferenceWritableKeyPath<Object, Published<Value>>
        ) -> Value {
            get { object[keyPath: storage].state.value }
            set {
                let state = object[keyPath: storage].state
                state.publisher?.send()
                state.value = newValue
            }
        }
    }

    /// What `objectWillChange` looks for among an object's properties.
    private protocol PublishedProperty {
        var publisher: ObservableObjectPublisher? { get nonmutating set }
    }

#endif
