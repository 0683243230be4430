import CaptureHAL

/// The objects that a leak check found, as a graph: an object that another one holds is not a failure of its own.
///
/// The stored properties of the app's objects are found by reflection, also those of objects of the same module that
/// they hold. What holds an object of the app is found by `ReferencePath`.
struct LeakedObjects {
    private let objects: [ObjectLifetimes.Existing]
    /// For each object, the objects that it holds directly, with the path of properties; nil for the package's own
    /// references.
    private let references: [[(index: Int, path: String?)]]

    init(_ objects: [ObjectLifetimes.Existing]) {
        self.objects = objects
        let indices = Dictionary(
            objects.enumerated().map { (ObjectIdentifier($1.object), $0) }, uniquingKeysWith: { first, _ in first })
        references = objects.enumerated().map { index, existing in
            var found: [(index: Int, path: String?)] = []
            if existing.isOfClient {
                var walk = PropertyWalk(indices: indices)
                walk.visit(existing.object)
                found = walk.found.map { ($0.index, $0.path) }
            } else if let holder = existing.object as? any ReferenceHolding {
                found = holder.heldObjects.compactMap { indices[ObjectIdentifier($0)] }.map { ($0, nil) }
            }
            return found.filter { $0.index != index }
        }
    }

    /// A failure for each object that no other one holds. If objects hold each other, the failure names the first
    /// object of the app.
    var failures: [String] {
        let reachable = objects.indices.map(reachableObjects)
        var reported: Set<Int> = []
        let order = objects.indices.sorted { objects[$0].isOfClient && !objects[$1].isOfClient }
        var failures: [String] = []
        for index in order where !reported.contains(index) {
            let isHeld = objects.indices.contains { holder in
                reachable[holder].contains(index) && !reachable[index].contains(holder)
            }
            if isHeld { continue }
            reported.formUnion(reachable[index] + [index])
            failures.append(failure(index, reachable[index]))
        }
        return failures
    }

    private func failure(_ index: Int, _ reachable: [Int]) -> String {
        var text = "\(objects[index].name) is not deallocated"
        if objects[index].isOfClient {
            let path = ReferencePath(to: objects[index].object, holding: reachable.map { objects[$0].object })
                .description
            text += "; " + (path ?? "a closure, an observer or a variable of the app holds it")
        }
        let direct = references[index]
        if !direct.isEmpty {
            text += "; it holds "
            text += direct.map { objects[$0.index].name + ($0.path.map { " (\($0))" } ?? "") }.joined(separator: ", ")
        }
        let indirect = reachable.filter { other in other != index && !direct.contains { $0.index == other } }
        if !indirect.isEmpty {
            text += ", and through them " + indirect.map { objects[$0].name }.joined(separator: ", ")
        }
        return text
    }

    /// The objects that an object holds directly or through others, in the order of distance.
    private func reachableObjects(from index: Int) -> [Int] {
        var found: [Int] = []
        var next = references[index].map(\.index)
        while !next.isEmpty {
            let new = next.filter { !found.contains($0) }
            for other in new where !found.contains(other) { found.append(other) }
            next = new.flatMap { references[$0].map(\.index) }
        }
        return found
    }
}

/// Finds known objects in the stored properties of an object, by reflection.
private struct PropertyWalk {
    /// The known objects.
    let indices: [ObjectIdentifier: Int]
    private(set) var found: [(index: Int, path: String)] = []
    private var visited: Set<ObjectIdentifier> = []
    private var count = 0
    private var module: Substring = ""

    init(indices: [ObjectIdentifier: Int]) { self.indices = indices }

    private static let maximumDepth = 8
    private static let maximumCount = 2_000

    /// Visits the properties of an object of the app.
    mutating func visit(_ root: AnyObject) {
        module = Self.module(of: type(of: root))
        visited.insert(ObjectIdentifier(root))
        visitChildren(of: Mirror(reflecting: root), "", 0)
    }

    private mutating func visitChildren(of mirror: Mirror, _ path: String, _ depth: Int) {
        guard depth < Self.maximumDepth else { return }
        for child in mirror.children {
            count += 1
            guard count < Self.maximumCount else { return }
            let isElement = mirror.displayStyle != .class && mirror.displayStyle != .struct
            let name = isElement ? "" : child.label ?? ""
            visitValue(child.value, path.isEmpty ? name : name.isEmpty ? path : "\(path).\(name)", depth + 1)
        }
        if let superclass = mirror.superclassMirror, Self.module(of: superclass.subjectType) == module {
            visitChildren(of: superclass, path, depth)
        }
    }

    private mutating func visitValue(_ value: Any, _ path: String, _ depth: Int) {
        guard type(of: value) is AnyClass else {
            return visitChildren(of: Mirror(reflecting: value), path, depth)
        }
        let object = value as AnyObject
        if let index = indices[ObjectIdentifier(object)] {
            if !found.contains(where: { $0.index == index }) { found.append((index, path)) }
        } else if Self.module(of: type(of: object)) == module, visited.insert(ObjectIdentifier(object)).inserted {
            visitChildren(of: Mirror(reflecting: object), path, depth)
        }
    }

    private static func module(of type: Any.Type) -> Substring { String(reflecting: type).prefix { $0 != "." } }
}
