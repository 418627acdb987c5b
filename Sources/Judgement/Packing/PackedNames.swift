// What events refer to by number, as bytes.
// Values; any thread.

package import Files
package import Simulation

extension Packer {
    mutating func put(_ names: EventNames) {
        put(names.addresses.names.count)
        for address in names.addresses.names { put(address) }
        for texts in [names.observers.names, names.messages.names] {
            put(texts.count)
            for text in texts { put(text) }
        }
    }

    package mutating func put(_ address: WebAddress) {
        put(address.method)
        put(address.url)
        put(address.isValidator)
    }
}

extension EventNames {
    init(_ unpacker: inout Unpacker) throws(TornValue) {
        self.init()
        var read: [WebAddress] = []
        for _ in 0..<(try unpacker.count()) { read.append(try WebAddress(&unpacker)) }
        addresses = NameTable(read)
        observers = NameTable(try Self.texts(&unpacker))
        messages = NameTable(try Self.texts(&unpacker))
    }

    private static func texts(_ unpacker: inout Unpacker) throws(TornValue) -> [String] {
        var texts: [String] = []
        for _ in 0..<(try unpacker.count()) { texts.append(try unpacker.text()) }
        return texts
    }
}

extension WebAddress {
    package init(_ unpacker: inout Unpacker) throws(TornValue) {
        // What is left of an address is left as it is.
        self.init(try unpacker.text(), url: try unpacker.text(), isValidator: try unpacker.flag())
    }
}
