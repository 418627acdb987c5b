// Finds the writable data of the client's modules in the running program.
// Any thread; reads files and memory, writes nothing.

internal import CStatics
internal import Foundation

/// Which of the client's data is each device's own.
package struct DataChoice: Sendable, Equatable {
    /// nil: of all modules that are not shared.
    package var include: Set<String>?
    package var exclude: Set<String>

    package init(include: Set<String>? = nil, exclude: Set<String> = []) {
        self.include = include
        self.exclude = exclude
    }

    fileprivate func takes(_ names: [String]) -> Bool {
        if names.contains(where: exclude.contains) { return false }
        return include.map { names.contains(where: $0.contains) } ?? true
    }
}

/// What belongs to the client's modules, and what could not be told.
package struct ClientData {
    /// One variable.
    package struct Variable: Sendable, Equatable {
        /// As the symbol table has it.
        package let name: String
        /// Where it is defined: a module; for data of C its source file, or nothing.
        package let owner: String
        package let address: UInt
        package let size: Int
        package let isThreadLocal: Bool
        /// An object that the compiler has built.
        package let isObject: Bool
    }

    /// Why data of the client stays as it is.
    package enum Obstacle: Sendable, Equatable {
        /// No names: the program or library at this path was stripped.
        case stripped(path: String)
        /// Swift's runtime is part of the program, and its data with it.
        case staticRuntime
        /// The program's data is under a sanitizer's eyes.
        case sanitizer
        /// A variable that no rule places.
        case unplaced(name: String)
    }

    package var variables: [Variable] = []
    package var obstacles: [Obstacle] = []
    /// What the program had changed before it was looked at: the same for all devices.
    package var touched: [Variable] = []
    /// Where variables begin that are not the client's.
    fileprivate var others: Set<UInt> = []
    fileprivate var threadBlocks: [ThreadBlock] = []

    /// A loaded object's thread-locals, at the addresses that `Variable.address` uses.
    fileprivate struct ThreadBlock {
        let addresses: Range<UInt>
        /// With what each thread's copy begins.
        let initial: UInt
        let initialSize: Int
    }

    /// Reads the symbols of the program and of what is loaded beside it, except the system's and the toolchain's.
    package static func find(_ choice: DataChoice = DataChoice()) -> ClientData {
        var found = ClientData()
        for object in LoadedObject.all where !object.isSystems {
            guard let table = SymbolTable(path: object.path) else { continue }
            if table.isStripped {
                found.obstacles.append(.stripped(path: object.name))
                continue
            }
            if table.defines(["swift_retain"]) { return ClientData(.staticRuntime) }
            if table.defines(["__asan_init", "__tsan_init"]) { return ClientData(.sanitizer) }
            found.read(table, of: object, choice)
        }
        found.variables.sort { $0.address < $1.address }
        return found
    }

    private init() {}

    private init(_ obstacle: Obstacle) { obstacles = [obstacle] }

    private mutating func read(_ table: SymbolTable, of object: LoadedObject, _ choice: DataChoice) {
        let relocated = table.relocated
        var known: Set<UInt> = []
        for symbol in table.writable where !object.fixed.contains(symbol.address) {
            let address =
                symbol.isThreadLocal
                ? UInt(bitPattern: object.threadBlock) &+ symbol.address : object.bias &+ symbol.address
            guard let variable = place(symbol, address, choice) else {
                others.insert(address)
                continue
            }
            // Two names may stand for one.
            guard known.insert(address).inserted else { continue }
            if symbol.isThreadLocal {
                variables.append(variable)
                continue
            }
            let live = UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: symbol.size)
            if table.isUntouched(live, at: symbol.address, bias: object.bias, relocated: relocated) {
                variables.append(variable)
            } else {
                touched.append(variable)
                others.insert(address)
            }
        }
        if object.threadInitialSize > 0 {
            let start = UInt(bitPattern: object.threadBlock)
            threadBlocks.append(
                ThreadBlock(
                    addresses: start..<start &+ UInt(object.threadInitialSize), initial: object.threadInitial,
                    initialSize: object.threadInitialSize))
        }
    }

    /// The client's variable of that symbol, if it is one.
    private mutating func place(_ symbol: SymbolTable.Symbol, _ address: UInt, _ choice: DataChoice) -> Variable? {
        let owner: String
        var isObject = false
        switch VariableName(symbol.name) {
        case .stored(let module): owner = module
        case .object(let module): (owner, isObject) = (module, true)
        case .runtime: return nil
        case .unplaced(let module):
            let isShared = module.map(SharedCode.isShared(module:)) ?? false
            if !isShared, choice.takes([module ?? symbol.name, symbol.name]) {
                obstacles.append(.unplaced(name: symbol.name))
            }
            return nil
        case .other:
            if SharedCode.isShared(variable: symbol.name, file: symbol.file) { return nil }
            guard choice.takes([symbol.file, symbol.name]) else { return nil }
            return variable(symbol, symbol.file, address, isObject: false)
        }
        guard !SharedCode.isShared(module: owner), choice.takes([owner]) else { return nil }
        return variable(symbol, owner, address, isObject: isObject)
    }

    private func variable(
        _ symbol: SymbolTable.Symbol, _ owner: String, _ address: UInt, isObject: Bool
    ) -> Variable {
        Variable(
            name: symbol.name, owner: owner, address: address, size: symbol.size,
            isThreadLocal: symbol.isThreadLocal, isObject: isObject)
    }
}

extension ClientData.Obstacle {
    /// As it stands in code, of a variable whose module is unknown; nil where only the linker has a name for it.
    package var variableName: String? {
        guard case .unplaced(let name) = self else { return nil }
        let readable = FunctionName.readable(name)
        return readable.isEmpty || readable.hasPrefix("$") ? nil : readable
    }
}

extension ClientData {
    /// Room between two variables in which no other word can lie.
    private static let gapMax = 7

    /// Stretches of memory that hold all variables and nothing else: variables beside each other are one.
    var regions: [stampede_region] {
        var regions: [stampede_region] = []
        for variable in variables {
            if let last = regions.last, last.is_thread_local == variable.isThreadLocal, !variable.isThreadLocal {
                let end = last.place + UInt(last.size)
                if variable.address <= end || isFree(end..<variable.address) {
                    let newEnd = max(end, variable.address + UInt(variable.size))
                    regions[regions.count - 1].size = Int(newEnd - last.place)
                    continue
                }
            }
            regions.append(region(variable))
        }
        return regions
    }

    /// Whether nothing else can lie there.
    private func isFree(_ gap: Range<UInt>) -> Bool {
        gap.count <= Self.gapMax && !gap.contains(where: others.contains)
    }

    private func region(_ variable: Variable) -> stampede_region {
        var region = stampede_region(
            place: variable.address, size: variable.size, is_thread_local: variable.isThreadLocal, initial: nil,
            initial_size: 0)
        guard variable.isThreadLocal,
            let block = threadBlocks.first(where: { $0.addresses.contains(variable.address) })
        else { return region }
        let offset = variable.address - block.addresses.lowerBound
        region.initial = UnsafePointer(bitPattern: block.initial + offset)
        region.initial_size = min(variable.size, block.initialSize - Int(offset))
        return region
    }

    /// The objects among them, by where they lie in the bytes of all regions.
    func objects(in regions: [stampede_region]) -> [stampede_static_object] {
        var offset = 0
        var starts: [(region: stampede_region, offset: Int)] = []
        for region in regions {
            starts.append((region, offset))
            offset += region.size
        }
        return variables.filter { $0.isObject && $0.size >= 24 }.compactMap { variable in
            starts.first {
                !$0.region.is_thread_local && $0.region.place <= variable.address
                    && variable.address < $0.region.place + UInt($0.region.size)
            }.map { start in
                stampede_static_object(
                    offset: start.offset + Int(variable.address - start.region.place), address: variable.address)
            }
        }
    }
}
