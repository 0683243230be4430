@_exported public import MediaTypes
@_exported public import Observation

@_exported public import typealias FoundationAdditions.DispatchSerialQueue
