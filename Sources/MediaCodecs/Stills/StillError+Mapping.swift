import PixelKernels

extension StillError {
    /// Creates the error of a failed pixel conversion.
    init(_ error: PixelError) {
        switch error.code {
        case .unsupportedFormat: self.init(.unsupported, error.message)
        case .invalidGeometry, .inaccessible: self.init(.invalidInput, error.message)
        case .outOfMemory: self.init(.outOfMemory, error.message)
        }
    }
}
