import AssetTypes
import CaptureCore
import CaptureHAL
import CaptureSimulation
import CaptureTesting
import Foundation
import MediaTypes
import SimDevices
import Testing

@Suite(.simulated(profile: "webcam")) struct SimulatedSystemTraitTests {
    @Test func aTestOfTheSuiteHasASystem() throws {
        let simulated = try SimulatedSystem.current
        #expect(AVCaptureDevice.default(for: .video)?.uniqueID == "webcam.camera")
        #expect(simulated.clock.now == .zero)
    }

    @Test(.simulated(profile: "phone", seed: 7)) func theTraitOfATestReplacesThatOfItsSuite() throws {
        #expect(AVCaptureDevice.default(for: .video)?.uniqueID == "phone.back-wide")
        #expect(try SimulatedSystem.current.system.seed == 7)
    }

    @Test(.simulated { try SimulatedSystem(profile: "capture-card") }) func aFunctionCreatesTheSystem() {
        #expect(AVCaptureDevice.DiscoverySession.external.devices.contains { $0.uniqueID.hasPrefix("capture-card") })
    }

    @Test(.simulated(interleaving: .seeded(1))) func theTraitSelectsTheOrderOfWork() throws {
        let order = Lock<[Int]>([])
        for index in 0..<10 { DispatchQueue(label: "queue").async { order.withLock { $0.append(index) } } }
        try SimulatedSystem.current.advance(by: .zero)
        #expect(order.withLock { $0.sorted() } == Array(0..<10))
        #expect(order.withLock { $0 } != Array(0..<10))
    }

    @Test func aSecondSystemIsTheActiveOne() throws {
        let first = try SimulatedSystem.current
        let second = try SimulatedSystem(profile: "phone")
        #expect(try SimulatedSystem.current === second)
        second.close()
        #expect(SimulatedSystem.active == nil)
        #expect(FileManager.default.fileExists(atPath: first.folder.path))
        #expect(!FileManager.default.fileExists(atPath: second.folder.path))
    }

    /// Counts the notifications of a name that an observer receives on the main queue, and those received elsewhere.
    private final class MainQueueObserver: Sendable {
        static let name = Notification.Name("MainQueueObserver")
        let onMainThread = Lock(0)
        let elsewhere = Lock(0)
        private let token = Lock<(any NSObjectProtocol)?>(nil)

        init() {
            let new = NotificationCenter.default.addObserver(forName: Self.name, object: nil, queue: .main) {
                [onMainThread, elsewhere] _ in
                (Thread.isMainThread ? onMainThread : elsewhere).withLock { $0 += 1 }
            }
            token.withLock { $0 = new }
        }

        func post() { NotificationCenter.default.post(name: Self.name, object: nil) }

        deinit { token.withLock { $0.map(NotificationCenter.default.removeObserver) } }
    }

    @Test func aBlockOnTheMainQueuePostsToAnObserverOnTheMainQueue() async throws {
        let observer = MainQueueObserver()
        DispatchQueue.main.async {
            observer.post()
        }
        try await SimulatedSystem.current.wait { observer.onMainThread.withLock { $0 } == 1 }
        #expect(observer.elsewhere.withLock { $0 } == 0)
    }

    @MainActor @Test func aTestOnTheMainActorPostsToAnObserverOnTheMainQueue() async throws {
        let observer = MainQueueObserver()
        #expect(Thread.isMainThread)
        observer.post()
        #expect(observer.onMainThread.withLock { $0 } == 1)
        DispatchQueue.main.async { observer.post() }
        try SimulatedSystem.current.advance { observer.onMainThread.withLock { $0 } == 2 }
        try await SimulatedSystem.current.wait(for: .seconds(1))
        observer.post()
        #expect(observer.onMainThread.withLock { $0 } == 3)
    }

    @Test func workOfOtherQueuesIsNotOnTheMainThread() async throws {
        let isMainThread = Lock<[Bool]>([])
        for _ in 0..<20 {
            DispatchQueue.main.async { isMainThread.withLock { $0.append(Thread.isMainThread) } }
            DispatchQueue.global().async {
                isMainThread.withLock { $0.append(!Thread.isMainThread && !Thread.current.isMainThread) }
            }
        }
        try await SimulatedSystem.current.wait(for: .seconds(1))
        #expect(isMainThread.withLock { $0 } == Array(repeating: true, count: 40))
    }

    /// The number of tests that run at the same time.
    private static let running = Lock(0)

    @Test(arguments: 0..<20) func testsRunOneAfterAnother(_ number: Int) async throws {
        let simulated = try SimulatedSystem.current
        Self.running.withLock {
            $0 += 1
            #expect($0 == 1)
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(try SimulatedSystem.current === simulated)
        Self.running.withLock { $0 -= 1 }
    }
}

/// The test calls the trait itself, so this suite does not have the trait.
@Suite struct FailingSimulatedSystemTraitTests {
    private struct CreationFailure: Error {}

    @Test(.leakChecks) func aFailureToCreateTheSystemEndsTheLeakCheck() async throws {
        let record = Lock<WeakReference<SystemRecord>?>(nil)
        let trait: SimulatedSystemTrait = .simulated {
            let simulated = try SimulatedSystem(profile: "webcam")
            record.withLock { $0 = WeakReference(simulated.record) }
            throw CreationFailure()
        }
        let test = try #require(Test.current)
        await #expect(throws: CreationFailure.self) {
            try await trait.provideScope(for: test, testCase: Test.Case.current) {
                Issue.record("the test runs without its system")
            }
        }
        let reference = try #require(record.withLock { $0 })
        // A leak check retains the records of the systems until it ends.
        #expect(ObjectLifetimes.leaks { reference.object == nil ? [] : ["the record of the system"] } == [])
    }
}

extension AVCaptureDevice.DiscoverySession {
    fileprivate static var external: AVCaptureDevice.DiscoverySession {
        AVCaptureDevice.DiscoverySession(deviceTypes: [.external], mediaType: nil, position: .unspecified)
    }
}
