/// The largest number of names that are listed beside a suggestion.
private let maximumListLength = 8

/// The largest number of names that are all listed if none is near, and the number of names of a longer list.
private let (maximumCompleteListLength, cutListLength) = (30, 12)

/// Returns "did you mean …" with the nearest name, followed by all names if they are few. If none is near, returns the
/// names, or the first of them and the number of the others if they are many.
///
/// - Parameter command: A command that prints all names, for lists that can be long.
package func suggestion(for text: String, among names: [String], listedBy command: String? = nil) -> String {
    let isCut = names.count > maximumCompleteListLength
    var all = "valid names are \(names.prefix(isCut ? cutListLength : names.count).joined(separator: ", "))"
    if isCut {
        all += ", … and \(names.count - cutListLength) more"
        if let command { all += "; '\(command)' shows all" }
    }
    let ranked = names.map { (name: $0, distance: editDistance(text.lowercased(), $0.lowercased())) }
    guard let nearest = ranked.min(by: { $0.distance < $1.distance }), nearest.distance <= max(2, text.count / 2)
    else { return all }
    let question = "did you mean \"\(nearest.name)\"?"
    return names.count <= maximumListLength ? "\(question) \(all)" : question
}

/// Returns the number of insertions, deletions and replacements between two words (V. Levenshtein, 1966).
package func editDistance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var row = Array(0...b.count)
    for i in 0..<a.count {
        var diagonal = row[0]
        row[0] = i + 1
        for j in 0..<b.count {
            let above = row[j + 1]
            row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a[i] == b[j] ? 0 : 1))
            diagonal = above
        }
    }
    return row[b.count]
}
