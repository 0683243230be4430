// What `import CoreLocation` brings on Linux beside locations.
@_exported public import Foundation
@_exported public import MediaTypes
