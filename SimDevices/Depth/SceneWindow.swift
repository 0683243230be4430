/// The part of the background that a frame shows, in sensor coordinates and 65,536ths of a background pixel.
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
