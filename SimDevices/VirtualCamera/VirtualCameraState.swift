/// The settings of a virtual camera that its constituents do not have.
struct VirtualCameraState: Sendable {
    var zoomFactor = 1.0
    /// The index of the constituent that the client selected; nil if the zoom factor selects the constituent.
    var fixedIndex: Int?
}
