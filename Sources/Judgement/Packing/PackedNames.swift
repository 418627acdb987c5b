// What events refer to by number, as bytes.
// Values; any thread.

package import Metrics
package import Simulation

extension Packer {
    mutating func put(_ names: EventNames) {
        put(names.addresses.names.count)
        for address in names.addresses.names { put(address) }
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
    }
}

extension WebAddress {
    package init(_ unpacker: inout Unpacker) throws(TornValue) {
        // What is left of an address is left as it is.
        self.init(try unpacker.text(), url: try unpacker.text(), isValidator: try unpacker.flag())
    }
}
