public import Testing

/// Checks after each test with the trait `simulated` that it has released its resources.
///
/// ```swift
/// @Suite(.simulated(), .leakChecks) struct CameraTests { … }
/// ```
/// Each object of the system that is not deallocated, each open file in its folder, and each pool with a frame that is
/// not released is a failure, as for `expectNoLeaks`. A test that throws an error is not checked.
public struct LeakCheckTrait: TestTrait, SuiteTrait {
    /// Always true: the trait of a suite applies to its tests.
    public var isRecursive: Bool { true }
}

extension Trait where Self == LeakCheckTrait {
    /// Checks after each test that it has released its resources.
    public static var leakChecks: Self { LeakCheckTrait() }
}
