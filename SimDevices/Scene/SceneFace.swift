/// The face of a person in a painted scene, in pixels of its view.
struct SceneFace: Hashable {
    /// Identifies the person; unique in the scene.
    var person: Int
    /// The center of the bounding box.
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    /// Distance in meters.
    var depth: Double
    /// Clockwise degrees by which the head is tilted.
    var roll = 0.0
    /// Degrees by which the head is turned to the right of the frame.
    var yaw = 0.0
    /// The name of the person among the objects of the scene; nil for a person that cannot be moved.
    var object: String?

    /// Creates the face of a `ScenePerson`, from the hairline to the chin.
    ///
    /// - Parameters:
    ///   - depth: Distance in meters.
    ///   - x: Meters to the right of the optical axis.
    ///   - y: Meters above the optical axis.
    init(of person: Int, in view: SceneView, depth: Double, x: Double, y: Double) {
        let scale = view.scale / depth
        self.person = person
        self.depth = depth
        self.x = Double(view.width) / 2 + x * scale
        self.y = Double(view.height) / 2 - (y - 0.01) * scale
        width = 0.16 * scale
        height = 0.22 * scale
    }
}
