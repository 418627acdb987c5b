// Combine as purchase code uses it, in a plain unit test and on simulated devices under both clocks. With its trait only.

#if Combine
    import ClientKit
    import Combine
    import Dispatch
    import Foundation
    import RuntimePrograms
    import Simulation
    import StandaloneUse
    import Testing
    import UIKit

    private final class Store: ObservableObject {
        @Published private(set) var purchased: Set<String> = []
        @Published var isLoading = false
        let failures = PassthroughSubject<String, Never>()
        let balance = CurrentValueSubject<Int, Never>(0)
        private var cancellables = Set<AnyCancellable>()
        private(set) var heard: [String] = []

        func hear(_ line: String) { heard.append("\(line) \(Thread.isMainThread)") }

        init() {
            NotificationCenter.default.publisher(for: Notification.Name("shop.bought"))
                .compactMap { $0.userInfo?["product"] as? String }
                .sink { [weak self] in self?.purchased.insert($0) }
                .store(in: &cancellables)
            $purchased.dropFirst().map(\.count).removeDuplicates()
                .receive(on: DispatchQueue.main)
                .sink { [weak self] in self?.hear("purchased \($0)") }
                .store(in: &cancellables)
            failures.debounce(for: .milliseconds(100), scheduler: DispatchQueue.main)
                .sink { [weak self] in self?.hear("failed \($0)") }
                .store(in: &cancellables)
            balance.dropFirst().receive(on: OperationQueue.main)
                .sink { [weak self] in self?.hear("balance \($0)") }
                .store(in: &cancellables)
            balance.dropFirst().receive(on: RunLoop.main)
                .sink { [weak self] in self?.hear("loop \($0)") }
                .store(in: &cancellables)
            $isLoading.merge(with: Just(true)).filter { $0 }.first()
                .sink { [weak self] _ in self?.hear("merged") }
                .store(in: &cancellables)
            objectWillChange.first().sink { [weak self] in self?.hear("changes") }.store(in: &cancellables)
        }

        func product(_ identifier: String) -> AnyPublisher<String, Error> {
            Deferred {
                Future<String, Error> { promise in
                    DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { promise(.success(identifier)) }
                }
            }
            .retry(1).timeout(.seconds(5), scheduler: DispatchQueue.main).receive(on: DispatchQueue.main)
            .eraseToAnyPublisher()
        }

        func start() {
            DispatchQueue.global().async { [self] in
                NotificationCenter.default.post(
                    name: Notification.Name("shop.bought"), object: nil, userInfo: ["product": "coins"])
                DispatchQueue.main.async { [self] in
                    failures.send("a")
                    failures.send("b")
                    balance.send(7)
                }
            }
            product("lives").sink(
                receiveCompletion: { [weak self] in self?.hear("\($0)") },
                receiveValue: { [weak self] in self?.hear($0) }
            ).store(in: &cancellables)
            Timer.publish(every: 0.02, on: .main, in: .common).autoconnect().prefix(2)
                .sink { [weak self] _ in self?.hear("tick") }
                .store(in: &cancellables)
        }

        static let expected = [
            "balance 7 true", "changes false", "failed b true", "finished true", "lives true", "loop 7 true",
            "merged true",
            "purchased 1 true", "tick true", "tick true",
        ]
    }

    @Suite(.enabled(if: AppRuntime.isInForce)) struct CombineTests {
        @Test func publishersDeliverOnTheirDevice() {
            FoundationHooks.install()
            let (first, second) = (ProgramDevice(), ProgramDevice())
            var stores: [Store] = []
            for device in [first, second] {
                #expect(
                    device.run {
                        let store = Store()
                        stores.append(store)
                        if stores.count == 1 { store.start() }
                    })
            }
            #expect(stores[0].heard.sorted() == Store.expected)
            #expect(stores[1].heard == ["merged true"])
        }

        @Test func publishersDeliverOnTheirDeviceUnderTheWallClock() {
            FoundationHooks.install()
            let devices = WallDevices(4)
            let stores = Stores()
            let isQuiet = devices.run { number in
                let store = Store()
                stores.add(store)
                if number % 2 == 0 { store.start() }
            }
            #expect(isQuiet)
            let heard = stores.all.map { $0.heard.sorted() }.sorted { $0.count < $1.count }
            #expect(heard == [["merged true"], ["merged true"], Store.expected, Store.expected])
        }

        @Test func combineLatestEmitsTheLatestOfBoth() {
            enum Failure: Error { case broken }
            let (names, counts) = (PassthroughSubject<String, Failure>(), CurrentValueSubject<Int, Failure>(1))
            var told: [String] = []
            let end: (Subscribers.Completion<Failure>) -> Void = { told.append("\($0)") }
            let pair = names.combineLatest(counts).sink(receiveCompletion: end) { told.append("\($0) \($1)") }
            let sum = Publishers.CombineLatest(names, counts).map { $0.0 + "\($0.1)" }.first()
                .sink(receiveCompletion: end) { told.append($0) }
            counts.send(2)
            #expect(told.isEmpty)
            names.send("a")
            #expect(told == ["a 2", "a2", "finished"] || told == ["a2", "finished", "a 2"])
            told = []
            counts.send(3)
            names.send("b")
            names.send(completion: .finished)
            counts.send(4)
            #expect(told == ["a 3", "b 3", "b 4"])
            counts.send(completion: .failure(.broken))
            #expect(told.last?.hasPrefix("failure") == true && told.count == 4)
            pair.cancel()
            sum.cancel()
            let cancelled = Just(1).combineLatest(Just(2), +).sink { told.append("\($0)") }
            #expect(told.last == "3")
            cancelled.cancel()
        }

        @Test func dataTaskPublisherFailsWithoutAServer() {
            FoundationHooks.install()
            let device = ProgramDevice()
            var completed: [String] = []
            var cancellables = Set<AnyCancellable>()
            #expect(
                device.run {
                    guard let url = URL(string: "https://shop.example/verify") else { return }
                    URLSession.shared.dataTaskPublisher(for: url)
                        .map(\.data)
                        .decode(type: [String: Int].self, decoder: JSONDecoder())
                        .replaceError(with: [:])
                        .receive(on: DispatchQueue.main)
                        .sink { completed.append("\($0.count) \(Thread.isMainThread)") }
                        .store(in: &cancellables)
                })
            #expect(completed == ["0 true"])
        }
    }

    private final class Stores: @unchecked Sendable {  // Guard: `lock`.
        private let lock = NSLock()
        private(set) var all: [Store] = []

        func add(_ store: Store) { lock.withLock { all.append(store) } }
    }
#endif
