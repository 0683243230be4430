import CaptureHAL

/// Written as `3:0.4:0.25:0.1:0.2:0.0:0.0`: identifier, left, top, width, height, roll and yaw. An unknown angle is
/// empty.
extension DetectedFace: TraceValue {
    static var traceSyntax: String { "a face such as 3:0.4:0.25:0.1:0.2:0.0:0.0" }

    var traceText: String {
        ([id.traceText] + [x, y, width, height].map(\.traceText) + [roll, yaw].map { $0?.traceText ?? "" })
            .joined(separator: ":")
    }

    init?(traceText: String) {
        let parts = traceText.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 7, let id = Int(traceText: parts[0]) else { return nil }
        var numbers: [Double?] = []
        for (index, part) in parts.enumerated().dropFirst() {
            let isUnknown = part.isEmpty && index > 4
            let number = isUnknown ? nil : Double(traceText: part)
            guard isUnknown || number?.isFinite ?? false else { return nil }
            numbers.append(number)
        }
        guard let x = numbers[0], let y = numbers[1], let width = numbers[2], let height = numbers[3] else {
            return nil
        }
        self.init(id: id, x: x, y: y, width: width, height: height, roll: numbers[4], yaw: numbers[5])
    }

    /// The face without angles that are not finite; nil if its box is not finite. A trace contains finite numbers only.
    var ifFinite: DetectedFace? {
        guard [x, y, width, height].allSatisfy(\.isFinite) else { return nil }
        var face = self
        face.roll = roll?.ifFinite
        face.yaw = yaw?.ifFinite
        return face
    }
}
