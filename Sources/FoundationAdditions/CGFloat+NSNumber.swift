public import Foundation

extension CGFloat {
    /// The value of a number, rounded if necessary.
    public init(truncating number: NSNumber) { self.init(number.doubleValue) }

    /// The value of a number; nil if it cannot be represented.
    public init?(exactly number: NSNumber) {
        guard let value = Double(exactly: number) else { return nil }
        self.init(value)
    }
}
