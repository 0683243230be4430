import CTestReporting
import CaptureSimulation

/// The references through which an object of the app is held, found by searching the memory of the process.
///
/// The search finds instances of classes, closures with the functions that contain them, and global and static
/// variables. It does not find local variables, nor those of suspended asynchronous functions, and does not distinguish
/// references that do not retain, such as unowned ones.
struct ReferencePath {
    /// What refers to the object, what refers to that, and so on.
    private var steps: [String] = []

    /// A reference to an allocation, and the allocation that contains it.
    private typealias Step = ctest_reference

    private static let maximumDepth = 10
    private static let maximumWidth = 64

    /// Searches for references to an object.
    ///
    /// - Parameter held: Objects that the object holds. A reference in one of them ends the path.
    init(to object: AnyObject, holding held: [AnyObject]) {
        let address = Self.complement(object)
        let ends = Set(held.map(Self.complement) + [address])
        /// For each holder, the reference in it.
        var found: [UInt: Step] = [:]
        var level = [address]
        var last: UInt?
        search: for _ in 0..<Self.maximumDepth where !level.isEmpty {
            var next: [UInt] = []
            let references = Self.references(to: level).filter { found[$0.holder] == nil && Self.isOfApp($0) }
            // A closure of the app says more than a collection, which can also contain old memory.
            let closures = references.filter { Self.closureName($0.function) != nil }
            for reference in closures.isEmpty ? references : closures where found[reference.holder] == nil {
                found[reference.holder] = reference
                if next.isEmpty { last = reference.holder }
                next.append(reference.holder)
                guard reference.kind == CTEST_VARIABLE || ends.contains(reference.holder) else { continue }
                last = reference.holder
                break search
            }
            level = Array(next.prefix(Self.maximumWidth))
        }
        var chain: [Step] = []
        while let reference = last.flatMap({ found[$0] }) {
            chain.insert(reference, at: 0)
            last = reference.target == address ? nil : reference.target
        }
        for reference in chain {
            // A closure consists of its function and its captured values, which are the object itself if it is the only
            // one.
            if let name = Self.closureName(reference.function) { steps.append(name) }
            if reference.holder == address {
                steps.append("the object itself")
            } else if let name = Self.holderName(reference), steps.last != name {
                steps.append(name)
            }
        }
    }

    /// The path as a part of a sentence about the object; nil if nothing was found.
    var description: String? {
        guard let first = steps.first else { return nil }
        return (["\(first) refers to it"] + zip(steps.dropFirst(), steps).map { "\($0) refers to \($1)" })
            .joined(separator: "; ")
    }

    /// The complement of an object's address, which is not found as a reference.
    private static func complement(_ object: AnyObject) -> UInt {
        ~UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    }

    private static func references(to addresses: [UInt]) -> [Step] {
        Array(unsafeUninitializedCapacity: 4_096) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            count = ctest_find_references(addresses, addresses.count, base, buffer.count)
        }
    }

    /// The name of the function of a closure; nil if it is not known, or no code of the app.
    private static func closureName(_ function: UInt) -> String? {
        guard function != 0, let name = CallStack.name(ofFunctionAt: function), name.contains("closure #"),
            !name.contains("thunk")
        else { return nil }
        return "the \(name.replacing("partial apply for ", with: ""))"
    }

    private static func holderName(_ reference: Step) -> String? {
        switch reference.kind {
        case CTEST_VARIABLE: "a global or static variable"
        case CTEST_OBJECT: objectName(reference)
        default: nil
        }
    }

    private static func objectName(_ reference: Step) -> String {
        let name = withUnsafeBytes(of: reference.class_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch name {
        case "_ContiguousArrayStorage": return "an array"
        case "_DictionaryStorage": return "a dictionary"
        case "_SetStorage": return "a set"
        default: return "an instance of \(name)"
        }
    }

    /// Whether a holder is no collection of the leak check, and no collection of numbers, which can contain old memory.
    private static func isOfApp(_ reference: Step) -> Bool {
        guard reference.kind == CTEST_OBJECT, !objectName(reference).hasPrefix("an instance"),
            let pointer = UnsafeRawPointer(bitPattern: reference.class)
        else { return true }
        // SAFETY: the search has found the descriptor of a class of the standard library in the metadata.
        let type = String(reflecting: unsafeBitCast(pointer, to: AnyClass.self))
        return !["ObjectLifetimes.", "ObjectIdentifier", "<Swift.UInt", "<Swift.Int"].contains { type.contains($0) }
    }
}
