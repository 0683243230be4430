import Foundation
import XCTest

@testable import SourcePorting

final class SourcePortingTests: XCTestCase {
    /// Returns the findings of a kind as `line code`.
    private func findings(_ kind: PortFinding.Kind, _ source: String) -> [String] {
        SourcePorting.findings(inText: source).filter { $0.kind == kind }.map { "\($0.line) \($0.code)" }
    }

    // MARK: Conditions

    func testCodeForOtherSystemsIsListedWithItsLines() {
        let source = """
            #if os(iOS)
            let camera = 1
            let flash = 2
            #elseif os(macOS) && DEBUG
            let camera = 3
            #else
            let camera = 4
            #endif
            """
        let findings = SourcePorting.findings(inText: source)
        XCTAssertEqual(findings.map(\.code), ["#if os(iOS)", "#elseif os(macOS) && DEBUG"])
        XCTAssertEqual(findings.map(\.line), [1, 4])
        XCTAssertEqual(
            findings.first?.advice,
            "lines 2–3 are not compiled on Linux; if the app needs them there, write `#if os(iOS) || os(Linux)`")
    }

    func testConditionsAreEvaluatedForLinux() {
        let excluded = [
            "os(iOS)", "canImport(AppKit)", "targetEnvironment(simulator)", "os(iOS) || (os(macOS) && FLAG)",
        ]
        for condition in excluded {
            XCTAssertEqual(findings(.excludedCode, "#if \(condition)\nf()\n#endif").count, 1, condition)
        }
        let compiled = [
            "!os(macOS)", "os(Linux) || os(iOS)", "canImport(UIKit)", "!targetEnvironment(simulator)", "DEBUG", "!FLAG",
            "swift(>=5.9)",
            "canImport(SomePackage)", "os(iOS) || FLAG || DEBUG",
        ]
        for condition in compiled {
            XCTAssertEqual(findings(.excludedCode, "#if \(condition)\nf()\n#endif"), [], condition)
        }
    }

    func testCodeOfAFlagIsReadIfTheFlagIsSet() {
        let source = "#if USE_ARKIT\nlet a = SCNScene()\n#else\nlet b = UIStackView()\n#endif"
        XCTAssertEqual(findings(.missingName, source), ["4 UIStackView"])
        let set = SourcePorting.findings(inText: source, flags: ["USE_ARKIT"])
        XCTAssertEqual(set.map { "\($0.line) \($0.code)" }, ["2 SCNScene"])
    }

    func testCodeThatIsNotCompiledMustNotChange() {
        let source = """
            #if os(iOS)
            let a = UIStackView(), b = UITouch(), c = UIStackView()
            @objc func f(_ p: MTLDevice) { SCNScene() }
            #else
            let d = UIToolbar()
            #endif
            #if !os(iOS)
            #else
            let e = UIToolbar()
            #endif
            """
        let findings = SourcePorting.findings(inText: source)
        XCTAssertEqual(findings.map { "\($0.line) \($0.code)" }, ["1 #if os(iOS)", "5 UIToolbar"])
        XCTAssertEqual(
            findings.first?.advice,
            "lines 2–3 are not compiled on Linux; if the app needs them there, write `#if os(iOS) || os(Linux)` and "
                + "change `@objc`, `UIStackView`, `UITouch` and 2 other names")
    }

    func testBranchesThatExcludeLinuxExplicitlyAreNotListed() {
        let source = """
            #if os(Linux)
            import Glibc
            #else
            import Darwin
            @objc func f() {}
            #endif
            #if !os(Linux)
            let layer = UIStackView()
            #endif
            """
        XCTAssertEqual(SourcePorting.findings(inText: source), [])
    }

    func testOnlyTheOutermostBranchIsListed() {
        let source = """
            #if os(iOS)
            #if canImport(AppKit)
            f()
            #endif
            g()
            #endif
            """
        XCTAssertEqual(findings(.excludedCode, source), ["1 #if os(iOS)"])
    }

    // MARK: Objective-C

    func testObjectiveCSyntaxIsListedWithItsReplacement() {
        let source = """
            class Controller: NSObject {
                @objc func tick() {}
                func start() {
                    NotificationCenter.default.addObserver(
                        self, selector: #selector(tick), name: nil, object: nil)
                    timer = Timer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
                    device.addObserver(self, forKeyPath: #keyPath(AVCaptureDevice.isAdjustingExposure), context: nil)
                }
                override func observeValue(forKeyPath keyPath: String?, of object: Any?) {}
                @IBOutlet weak var preview: UIView!
            }
            """
        let findings = SourcePorting.findings(inText: source).filter { $0.kind == .objectiveC }
        XCTAssertEqual(
            findings.map { "\($0.line) \($0.code)" },
            [
                "2 @objc", "5 #selector", "6 #selector", "7 forKeyPath", "7 #keyPath", "9 observeValue", "10 @IBOutlet",
            ])
        XCTAssertTrue(findings[1].advice.contains("addObserver(forName:"), findings[1].advice)
        XCTAssertTrue(findings[2].advice.contains("scheduledTimer(withTimeInterval:"), findings[2].advice)
        XCTAssertTrue(findings[5].advice.contains("observe(\\.property"), findings[5].advice)
        XCTAssertTrue(findings[5].advice.contains("KeyPathObserver"), findings[5].advice)
    }

    func testActorsThatInheritFromNSObjectAreListed() {
        let source = """
            actor Plain: ObservableObject { var object = NSObject() }
            final actor Camera: NSObject, ObservableObject {}
            let actor = NSObject()
            """
        let findings = SourcePorting.findings(inText: source).filter { $0.kind == .objectiveC }
        XCTAssertEqual(findings.map { "\($0.line) \($0.code)" }, ["2 actor"])
    }

    func testAPortedKeyPathObserverIsNotListed() {
        let source = """
            final class Controller: NSObject, KeyPathObserver {
                func start() {
                    device.addObserver(self, forKeyPath: "adjustingExposure", options: .new, context: nil)
                }
                func observeValue(
                    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                    context: UnsafeMutableRawPointer?
                ) {}
            }
            """
        XCTAssertEqual(SourcePorting.findings(inText: source).map(\.code), [])
    }

    func testCommentsAndStringsAreNotCode() {
        let source = #"""
            // @objc
            /* #selector /* @IBAction */ @objc */
            let a = "@objc \(f("#selector")) \" @objc"
            let b = """
                @objc "quoted" \(x)
                import os
                """
            @IBAction func c() {}
            """#
        XCTAssertEqual(SourcePorting.findings(inText: source).map { "\($0.line) \($0.code)" }, ["8 @IBAction"])
    }

    func testARawLiteralThatBeginsWithQuotationMarksEndsOnItsLine() {
        for literal in [##"#"""#"##, ##"#"""@objc"#"##, ###"##""""##"###] {
            let source = "let a = \(literal)\n@IBAction func b() {}"
            XCTAssertEqual(
                SourcePorting.findings(inText: source).map { "\($0.line) \($0.code)" }, ["2 @IBAction"], literal)
        }
        let multiline = ##"""
            let a = #"""
                @objc "#
                """#
            @IBAction func b() {}
            """##
        XCTAssertEqual(SourcePorting.findings(inText: multiline).map { "\($0.line) \($0.code)" }, ["4 @IBAction"])
    }

    func testParenthesesInCommentsDoNotEndAnInterpolation() {
        let source = ##"""
            let a = "\(f(/* ( */ 1)) @objc"
            let b = """
                \(f( // ( "
                1)) @objc
                """
            @IBAction func c() {}
            """##
        XCTAssertEqual(SourcePorting.findings(inText: source).map { "\($0.line) \($0.code)" }, ["6 @IBAction"])
    }

    // MARK: Modules and names

    func testModulesThatDoNotExistAreListed() {
        let source = """
            import AVFoundation
            import UIKit
            import os.log
            @preconcurrency import class Combine.Just
            import SomePackage
            import UIKit.UIView
            import class UIKit.UIView
            import ReplayKit
            """
        XCTAssertEqual(
            findings(.missingModule, source),
            ["3 import os", "4 import Combine", "6 import UIKit.UIView", "8 import ReplayKit"])
    }

    func testEveryModuleOfTheProductsExists() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manifest = try String(contentsOf: root.appendingPathComponent("Package.swift"), encoding: .utf8)
        for module in LinuxModules.own {
            XCTAssertTrue(
                manifest.contains("\"\(module)\""), "\(module) is no target; LinuxModules says that it can be imported")
            XCTAssertNil(LinuxModules.advice(for: module))
        }
    }

    func testAppleNamesThatDoNotExistAreListed() {
        let source = """
            final class AVControllerOfTheApp {}
            let session = AVCaptureSession()
            let view: UIStackView = make()
            let device: MTLDevice
            let url = kUTTypeMovie, count: UInt = 3, point = CGPoint.zero
            let own = AVControllerOfTheApp()
            """
        XCTAssertEqual(findings(.missingName, source), ["3 UIStackView", "4 MTLDevice", "5 kUTTypeMovie"])
    }

    func testAMemberIsReportedByTheTypeOfItsReceiver() {
        let app = """
            final class Mixer {
                private let engine = AVAudioEngine()
                var request: AVAsynchronousVideoCompositionRequest?
                func start(_ other: Engine) {
                    engine.attach(node)
                    self.engine.attach(node)
                    other.attach(node)
                    makeEngine().attach(node)
                    request?.attach(x)
                }
            }
            """
        XCTAssertEqual(findings(.missingName, app).filter { $0.hasSuffix("attach") }, ["9 attach"])
        let views = """
            class Base: UIView {}
            class Cell: Base {
                override func touchesBegan(_ touches: Set<Int>) { super.touchesBegan(touches) }
                let attributes: [NSAttributedString.Key: Any] = [.font: 1, .other: 2]
                func layout(_ path: IndexPath, _ text: Text, _ label: UILabel) {
                    _ = path.row + text.row
                    topAnchor.pin(text.topAnchor, topAnchor: 1)
                    self.subviews[0].trailingAnchor.pin()
                    label.attributedText = text
                    _ = UIColor.systemGray.cgColor == UIFont.familyNames
                    _ = UIScreen.main.isCaptured
                    makeCell().backgroundColor = makeCell().isHighlighted
                }
            }
            extension Cell { func f() { leadingAnchor.pin() } }
            struct Text { let attributedText = 1 }
            """
        XCTAssertEqual(
            findings(.missingName, views),
            [
                "3 touchesBegan", "4 font", "7 topAnchor", "8 trailingAnchor", "10 familyNames",
                "11 isCaptured", "15 leadingAnchor",
            ])
    }

    func testConstantsOfTypesComeWithTheirModule() {
        XCTAssertEqual(findings(.missingName, "import UIKit\nlet a = kUTTypeGIF"), ["2 kUTTypeGIF"])
        XCTAssertEqual(findings(.missingName, "import MobileCoreServices\nlet a = kUTTypeGIF"), [])
    }

    func testATypeThatTheAppOnlyExtendsIsApples() {
        let source = "extension NSLayoutConstraint {}\nextension UIStackView {}\nlet a: AVAudioTime"
        XCTAssertEqual(
            findings(.missingName, source), ["1 NSLayoutConstraint", "2 UIStackView", "3 AVAudioTime"])
    }

    func testPrefixesOfOtherModulesAreApplesIfTheyAreImported() {
        let source = "let a: MLModel\nlet b = CFG_PATH\nlet c = AudioUnitSetProperty()"
        XCTAssertEqual(findings(.missingName, source), ["3 AudioUnitSetProperty"])
        XCTAssertEqual(
            findings(.missingName, "import CoreML\n" + source).first, "2 MLModel")
        // The import is one finding, although the module has the name of a type.
        XCTAssertEqual(findings(.missingName, "import AudioUnit\nlet a: AURenderCallback"), ["2 AURenderCallback"])
    }

    func testAttributesThatCompileMustNotChange() {
        let source = "@IBDesignable class V: UIView {\n@IBInspectable var a = 1\n@IBAction func b() {}\n}"
        let findings = SourcePorting.findings(inText: source)
        XCTAssertEqual(findings.map(\.kind), [.noEffect, .noEffect, .noEffect])
        XCTAssertEqual(PortSummary(findings, fileCount: 1).changedCount, 0)
    }

    func testLayoutFiltersAndPublishedPropertiesAreListedWithAdvice() {
        let source = """
            NSLayoutConstraint.activate([view.centerXAnchor.constraint(equalTo: other.centerXAnchor)])
            let filter = CIFilter(name: "CISepiaTone")
            @Published var isRunning = false
            """
        let findings = SourcePorting.findings(inText: source)
        XCTAssertEqual(findings.map(\.code), ["NSLayoutConstraint", "centerXAnchor", "CIFilter", "@Published"])
        XCTAssertEqual(findings.map(\.line), [1, 1, 2, 3])
        XCTAssertTrue(findings.allSatisfy { !$0.advice.isEmpty })
        XCTAssertTrue(findings[0].advice.contains("Auto Layout"))
    }

    func testTypesDeclaredInOtherFilesAreNotListed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent(".build"), withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [
            ("a.swift", "struct CAMERA {}\nclass UIShutterButton {}"), ("b.swift", "let button = UIShutterButton()"),
            ("c.m", "@implementation C"), (".build/d.swift", "import os"), ("e.txt", "import os"),
        ] {
            try Data(text.utf8).write(to: folder.appendingPathComponent(name))
        }
        let files = try SourcePorting.sourceFiles(in: [folder.path])
        XCTAssertEqual(files.map { ($0 as NSString).lastPathComponent }, ["a.swift", "b.swift", "c.m"])
        XCTAssertEqual(try SourcePorting.findings(in: files).map(\.code), ["Objective-C"])
    }

    func testAFolderWithoutSourcesIsNamed() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        XCTAssertThrowsError(try SourcePorting.sourceFiles(in: [folder.path])) { error in
            XCTAssertEqual("\(error)", "there is no Swift or Objective-C file in \(folder.path)")
        }
    }

    func testSourcesThatCannotBeReadAreNamed() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("port-\(UUID().uuidString).swift")
        XCTAssertThrowsError(try SourcePorting.sourceFiles(in: [file.path])) { error in
            XCTAssertEqual("\(error)", "\(file.path) does not exist")
        }
        try Data([0xff, 0xfe, 0x80]).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        XCTAssertThrowsError(try SourcePorting.findings(in: [file.path])) { error in
            XCTAssertEqual("\(error)", "\(file.path) is not readable as UTF-8 text")
        }
    }

    // MARK: Names of clients

    func testSubmodulesAreListed() {
        let source = """
            import UIKit.UIView
            import AVFoundation.AVCaptureDevice
            import class UIKit.UIImage
            import UIKit
            import MyPackage.Camera
            """
        XCTAssertEqual(
            findings(.missingModule, source), ["1 import UIKit.UIView", "2 import AVFoundation.AVCaptureDevice"])
        XCTAssertEqual(
            SourcePorting.findings(inText: source).first?.advice,
            "write `import UIKit`: modules on Linux have no submodules")
    }

    func testSelectorsOfSavedPhotosAndMissingNamesHaveAdvice() {
        let source = """
            UIImageWriteToSavedPhotosAlbum(image, self, #selector(didSave), nil)
            let animator = UIViewPropertyAnimator(duration: 1, curve: .linear)
            CATransaction.setValue(true, forKey: kCATransactionDisableActions)
            if UIAccessibility.isVoiceOverRunning {}
            """
        XCTAssertEqual(
            SourcePorting.findings(inText: source).map { "\($0.line) \($0.code): \($0.advice)" },
            [
                "1 #selector: use `UIImageWriteToSavedPhotosAlbum(_:completion:)`",
                "2 UIViewPropertyAnimator: use `UIView.animate(withDuration:animations:completion:)`",
            ])
    }
}
