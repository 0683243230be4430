public import Testing

/// Checks after each test with the trait `simulated` that it has released what it used.
///
/// ```swift
/// @Suite(.simulated(), .leakChecks) struct CameraTests { … }
/// ```
/// Each object of the system, each file in its folder and each pool with a frame that is not released is a failure, as
/// for `expectNoLeaks`. A test that throws an error is not checked.
public struct LeakCheckTrait: TestTrait, SuiteTrait {
    /// Always true: it applies to the tests of a suite.
    public var isRecursive: Bool { true }
}

extension Trait where Self == LeakCheckTrait {
    /// Checks after each test that it has released what it used.
    public static var leakChecks: Self { LeakCheckTrait() }
}
