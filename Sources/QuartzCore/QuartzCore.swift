// What `import QuartzCore` brings on Linux: layers, their geometry and Foundation.
@_exported public import Foundation
@_exported public import LayerTypes
@_exported public import MediaTypes
