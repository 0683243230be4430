/// The error of a test that lacks something that must exist: a format, a frame, a program that CI/setup installs.
package struct MissingRequirement: Error, CustomStringConvertible {
    package let description: String

    /// Creates an error with a sentence that names what is missing.
    package init(_ description: String) { self.description = description }
}
