import AssetTypes
import Foundation
import XCTest

@testable import CaptureCore

final class SessionAdmissionTests: XCTestCase {
    private typealias Input = SessionAdmission.Input
    private typealias Connection = SessionAdmission.Connection

    private let objects = (0..<3).map { _ in NSObject() }
    private let single = SessionAdmission(isMultiCam: false)
    private let multiCam = SessionAdmission(isMultiCam: true)

    private func id(_ index: Int) -> ObjectIdentifier { ObjectIdentifier(objects[index]) }

    private func camera(_ index: Int, multiCam: Bool = true, supportsPreset: Bool = true) -> Input {
        Input(
            media: [.video], device: id(index), isCamera: true, isFormatMultiCamSupported: multiCam,
            supportsPreset: supportsPreset)
    }

    private func microphone(_ index: Int) -> Input { Input(media: [.audio], device: id(index)) }

    // MARK: Inputs

    func testASessionAcceptsACameraAndAMicrophone() {
        XCTAssertNil(single.rejection(of: microphone(1), .none, isPresent: false, beside: [camera(0)]))
        XCTAssertEqual(
            single.rejection(of: camera(1), .none, isPresent: false, beside: [camera(0)]), .mediumAlreadyPresent)
        XCTAssertEqual(
            single.rejection(of: microphone(1), .none, isPresent: false, beside: [microphone(0)]),
            .mediumAlreadyPresent)
    }

    func testAnInputCanBeAddedToOneSessionOnce() {
        for admission in [single, multiCam] {
            XCTAssertEqual(
                admission.rejection(of: camera(0), .sameSession, isPresent: true, beside: [camera(0)]), .alreadyAdded)
            XCTAssertEqual(
                admission.rejection(of: camera(0), .otherSession, isPresent: false, beside: []), .inOtherSession)
            XCTAssertNil(
                admission.rejection(of: camera(0), .sameSession, isPresent: false, beside: []),
                "an input that the open transaction removed can be added again")
        }
    }

    func testACameraMustSupportThePreset() {
        let unsupported = camera(0, supportsPreset: false)
        XCTAssertEqual(single.rejection(of: unsupported, .none, isPresent: false, beside: []), .presetUnsupported)
    }

    func testAMultiCamSessionAcceptsSeveralCamerasWithSupportedFormats() {
        XCTAssertNil(multiCam.rejection(of: camera(1), .none, isPresent: false, beside: [camera(0)]))
        XCTAssertEqual(
            multiCam.rejection(of: camera(1), .none, isPresent: false, beside: [camera(0, multiCam: false)]),
            .formatNotMultiCamSupported(camera: id(0)))
        XCTAssertEqual(
            multiCam.rejection(of: camera(1, multiCam: false), .none, isPresent: false, beside: [camera(0)]),
            .formatNotMultiCamSupported(camera: id(1)))
        XCTAssertNil(
            multiCam.rejection(of: camera(0, multiCam: false), .none, isPresent: false, beside: [microphone(1)]),
            "one camera may have any format")
        XCTAssertEqual(
            multiCam.rejection(of: camera(0), .none, isPresent: false, beside: [camera(0)]), .deviceAlreadyAdded)
    }

    // MARK: Outputs

    func testASessionAcceptsOneOutputOfAType() {
        let output = SessionAdmission.Output(type: id(0))
        XCTAssertNil(single.rejection(of: output, .none, isPresent: false, beside: [id(1)]))
        XCTAssertEqual(
            single.rejection(of: output, .none, isPresent: false, beside: [id(1), id(0)]), .typeAlreadyPresent)
        XCTAssertNil(multiCam.rejection(of: output, .none, isPresent: false, beside: [id(0)]))
        let repeatable = SessionAdmission.Output(type: id(0), allowsSeveral: true)
        XCTAssertNil(single.rejection(of: repeatable, .none, isPresent: false, beside: [id(0)]))
    }

    func testAnOutputCanBeAddedToOneSessionOnce() {
        let output = SessionAdmission.Output(type: id(0), allowsSeveral: true)
        XCTAssertEqual(single.rejection(of: output, .sameSession, isPresent: true, beside: [id(0)]), .alreadyAdded)
        XCTAssertEqual(single.rejection(of: output, .otherSession, isPresent: false, beside: []), .inOtherSession)
        XCTAssertNil(single.rejection(of: output, .sameSession, isPresent: false, beside: []))
    }

    // MARK: Connections

    func testAConnectionRequiresAPortAndAnOutputOfTheSession() {
        XCTAssertNil(single.rejection(of: Connection()))
        XCTAssertEqual(single.rejection(of: Connection(hasOutput: false, hasPorts: false)), .foreignOutput)
        XCTAssertEqual(single.rejection(of: Connection(hasPorts: false)), .foreignPorts)
        XCTAssertEqual(single.rejection(of: Connection(isPresent: true)), .alreadyAdded)
        XCTAssertEqual(single.rejection(of: Connection(isAccepted: false)), .mediumNotAccepted)
        XCTAssertEqual(single.rejection(of: Connection(isMediumConnected: true)), .mediumAlreadyConnected)
    }

    func testPortsOfConstituentsRequireAMultiCamSession() {
        XCTAssertEqual(single.rejection(of: Connection(usesHiddenPort: true)), .hiddenPortNeedsMultiCam)
        XCTAssertNil(multiCam.rejection(of: Connection(usesHiddenPort: true)))
        XCTAssertEqual(
            multiCam.rejection(of: Connection(usesHiddenPort: true, isToPhotoOutput: true)), .hiddenPortToPhotoOutput)
        XCTAssertNil(single.rejection(of: Connection(isToPhotoOutput: true)))
    }
}
