package import KeyValueObserving

extension AVAssetWriter: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVAssetWriter.self,
            [
                "status": KeyPathTable.value(\AVAssetWriter.status)
            ])
    ]
}

extension AVAssetWriterInput: KeyPathTableProviding {
    package static let keyPathTables = [
        KeyPathTable(
            AVAssetWriterInput.self,
            [
                "readyForMoreMediaData": KeyPathTable.value(\AVAssetWriterInput.isReadyForMoreMediaData)
            ])
    ]
}
