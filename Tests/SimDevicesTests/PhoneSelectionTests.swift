import XCTest

@testable import SimDevices

final class PhoneSelectionTests: XCTestCase {
    func testTheNamesOfASelection() throws {
        XCTAssertEqual(
            PhoneSelection.all.names,
            [
                "phone", "phone-small", "phone-two-lenses", "phone-pro-2x", "phone-pro-3x", "phone-pro-5x",
                "phone-square-front", "phone-variable-aperture", "phone-foldable", "tablet",
            ])
        XCTAssertEqual(PhoneSelection.without(.builtInUltraWideCamera).names, ["phone-small", "tablet"])
        XCTAssertEqual(PhoneSelection.withoutDepth.names, ["phone-small", "tablet"])
        XCTAssertEqual(
            PhoneSelection.nearestFocus(beyondMillimeters: 150).names,
            ["phone", "phone-pro-5x", "phone-variable-aperture"])
        XCTAssertEqual(
            PhoneSelection.with(.builtInTelephotoCamera).and(.nearestFocus(beyondMillimeters: 130)).names,
            ["phone", "phone-pro-3x", "phone-pro-5x", "phone-variable-aperture"])
        XCTAssertEqual(PhoneSelection.named("tablet", "webcam").names, ["tablet"])
    }

    func testASelectionIsReadFromText() throws {
        let texts: [(text: String, names: [String])] = [
            ("all", PhoneSelection.all.names), ("tablet", ["tablet"]),
            ("without ultra-wide", ["phone-small", "tablet"]),
            ("with triple and nearest focus beyond 15 cm", ["phone", "phone-pro-5x", "phone-variable-aperture"]),
            ("without depth and nearest focus beyond 90 mm", ["tablet"]),
        ]
        for (text, names) in texts {
            let selection = try XCTUnwrap(PhoneSelection(text), text)
            XCTAssertEqual(selection.names, names, text)
            // The description has the form that is read.
            XCTAssertEqual(PhoneSelection(selection.description)?.names, names, selection.description)
        }
        for text in ["", "webcam", "without", "without wings", "nearest focus beyond 15", "nearest focus beyond x cm"] {
            XCTAssertNil(PhoneSelection(text), text)
        }
    }

    func testEachExampleOfAFormIsRead() {
        for form in PhoneSelection.forms { XCTAssertNotNil(PhoneSelection(form), form) }
    }
}
