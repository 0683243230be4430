// The compiler imports this module in files that import UIKit and Testing.
#if canImport(Testing)
@_exported public import _Testing_CoreImage
#endif
