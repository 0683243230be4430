import CaptureHAL
import Foundation
import MediaTypes
import XCTest

@testable import CaptureCore

/// Tests that each setting of a camera stays until the client changes it, for each setting, camera and event.
final class DeviceSettingsTests: XCTestCase {
    /// What ends a setting, besides the client.
    enum Scope {
        case device
        /// A change of the format resets the value or may not support it.
        case format
        /// The end of the stream resets the value.
        case stream
    }

    /// A property or method that changes the configuration of a device.
    struct Setting {
        /// The Swift name of the property or method.
        let name: String
        let scope: Scope
        /// Sets a value that differs from the default; returns false if the device does not support the setting.
        let set: (AVCaptureDevice) throws -> Bool
        let read: (AVCaptureDevice) -> String

        /// A setting by a property.
        ///
        /// - Parameter value: Returns the value to set; nil if the device does not support the property.
        static func property<Value>(
            _ name: String, _ keyPath: ReferenceWritableKeyPath<AVCaptureDevice, Value>, _ scope: Scope = .device,
            _ value: @escaping (AVCaptureDevice) -> Value?
        ) -> Setting {
            Setting(name: name, scope: scope) { device in
                guard let value = value(device) else { return false }
                device[keyPath: keyPath] = value
                return true
            } read: {
                "\($0[keyPath: keyPath])"
            }
        }

        /// A setting that no simulated camera supports.
        static func unsupported(_ name: String) -> Setting {
            Setting(name: name, scope: .device, set: { _ in false }, read: { _ in "" })
        }
    }

    /// The settings, in an order in which each can be set.
    private static var settings: [Setting] {
        [
            .property("activeFormat", \.activeFormat, .format) { otherFormat(of: $0) },
            .property("activeVideoMinFrameDuration", \.activeVideoMinFrameDuration, .format) { _ in
                CMTime(value: 1, timescale: 20)
            },
            .property("activeVideoMaxFrameDuration", \.activeVideoMaxFrameDuration, .format) { _ in
                CMTime(value: 1, timescale: 10)
            },
            .property("activeDepthDataFormat", \.activeDepthDataFormat, .format) {
                $0.activeFormat.supportedDepthDataFormats.last.map { .some($0) }
            },
            .property("activeDepthDataMinFrameDuration", \.activeDepthDataMinFrameDuration, .format) {
                $0.activeDepthDataFormat == nil ? nil : CMTime(value: 1, timescale: 5)
            },
            .property("activeColorSpace", \.activeColorSpace, .format) { device in
                device.activeFormat.supportedColorSpaces.first { $0 != .sRGB }
            },
            .property("automaticallyAdjustsVideoHDREnabled", \.automaticallyAdjustsVideoHDREnabled) { _ in false },
            .property("isVideoHDREnabled", \.isVideoHDREnabled, .format) {
                $0.activeFormat.isVideoHDRSupported ? true : nil
            },
            .property("videoZoomFactor", \.videoZoomFactor) { _ in 3 },
            Setting(name: "setPrimaryConstituentDeviceSwitchingBehavior", scope: .device) { device in
                guard device.isVirtualDevice else { return false }
                device.setPrimaryConstituentDeviceSwitchingBehavior(.locked, restrictedSwitchingBehaviorConditions: [])
                return true
            } read: {
                "\($0.primaryConstituentDeviceSwitchingBehavior), from \($0.minAvailableVideoZoomFactor)"
            },
            Setting(name: "setPrimaryConstituentDeviceSwitchingBehaviorLockedWith", scope: .device) { device in
                guard let last = device.constituentDevices.last else { return false }
                device.setPrimaryConstituentDeviceSwitchingBehaviorLockedWith(last)
                return true
            } read: {
                "\($0.primaryConstituentDeviceSwitchingBehavior), from \($0.minAvailableVideoZoomFactor)"
            },
            .property("exposurePointOfInterest", \.exposurePointOfInterest, .format) {
                $0.isExposurePointOfInterestSupported ? CGPoint(x: 0.25, y: 0.75) : nil
            },
            .property("activeMaxExposureDuration", \.activeMaxExposureDuration, .format) { _ in
                CMTime(value: 1, timescale: 100)
            },
            .property(
                "automaticallyAdjustsFaceDrivenAutoExposureEnabled", \.automaticallyAdjustsFaceDrivenAutoExposureEnabled
            ) { _ in false },
            .property("isFaceDrivenAutoExposureEnabled", \.isFaceDrivenAutoExposureEnabled) { _ in false },
            .property("autoExposureLensApertureRateLimit", \.autoExposureLensApertureRateLimit) {
                $0.hasVariableAperture ? 2 : nil
            },
            .property("exposureMode", \.exposureMode) { $0.isExposureModeSupported(.locked) ? .locked : nil },
            Setting(name: "setExposureTargetBias", scope: .device) { device in
                device.setExposureTargetBias(1)
                return true
            } read: {
                "\($0.exposureTargetBias)"
            },
            Setting(name: "setExposureModeCustom", scope: .device) { device in
                guard device.isExposureModeSupported(.custom) else { return false }
                device.setExposureModeCustom(duration: CMTime(value: 1, timescale: 200), iso: 123)
                return true
            } read: {
                $0.exposureMode == .custom ? "\($0.exposureDuration) \($0.iso)" : "automatic"
            },
            .property(
                "automaticallyEnablesLowLightBoostWhenAvailable", \.automaticallyEnablesLowLightBoostWhenAvailable
            ) { $0.isLowLightBoostSupported ? true : nil },
            .property("isSmoothAutoFocusEnabled", \.isSmoothAutoFocusEnabled) {
                $0.isSmoothAutoFocusSupported ? true : nil
            },
            .property("autoFocusRangeRestriction", \.autoFocusRangeRestriction) {
                $0.isAutoFocusRangeRestrictionSupported ? .near : nil
            },
            .property("focusPointOfInterest", \.focusPointOfInterest, .format) {
                $0.isFocusPointOfInterestSupported ? CGPoint(x: 0.75, y: 0.25) : nil
            },
            .property(
                "automaticallyAdjustsFaceDrivenAutoFocusEnabled", \.automaticallyAdjustsFaceDrivenAutoFocusEnabled
            ) {
                $0.isFocusModeSupported(.continuousAutoFocus) ? false : nil
            },
            .property("isFaceDrivenAutoFocusEnabled", \.isFaceDrivenAutoFocusEnabled) {
                $0.isFocusModeSupported(.continuousAutoFocus) ? false : nil
            },
            .property("focusMode", \.focusMode) {
                $0.isFocusModeSupported(.locked) && $0.isFocusModeSupported(.continuousAutoFocus) ? .locked : nil
            },
            Setting(name: "setFocusModeLocked", scope: .device) { device in
                guard device.isLockingFocusWithCustomLensPositionSupported else { return false }
                device.setFocusModeLocked(lensPosition: 0.125)
                return true
            } read: {
                $0.focusMode == .locked ? "\($0.lensPosition)" : "automatic"
            },
            .property("whiteBalanceMode", \.whiteBalanceMode) {
                $0.isWhiteBalanceModeSupported(.locked) ? .locked : nil
            },
            Setting(name: "setWhiteBalanceModeLocked", scope: .device) { device in
                guard device.isLockingWhiteBalanceWithCustomDeviceGainsSupported else { return false }
                device.setWhiteBalanceModeLocked(with: .init(redGain: 2, greenGain: 1, blueGain: 1.5))
                return true
            } read: {
                "\($0.deviceWhiteBalanceGains)"
            },
            .property("flashMode", \.flashMode) { $0.hasFlash ? .on : nil },
            .property("torchMode", \.torchMode, .stream) { $0.hasTorch ? .on : nil },
            Setting(name: "setTorchModeOn", scope: .stream) { device in
                guard device.hasTorch else { return false }
                try device.setTorchModeOn(level: 0.5)
                return true
            } read: {
                "\($0.torchLevel)"
            },
            .property("isSubjectAreaChangeMonitoringEnabled", \.isSubjectAreaChangeMonitoringEnabled) { _ in true },
            .unsupported("activeInputSource"), .unsupported("centerStageRectOfInterest"),
            .unsupported("exposureRectOfInterest"), .unsupported("fallbackPrimaryConstituentDevices"),
            .unsupported("focusRectOfInterest"), .unsupported("isAutoVideoFrameRateEnabled"),
            .unsupported("isGeometricDistortionCorrectionEnabled"), .unsupported("isGlobalToneMappingEnabled"),
            .unsupported("setCameraLensSmudgeDetectionEnabled"), .unsupported("setCinematicVideoFixedFocus"),
            .unsupported("setCinematicVideoTrackingFocus"), .unsupported("setDynamicAspectRatio"),
            .unsupported("setTransportControlsPlaybackMode"), .unsupported("enabledExposureSignals"),
            .unsupported("isContinuousAutoFocusTrackingEnabled"),
            .unsupported("continuousAutoFocusTrackingLensPositionBias"),
            .property("automaticallyEnablesExposureSignals", \.automaticallyEnablesExposureSignals) { _ in false },
        ]
    }

    /// Returns a small format that is not active, if possible with several color spaces, depth or HDR.
    private static func otherFormat(of device: AVCaptureDevice) -> AVCaptureDevice.Format? {
        func features(_ format: AVCaptureDevice.Format) -> Int {
            (format.supportedColorSpaces.count > 1 ? 1 : 0) + (format.supportedDepthDataFormats.isEmpty ? 0 : 1)
                + (format.isVideoHDRSupported ? 1 : 0)
        }
        return device.formats.filter { format in
            let size = CMVideoFormatDescriptionGetDimensions(format.formatDescription)
            return format !== device.activeFormat && size.width <= 1280
                && format.videoSupportedFrameRateRanges.contains { $0.minFrameRate <= 10 && $0.maxFrameRate == 30 }
        }.max { features($0) < features($1) }
    }

    /// An event after which settings stay.
    private enum Event: CaseIterable {
        case unlockWhileIdle, restart, call, background, presetChange, formatChange

        /// Whether the event ends a stream.
        var endsStream: Bool { self != .unlockWhileIdle }

        var changesFormat: Bool { self == .presetChange || self == .formatChange }
    }

    private func perform(
        _ event: Event, on device: AVCaptureDevice, _ session: AVCaptureSession, _ fixture: CaptureFixture
    ) throws {
        func interrupt(_ reason: CaptureHAL.InterruptionReason) {
            fixture.system.interruptions.begin(reason)
            fixture.advance(milliseconds: 100)
            fixture.system.interruptions.end(reason)
        }
        switch event {
        case .unlockWhileIdle: return
        case .restart:
            session.stopRunning()
            fixture.advance(milliseconds: 50)
            session.startRunning()
        case .call: interrupt(.videoInUseByAnotherClient)
        case .background: interrupt(.notAvailableInBackground)
        case .presetChange: session.sessionPreset = session.sessionPreset == .medium ? .low : .medium
        case .formatChange:
            try device.lockForConfiguration()
            device.activeFormat = try XCTUnwrap(Self.otherFormat(of: device))
            device.unlockForConfiguration()
        }
        fixture.advance(milliseconds: 100)
    }

    private func checkSettings(_ id: String, profile: String) throws {
        for event in Event.allCases {
            let fixture = try CaptureFixture(profile: profile)
            let output = fixture.inSystem { AVCaptureVideoDataOutput() }
            let session = try fixture.makeSession(camera: id, microphone: nil, preset: .low, [output])
            let device = try fixture.device(id)
            if event.endsStream {
                session.startRunning()
                fixture.advance(milliseconds: 50)
            }
            try device.lockForConfiguration()
            var supported: [Setting] = []
            for setting in Self.settings {
                let before = setting.read(device)
                guard try setting.set(device) else { continue }
                XCTAssertNotEqual(setting.read(device), before, "\(id) \(setting.name)")
                supported.append(setting)
            }
            let values = supported.map { $0.read(device) }
            device.unlockForConfiguration()
            try perform(event, on: device, session, fixture)
            for (setting, value) in zip(supported, values) {
                switch setting.scope {
                case .format where event.changesFormat, .stream where event.endsStream: continue
                case .device, .format, .stream:
                    XCTAssertEqual(setting.read(device), value, "\(id) \(setting.name) after \(event)")
                }
            }
            session.stopRunning()
            fixture.assertNoMisuse()
        }
    }

    func testTheSettingsOfASingleCameraStay() throws {
        try checkSettings("phone.back-wide", profile: "phone")
    }

    func testTheSettingsOfAVirtualCameraStay() throws {
        try checkSettings("phone.back-triple", profile: "phone")
        try checkSettings("phone.back-dual", profile: "phone")
    }

    func testTheSettingsOfAVariableApertureStay() throws {
        try checkSettings("phone-variable-aperture.back-wide", profile: "phone-variable-aperture")
    }

    func testTheSettingsOfAWebcamStay() throws {
        try checkSettings(CaptureFixture.camera, profile: "webcam")
    }

    /// Finds the settable properties and the setter methods in the sources.
    func testTheTableContainsEachSetting() throws {
        let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = package.appendingPathComponent("Sources/CaptureCore/Devices")
        var found: Set<String> = []
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            found.formUnion(Self.settings(in: try String(contentsOf: file, encoding: .utf8)))
        }
        XCTAssertTrue(found.contains("videoZoomFactor") && found.contains("setTorchModeOn"), "\(found)")
        XCTAssertEqual(found.sorted(), Self.settings.map(\.name).sorted())
    }

    /// Returns the names of the settable instance properties and of the setter methods of `AVCaptureDevice`.
    private static func settings(in text: String) -> [String] {
        var (isDevice, property) = (false, "")
        var names: [String] = []
        for line in text.split(separator: "\n") {
            func name(after prefix: String) -> String? {
                guard line.hasPrefix("    " + prefix) else { return nil }
                return String(line.dropFirst(4 + prefix.count).prefix { $0.isLetter || $0.isNumber })
            }
            if !line.hasPrefix(" ") { isDevice = line == "extension AVCaptureDevice {" }
            if !line.hasPrefix("        "), line.hasPrefix("    "), !line.hasPrefix("    }") {
                property = name(after: "public var ") ?? ""
            }
            guard isDevice else { continue }
            if line.hasPrefix("        set {"), !property.isEmpty { names.append(property) }
            if let name = name(after: "public func set"), !names.contains("set" + name) { names.append("set" + name) }
        }
        return names
    }
}
