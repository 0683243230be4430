extension PHAssetChangeRequest {
    /// Requests the deletion of assets. Those that do not exist are ignored.
    package class func deleteAssets(withLocalIdentifiers identifiers: [String]) {
        ChangeBlock.current(for: "deleteAssets(withLocalIdentifiers:)")?.add { .delete(localIdentifiers: identifiers) }
    }

    /// Requests that assets in Recently Deleted return to the library and to their albums. Others are ignored.
    package class func restoreAssets(withLocalIdentifiers identifiers: [String]) {
        ChangeBlock.current(for: "restoreAssets(withLocalIdentifiers:)")?.add {
            .restore(localIdentifiers: identifiers)
        }
    }

    /// Requests that assets and their files are removed at once, whether or not they are in Recently Deleted. Assets that
    /// do not exist are ignored.
    package class func removeAssets(withLocalIdentifiers identifiers: [String]) {
        ChangeBlock.current(for: "removeAssets(withLocalIdentifiers:)")?.add { .remove(localIdentifiers: identifiers) }
    }
}
