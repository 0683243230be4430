/// The part of a scene that a frame shows, in 65,536ths of the scene's pixels.
struct SceneWindow: Sendable, Hashable {
    /// Top left corner.
    var x: Int64
    var y: Int64
    /// Distance between adjacent pixels of the frame; 65,536 means no zoom.
    var step: Int64
    /// Position of the optical axis.
    var axisX: Int64
    var axisY: Int64
}
