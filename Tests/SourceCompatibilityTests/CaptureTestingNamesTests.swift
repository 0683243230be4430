import CaptureTesting
import ClientTypes
import XCTest

/// Tests an app whose types have the same names as types of this package.
///
/// Compiling it is the test: a name that CaptureTesting re-exported would be ambiguous.
final class CaptureTestingNamesTests: XCTestCase {
    func testTypesOfAClientAreNotAmbiguous() {
        let types: [Any.Type] = [
            Authorization.self,
            AuthorizationState.self,
            CameraCalibration.self,
            CameraProfile.self,
            CaptureClock.self,
            CaptureSystem.self,
            ClockTimer.self,
            ClockWorker.self,
            ColorMatrix.self,
            ColorResponse.self,
            ControlMode.self,
            ControlRange.self,
            ControlValue.self,
            DepthConfiguration.self,
            DepthFrame.self,
            DepthProfile.self,
            DepthStreamFormat.self,
            DeviceChange.self,
            DeviceCondition.self,
            DeviceControl.self,
            DeviceDescriptor.self,
            DeviceError.self,
            DeviceKind.self,
            DeviceMedia.self,
            DeviceOrientation.self,
            DevicePosition.self,
            DeviceProfile.self,
            DeviceStream.self,
            DeviceTransport.self,
            DroppedFrame.self,
            EventLog.self,
            FocusRange.self,
            FrameDepth.self,
            FrameDurationRange.self,
            FrameSettings.self,
            HardwareDevice.self,
            HardwareHost.self,
            HostClock.self,
            InterruptionReason.self,
            Interruptions.self,
            LensDescriptor.self,
            LogDifference.self,
            MicrophoneProfile.self,
            MisuseHandler.self,
            ObserverToken.self,
            OpenDevice.self,
            OrientationSensor.self,
            ProfileError.self,
            ProtectedResource.self,
            Scenario.self,
            ScenarioFile.self,
            ScenarioPlayer.self,
            SceneCode.self,
            SceneFile.self,
            SceneLight.self,
            ScheduledFault.self,
            SensorProfile.self,
            SimCamera.self,
            SimDevice.self,
            SimMicrophone.self,
            SimStream.self,
            SimVirtualCamera.self,
            StreamConfiguration.self,
            StreamEvent.self,
            StreamFormat.self,
            StreamReceiver.self,
            SystemPressure.self,
            VideoFrame.self,
            VideoStabilization.self,
            VideoStreamFormat.self,
            VirtualCameraProfile.self,
        ]
        for type in types { XCTAssertEqual(String(reflecting: type), "ClientTypes.\(type)") }
    }

    func testTypesUsedInTestsAreImported() throws {
        let simulated = try SimulatedSystem(
            profile: "webcam", scene: SimScene.street, shake: nil as HandShake?, sound: SimSound.tone,
            authorization: [.video: .notDetermined], answers: [.video: PromptAnswer(.denied)])
        let clock: SimClock = simulated.clock
        let storage: SimStorage = simulated.storage
        let host: SimHost = simulated.host
        XCTAssertEqual(clock.now, .zero)
        storage.freeByteCount = 0
        try host.setPressure(.init(.critical), uniqueID: "webcam.camera")
        try host.schedule(SimFault.dropFrames(count: 1), uniqueID: "webcam.camera", at: .frame(4))
        XCTAssertEqual(simulated.misuses, [Misuse]())
    }
}
