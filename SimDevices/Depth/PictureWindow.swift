/// The part of a painted scene that a picture shows, in 65,536ths of the scene's pixels.
struct PictureWindow: Sendable, Hashable {
    /// Of the left top corner.
    var x: Int64
    var y: Int64
    /// From one pixel to the next; 65,536 is no zoom.
    var step: Int64
    /// Where the lens' axis meets the scene.
    var axisX: Int64
    var axisY: Int64
}
