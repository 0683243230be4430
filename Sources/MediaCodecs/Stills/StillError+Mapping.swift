import PixelKernels

extension StillError {
    /// The error of a conversion on the way into or out of a still.
    init(_ error: PixelError) {
        switch error.code {
        case .unsupportedFormat: self.init(.unsupported, error.message)
        case .invalidGeometry, .inaccessible: self.init(.invalidInput, error.message)
        case .outOfMemory: self.init(.outOfMemory, error.message)
        }
    }
}
