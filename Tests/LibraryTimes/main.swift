// Measures the operations of a photo library that an app uses, and prints the medians as JSON. The library is the same
// afterwards, except for its history. CI/library-size runs it with libraries of different sizes.
//
// usage: library-times LIBRARY PHOTO [--runs N]
import CaptureHAL
import Foundation
import PhotoStore

/// Follows a fetch result as a client does that displays it.
final class GridController: NSObject, PHPhotoLibraryChangeObserver, @unchecked Sendable {
    // SAFETY: changes are applied, and reported, on the thread that uses the controller.
    private(set) var photos: PHFetchResult<PHAsset>
    /// The numbers of inserted, changed and removed assets.
    private(set) var updates = 0

    init(_ photos: PHFetchResult<PHAsset>) { self.photos = photos }

    func photoLibraryDidChange(_ changeInstance: PHChange) {
        guard let details = changeInstance.changeDetails(for: photos) else { return }
        updates += details.insertedObjects.count + details.changedObjects.count + details.removedObjects.count
        photos = details.fetchResultAfterChanges
    }
}

/// The medians of the durations of an operation, in milliseconds.
struct Time: Encodable {
    var elapsed = 0.0
    /// The CPU time of all threads of the process, which does not depend on other programs and on the disk.
    var cpu = 0.0
}

struct Times: Encodable {
    var open = Time()
    var newest100 = Time()
    var count = Time()
    var fetchAll = Time()
    var add = Time()
    var change = Time()
    var delete = Time()
    /// The growth of the resident memory by a fetch of all assets of which the first 100 are read.
    var fetchBytes = 0
    var assets = 0
    var counted = 0
}

func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data("library-times: \(message)\n".utf8))
    exit(1)
}

func cpuMilliseconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

/// Returns the median durations, after one run that is not measured.
func median(_ runs: Int, _ body: () throws -> Void) rethrows -> Time {
    try body()
    let clock = ContinuousClock()
    var durations: [Double] = []
    var cpuTimes: [Double] = []
    for _ in 0..<runs {
        let start = cpuMilliseconds()
        durations.append(try clock.measure { try body() } / .milliseconds(1))
        cpuTimes.append(cpuMilliseconds() - start)
    }
    return Time(elapsed: durations.sorted()[runs / 2], cpu: cpuTimes.sorted()[runs / 2])
}

func residentBytes() -> Int {
    let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
    return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}

func makeSystem(_ library: String) -> CaptureSystem {
    CaptureSystem(
        hosts: [], clock: HostClock.shared, photoLibraryURL: URL(fileURLWithPath: library, isDirectory: true))
}

let arguments = CommandLine.arguments.dropFirst()
var runs = 5
if let option = arguments.firstIndex(of: "--runs") {
    guard let number = arguments.dropFirst(option).first.flatMap({ Int($0) }), number > 0 else {
        fail("--runs takes a number above 0")
    }
    runs = number
}
let paths = arguments.prefix { $0 != "--runs" }
guard paths.count == 2, let library = paths.first, let photoPath = paths.last else {
    FileHandle.standardError.write(Data("usage: library-times LIBRARY PHOTO [--runs N]\n".utf8))
    exit(64)
}
let photo = URL(fileURLWithPath: photoPath)
var times = Times()

let system = makeSystem(library)
try system.run {
    let photos = PHPhotoLibrary.shared()
    if let reason = photos.unavailabilityReason { fail("\(library): \(reason)") }
    // The first fetch allocates what every fetch needs.
    let first = PHFetchOptions()
    first.fetchLimit = 1
    _ = PHAsset.fetchAssets(with: first).firstObject
    let before = residentBytes()
    let all = PHAsset.fetchAssets(with: nil)
    for index in 0..<min(100, all.count) { _ = all.object(at: index).creationDate }
    times.fetchBytes = max(0, residentBytes() - before)
    times.assets = all.count
    guard all.count > 0 else { fail("\(library) has no assets") }

    times.fetchAll = median(runs) {
        let all = PHAsset.fetchAssets(with: nil)
        for index in 0..<min(100, all.count) { _ = all.object(at: index).creationDate }
    }
    let newest = PHFetchOptions()
    newest.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    newest.fetchLimit = 100
    times.newest100 = median(runs) {
        var latest = Date.distantFuture
        PHAsset.fetchAssets(with: newest).enumerateObjects { asset, _, _ in
            guard let date = asset.creationDate, date <= latest else { fail("the newest assets are not in order") }
            latest = date
        }
    }
    times.count = median(runs) {
        let options = PHFetchOptions()
        options.predicate = NSPredicate(
            format: "mediaType == %d AND favorite == YES AND creationDate > %@", PHAssetMediaType.image.rawValue,
            NSDate(timeIntervalSince1970: 1_500_000_000))
        times.counted = PHAsset.fetchAssets(with: options).count
    }

    let order = PHFetchOptions()
    order.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
    let grid = GridController(PHAsset.fetchAssets(with: order))
    photos.register(grid)
    var added: [String] = []
    times.add = try median(runs) {
        try photos.performChangesAndWait {
            let request = PHAssetChangeRequest.creationRequestForAssetFromImage(atFileURL: photo)
            added.append(request?.placeholderForCreatedAsset?.localIdentifier ?? "")
        }
    }
    let changed = PHAsset.fetchAssets(withLocalIdentifiers: [added[0]], options: nil)[0]
    var isFavorite = false
    times.change = try median(runs) {
        isFavorite.toggle()
        try photos.performChangesAndWait { PHAssetChangeRequest(for: changed).isFavorite = isFavorite }
    }
    times.delete = try median(runs) {
        let asset = PHAsset.fetchAssets(withLocalIdentifiers: [added.removeLast()], options: nil)[0]
        try photos.performChangesAndWait { PHAssetChangeRequest.deleteAssets([asset]) }
    }
    guard grid.updates == 3 * (runs + 1), grid.photos.count == times.assets else {
        fail("the observer received \(grid.updates) updates instead of \(3 * (runs + 1))")
    }
}
// A system is kept while another one opens the library, as by two programs.
times.open = median(runs) {
    makeSystem(library).run {
        if let reason = PHPhotoLibrary.shared().unavailabilityReason { fail("\(library): \(reason)") }
    }
}
print(String(decoding: try JSONEncoder().encode(times), as: UTF8.self))
