// `import CoreImage` on Linux imports images and Foundation.
@_exported public import Foundation
@_exported public import ImageTypes
@_exported public import MediaTypes
