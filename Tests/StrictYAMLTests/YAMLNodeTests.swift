import XCTest

@testable import StrictYAML

final class YAMLNodeTests: XCTestCase {
    func testADocumentIsReadFromItsTextWithItsPositions() throws {
        let value = try YAMLValue.parse(
            """
            # A comment.
            name: "a: b = {c}"
            empty: ''
            lists: [[], [1, 2 mm], {}]
            entries:
              - {key: value, other: [x]}
              - plain
            """, file: "a.yaml")
        let text = try XCTUnwrap(value.document.parsed)
        XCTAssertEqual(
            text,
            """
            2|1{4|1=name|7=a: b = {c}
            3|1=empty|8=
            4|1=lists|8[3|9[0|13[2|14=1|17=2 mm|24{0
            5|1=entries
            6|3[2|5{2|6=key|11=value|18=other|25[1|26=x
            7|5=plain
            """)
        XCTAssertEqual(YAMLNode(parsed: text), value.document)
    }

    func testADocumentWithAScalarThatTheTextCannotContainHasNone() throws {
        for (yaml, scalar) in [("[a|b]", "a|b"), ("[\"a\\nb\"]", "a\nb")] {
            let document = try YAMLValue.parse(yaml, file: "a.yaml").document
            XCTAssertNil(document.parsed, yaml)
            XCTAssertEqual(document.content, .sequence([YAMLNode(.scalar(scalar), column: 2)]))
        }
    }

    func testTextOfAnotherFormIsNoDocument() {
        for text in ["", "1", "1|", "1|2", "1|=a", "x|1=a", "1|1?a", "1|1[x", "1|1[2|2=a", "1|1{1|2=a", "1|1=a|3=b"] {
            XCTAssertNil(YAMLNode(parsed: text), text)
        }
    }
}
