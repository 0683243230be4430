import ArgumentParser

/// One of several equal parts of a list, such as `2/4`: every fourth element from the second on.
struct Shard: Codable, Hashable, CustomStringConvertible {
    /// From 1.
    let index: Int
    let count: Int

    init(argument: String) throws {
        let parts = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index)
        else {
            throw ValidationError("\(argument) is not a part; write its number and the number of parts, such as 2/4")
        }
        (self.index, self.count) = (index, count)
    }

    /// Returns the elements of this part. Each element is in one part; the sizes of the parts differ by at most one.
    func part<Element>(of list: [Element]) -> [Element] {
        stride(from: index - 1, to: list.count, by: count).map { list[$0] }
    }

    var description: String { "\(index)/\(count)" }
}
