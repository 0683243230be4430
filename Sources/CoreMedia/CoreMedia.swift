@_exported public import MediaTypes
