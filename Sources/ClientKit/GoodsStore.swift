// Where goods are kept: numbers and texts under keys. One step writes several keys.
// Any thread.

public import Foundation
import Simulation

extension Goods {
    /// Where goods are kept.
    public enum Place {
        /// The device's own storage, the fastest: one step writes several keys.
        case device
        /// One value of the app's user defaults. If the scenario sets a flush delay, a crash loses goods set within it.
        case defaults(key: String = "goods")
        /// A file of the app, replaced as a whole at every write.
        case file(String = "goods.json")
        /// The app's own store. `load` returns the data saved last; `save` must have made it durable when it returns.
        case own(load: () -> Data?, save: (Data) -> Void)
    }
}

/// Storage that `Goods` needs. A write is one step: a crash leaves all of it or none.
protocol GoodsStore {
    func integer(_ key: String) -> Int
    func text(_ key: String) -> String
    func contains(_ key: String) -> Bool
    func write(_ changes: [(key: String, value: AppValue?)])
}

struct DeviceGoodsStore: GoodsStore {
    let environment: AppEnvironment

    func integer(_ key: String) -> Int { environment.durableInteger(key) }
    func text(_ key: String) -> String { environment.durableText(key) }
    func contains(_ key: String) -> Bool { environment.hasDurable(key) }
    func write(_ changes: [(key: String, value: AppValue?)]) { environment.write(changes) }
}

/// All keys in one JSON value, for places that write one value at a time.
struct WholeGoodsStore: GoodsStore {
    let load: () -> Data?
    let save: (Data) -> Void

    /// A record that cannot be read counts as empty.
    private struct Record: Codable {
        var numbers: [String: Int] = [:]
        var texts: [String: String] = [:]
    }

    private var record: Record {
        load().flatMap { try? JSONDecoder().decode(Record.self, from: $0) } ?? Record()
    }

    func integer(_ key: String) -> Int { record.numbers[key] ?? 0 }
    func text(_ key: String) -> String { record.texts[key] ?? "" }

    func contains(_ key: String) -> Bool {
        let record = record
        return record.numbers[key] != nil || record.texts[key] != nil
    }

    func write(_ changes: [(key: String, value: AppValue?)]) {
        var record = record
        for (key, value) in changes {
            record.numbers[key] = nil
            record.texts[key] = nil
            switch value {
            case .integer(let number): record.numbers[key] = number
            case .flag(let flag): record.numbers[key] = flag ? 1 : 0
            case .text(let text): record.texts[key] = text
            case .data, nil: break
            }
        }
        let encoder = JSONEncoder()
        // The same goods are the same bytes.
        encoder.outputFormatting = .sortedKeys
        if let data = try? encoder.encode(record) { save(data) }
    }
}

extension Goods.Place {
    func store(_ environment: AppEnvironment) -> any GoodsStore {
        switch self {
        case .device: return DeviceGoodsStore(environment: environment)
        case .own(let load, let save): return WholeGoodsStore(load: load, save: save)
        case .file(let path):
            return WholeGoodsStore(
                load: { environment.files.read(path) }, save: { environment.files.write($0, to: path) })
        case .defaults(let key):
            let defaults = DeviceDefaults(process: environment.process)
            return WholeGoodsStore(
                load: { defaults.data(forKey: key) }, save: { defaults.set($0, forKey: key) })
        }
    }
}
