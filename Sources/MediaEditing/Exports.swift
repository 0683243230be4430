// Modules that `import MediaEditing` also imports: `MediaAssets` has the assets that compositions contain.
@_exported public import MediaAssets
