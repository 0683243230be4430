// `import PhotosUI` also imports Photos and UIKit, like Apple's module. The library comes with it even if the package
// trait `PhotoLibrary`, on which `Photos` depends, is not enabled.
@_exported public import PhotoStore
@_exported public import Photos
@_exported public import UIKit
