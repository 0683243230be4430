// `import CoreImage` on Linux imports images and Foundation.
@_exported public import Foundation
@_exported public import ImageTypes
@_exported public import MediaTypes
@_exported public import Observation

@_exported public import typealias FoundationAdditions.DispatchSerialQueue
