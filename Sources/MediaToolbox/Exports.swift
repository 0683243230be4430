@_exported public import MediaAssets
