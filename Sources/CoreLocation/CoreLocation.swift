// What `import CoreLocation` brings on Linux: places and Foundation.
@_exported public import AppTypes
@_exported public import Foundation
