import CLinuxDevices
import CaptureHAL
import Glibc
import XCTest

@testable import LinuxDevices

final class LinuxDiagnosisTests: XCTestCase {
    private let kernel = FakeKernel(clock: SimClock())
    private let anna = DiagnosedProcess(identifier: 10, user: "anna", groups: ["anna", "audio"])

    private func findings(_ process: DiagnosedProcess? = nil) -> [LinuxDiagnosis.Finding] {
        LinuxDiagnosis(kernel: kernel, process: process ?? anna).findings()
    }

    /// Returns the first finding about a device file with a message that contains `words`.
    private func finding(_ subject: String, _ words: String, file: StaticString = #filePath, line: UInt = #line)
        throws -> LinuxDiagnosis.Finding
    {
        let all = findings()
        return try XCTUnwrap(
            all.first { $0.subject == subject && $0.message.contains(words) }, "\(all)", file: file, line: line)
    }

    func testAMachineWithoutDevicesGetsAdvice() {
        let found = findings()
        XCTAssertEqual(found.map(\.subject), ["/dev/video*", "/dev/snd", "hot-plug"])
        XCTAssertEqual(found.map(\.level), [.problem, .problem, .hint])
        XCTAssertTrue(found[0].advice.contains("modprobe uvcvideo") && found[0].advice.contains("--backend sim"))
        XCTAssertTrue(found[1].advice.contains("--no-audio"))
        kernel.setFile("/sys/class/video4linux/video0", "")
        kernel.setFile("/proc/asound/cards", " 0 [Webcam ]: USB-Audio")
        XCTAssertTrue(findings()[0].advice.contains("container") && findings()[1].advice.contains("/proc/asound/cards"))
    }

    func testAUsableCameraIsFineAndItsBusSpeedIsReported() throws {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        kernel.setLink("/sys/class/video4linux/video0/device", "/sys/devices/usb1/1-1/1-1:1.0")
        kernel.setFile("/sys/devices/usb1/1-1/idVendor", "046d")
        kernel.setFile("/sys/devices/usb1/1-1/speed", "480")
        let camera = try finding("/dev/video0", "formats can be used")
        XCTAssertEqual(camera.level, .fine)
        XCTAssertTrue(camera.message.contains("Fake Camera"))
        let link = try finding("/dev/video0", "480 Mbit/s")
        XCTAssertEqual(link.level, .hint)
        XCTAssertTrue(link.advice.contains("MJPEG"))
        kernel.setFile("/sys/devices/usb1/1-1/speed", "12")
        XCTAssertEqual(try finding("/dev/video0", "12 Mbit/s").level, .problem)
        kernel.setFile("/sys/devices/usb1/1-1/speed", "5000")
        XCTAssertEqual(try finding("/dev/video0", "5000 Mbit/s").level, .fine)
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }

    func testTheFormatsOfACameraWithoutSupportedFormatsAreReported() throws {
        var mode = FakeV4L2Device.Mode.yuyv()
        (mode.fourcc, mode.name) = (0x3356_5348, "24-bit HSV 8-8-8")
        kernel.plug(FakeV4L2Device(modes: [mode]), at: "/dev/video0")
        let camera = try finding("/dev/video0", "no formats can be used; it only offers HSV3 (24-bit HSV 8-8-8)")
        XCTAssertEqual(camera.level, .problem)
        XCTAssertTrue(camera.advice.contains("v4l2-ctl -d /dev/video0"))
    }

    func testACameraWithoutAnyFormatIsAProblem() throws {
        let fake = FakeV4L2Device()
        fake.modes = []
        kernel.plug(fake, at: "/dev/video0")
        XCTAssertEqual(try finding("/dev/video0", "its driver lists none").level, .problem)
    }

    func testAReceiverWithoutASignalIsReported() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [FakeV4L2Device.Input(capabilities: UInt32(V4L2_IN_CAP_DV_TIMINGS), name: "HDMI 1", edid: [])]
        kernel.plug(fake, at: "/dev/video0")
        let inputWithoutEDID = try finding("/dev/video0", "HDMI 1 has no EDID")
        XCTAssertTrue(inputWithoutEDID.advice.contains("--set-edid=pad=0"))
        fake.inputs[0].edid = nil
        XCTAssertEqual(try finding("/dev/video0", "HDMI 1 has a signal").level, .fine)
        fake.inputs[0].status = UInt32(V4L2_IN_ST_NO_SIGNAL)
        XCTAssertEqual(try finding("/dev/video0", "HDMI 1 has no signal").level, .problem)
    }

    func testTheStationOfATunerIsReported() throws {
        let fake = FakeV4L2Device()
        fake.inputs = [FakeV4L2Device.Input(type: UInt32(V4L2_INPUT_TYPE_TUNER))]
        fake.tuner = FakeV4L2Device.Tuner()
        kernel.plug(fake, at: "/dev/video0")
        XCTAssertEqual(try finding("/dev/video0", "input 0 is tuned to 175.25 MHz").level, .fine)
        fake.inputs[0].status = UInt32(V4L2_IN_ST_NO_SIGNAL)
        let lost = try finding("/dev/video0", "and receives no station")
        XCTAssertTrue(lost.advice.contains("--set-freq"))
    }

    func testAMissingGroupIsReportedWithACommand() throws {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        kernel.changePermissions(of: "/dev/video0", EACCES)
        XCTAssertTrue(
            try finding("/dev/video0", "anna may not open it").advice.contains("usermod -aG video anna"))
        let member = DiagnosedProcess(identifier: 10, user: "ben", groups: ["video"])
        XCTAssertTrue(findings(member)[0].advice.contains("in the group video, but the file's permissions"))
    }

    func testTheProgramThatUsesACameraIsReported() throws {
        kernel.plug(FakeV4L2Device(), at: "/dev/video0")
        kernel.changePermissions(of: "/dev/video0", EBUSY)
        XCTAssertTrue(try finding("/dev/video0", "in use by another program").advice.contains("root"))
        kernel.setFile("/proc/10", "")
        kernel.setFile("/proc/10/fd/3", "")
        kernel.setLink("/proc/10/fd/3", "/dev/video0")
        kernel.setFile("/proc/42", "")
        kernel.setFile("/proc/42/fd/7", "")
        kernel.setLink("/proc/42/fd/7", "/dev/video0")
        kernel.setFile("/proc/42/comm", "ffmpeg")
        XCTAssertEqual(try finding("/dev/video0", "in use").message, "video0: in use by ffmpeg (42)")
        XCTAssertTrue(try finding("/dev/video0", "in use").advice.contains("End that program"))
    }

    func testASoundCardThatIsBusyOrNotPermittedIsAProblem() throws {
        let path = "/dev/snd/pcmC1D0c"
        // The fake kernel has no sound files; a camera at this path is a file that can be opened.
        kernel.plug(FakeV4L2Device(), at: path)
        kernel.setFile("/proc/asound/card1/id", "Loopback")
        kernel.setFile("/proc/asound/card1/pcm0c/sub0/status", "closed")
        XCTAssertEqual(try finding(path, "Loopback: can be used").level, .fine)
        kernel.setFile("/proc/asound/card1/pcm0c/sub0/status", "state: RUNNING")
        XCTAssertEqual(try finding(path, "Loopback: in use").level, .problem)
        kernel.setFile("/proc/asound/card1/pcm0c/sub0/status", "closed")
        kernel.changePermissions(of: path, EACCES)
        XCTAssertTrue(try finding(path, "may not open it").advice.contains("in the group audio"))
        XCTAssertEqual(kernel.leaks.descriptors, 0)
    }

    func testTheDiagnosisRunsOnThisMachine() {
        let found = LinuxDiagnosis().findings()
        XCTAssertTrue(found.contains { $0.subject == "hot-plug" })
        for finding in found {
            XCTAssertFalse(finding.message.isEmpty)
            XCTAssertEqual(finding.level == .fine, finding.advice.isEmpty, "\(finding)")
        }
        XCTAssertFalse(DiagnosedProcess.current().groups.isEmpty)
    }
}
