// What `import QuartzCore` brings on Linux beside layers and their geometry.
@_exported public import Foundation
@_exported public import MediaTypes
