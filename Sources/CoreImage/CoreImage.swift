// What `import CoreImage` brings on Linux: pictures to work on and Foundation.
@_exported public import AppTypes
@_exported public import Foundation
@_exported public import MediaTypes
