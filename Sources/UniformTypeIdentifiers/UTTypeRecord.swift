/// The identifier of a type, its supertypes and its tags.
struct UTTypeRecord: Sendable {
    let identifier: String
    let supertypes: [String]
    /// The preferred one first.
    let extensions: [String]
    /// The preferred one first.
    let mimeTypes: [String]

    init(_ identifier: String, _ supertypes: [String], _ extensions: [String] = [], _ mimeTypes: [String] = []) {
        (self.identifier, self.supertypes) = (identifier, supertypes)
        (self.extensions, self.mimeTypes) = (extensions, mimeTypes)
    }

    func tags(_ tagClass: UTTagClass) -> [String] {
        switch tagClass {
        case .filenameExtension: extensions
        case .mimeType: mimeTypes
        default: []
        }
    }

    static func of(_ identifier: String) -> UTTypeRecord? { all.first { $0.identifier == identifier } }

    private static let image = ["public.image"]
    private static let movie = ["public.movie"]
    private static let audio = ["public.audio"]

    static let all: [UTTypeRecord] = [
        UTTypeRecord("public.item", []),
        UTTypeRecord("public.content", []),
        UTTypeRecord("public.data", ["public.item"]),
        UTTypeRecord("public.text", ["public.data", "public.content"]),
        UTTypeRecord("public.plain-text", ["public.text"], ["txt", "text"], ["text/plain"]),
        UTTypeRecord("public.json", ["public.text"], ["json"], ["application/json"]),
        UTTypeRecord("public.xml", ["public.text"], ["xml"], ["application/xml", "text/xml"]),
        UTTypeRecord("com.adobe.pdf", ["public.data", "public.content"], ["pdf"], ["application/pdf"]),
        UTTypeRecord("public.image", ["public.data", "public.content"]),
        UTTypeRecord("public.jpeg", image, ["jpeg", "jpg", "jpe"], ["image/jpeg", "image/jpg"]),
        UTTypeRecord("public.png", image, ["png"], ["image/png"]),
        UTTypeRecord("public.tiff", image, ["tiff", "tif"], ["image/tiff"]),
        UTTypeRecord("com.compuserve.gif", image, ["gif"], ["image/gif"]),
        UTTypeRecord("com.microsoft.bmp", image, ["bmp"], ["image/bmp"]),
        UTTypeRecord("public.heif", image, ["heif"], ["image/heif"]),
        UTTypeRecord("public.heic", ["public.heif"], ["heic"], ["image/heic"]),
        UTTypeRecord("org.webmproject.webp", image, ["webp"], ["image/webp"]),
        UTTypeRecord("public.camera-raw-image", image),
        UTTypeRecord("com.adobe.raw-image", ["public.camera-raw-image"], ["dng"], ["image/x-adobe-dng"]),
        UTTypeRecord("com.apple.live-photo", ["public.content"]),
        UTTypeRecord("com.apple.live-photo-bundle", ["com.apple.live-photo"], ["pvt"]),
        UTTypeRecord("public.audiovisual-content", ["public.data", "public.content"]),
        UTTypeRecord("public.movie", ["public.audiovisual-content"]),
        UTTypeRecord("public.video", movie),
        UTTypeRecord("public.audio", ["public.audiovisual-content"]),
        UTTypeRecord("com.apple.quicktime-movie", movie, ["mov", "qt"], ["video/quicktime"]),
        UTTypeRecord("public.mpeg", movie, ["mpg", "mpeg", "mpe"], ["video/mpeg"]),
        UTTypeRecord("public.mpeg-2-video", ["public.video"], ["m2v"], ["video/mpeg2"]),
        UTTypeRecord("public.mpeg-2-transport-stream", movie, ["ts"], ["video/mp2t"]),
        UTTypeRecord("public.mpeg-4", movie, ["mp4", "mpg4"], ["video/mp4", "video/mpeg4"]),
        UTTypeRecord("com.apple.m4v-video", movie, ["m4v"], ["video/x-m4v"]),
        UTTypeRecord("public.3gpp", movie, ["3gp", "3gpp"], ["video/3gpp"]),
        UTTypeRecord("public.avi", movie, ["avi", "vfw"], ["video/avi", "video/msvideo"]),
        UTTypeRecord("com.apple.protected-mpeg-4-video", movie, ["m4v"]),
        UTTypeRecord("public.mpeg-4-audio", audio, ["mp4", "mpg4"], ["audio/mp4"]),
        UTTypeRecord("com.apple.m4a-audio", ["public.mpeg-4-audio"], ["m4a"], ["audio/x-m4a"]),
        UTTypeRecord("com.apple.protected-mpeg-4-audio", audio, ["m4p"]),
        UTTypeRecord("public.mp3", audio, ["mp3"], ["audio/mpeg", "audio/mp3"]),
        UTTypeRecord("com.microsoft.waveform-audio", audio, ["wav", "wave"], ["audio/vnd.wave", "audio/wav"]),
        UTTypeRecord("public.aiff-audio", audio, ["aiff", "aif"], ["audio/aiff", "audio/x-aiff"]),
        UTTypeRecord("com.apple.coreaudio-format", audio, ["caf"], ["audio/x-caf"]),
    ]
}
