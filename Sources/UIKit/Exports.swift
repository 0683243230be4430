// What `import UIKit` brings on Linux beside the device: images, layers and Foundation.
@_exported public import Foundation
@_exported public import ImageTypes
@_exported public import QuartzCore
