import Foundation
import MediaTypes
import XCTest

/// Identifiers of metadata, and the registry of data types.
final class CMMetadataTests: XCTestCase {
    private func identifier(_ key: Any, _ keySpace: String) -> (OSStatus, String?) {
        var result: CFString?
        let status = CMMetadataCreateIdentifierForKeyAndKeySpace(
            allocator: nil, key: key, keySpace: keySpace, identifierOut: &result)
        return (status, result)
    }

    func testKeysOfAllTypesHaveIdentifiers() {
        let title = UInt32(0xa96e_616d)
        for key in [NSNumber(value: Int32(bitPattern: title)) as Any, title, Data([0xa9, 0x6e, 0x61, 0x6d])] {
            XCTAssertEqual(identifier(key, kCMMetadataKeySpace_iTunes).1, "itsk/%A9nam")
        }
        XCTAssertEqual(identifier("TIT2", kCMMetadataKeySpace_ID3).1, "id3/TIT2")
        XCTAssertEqual(
            identifier("com.example.a key", kCMMetadataKeySpace_QuickTimeMetadata).1, "mdta/com.example.a%20key")
        XCTAssertEqual(identifier(Data([0, 255]), "com.example").1, "com.example/%00%FF")
    }

    func testInvalidKeysAreRejected() {
        XCTAssertEqual(identifier("TIT", kCMMetadataKeySpace_ID3).0, kCMMetadataIdentifierError_BadKeyLength)
        XCTAssertEqual(identifier("näme", kCMMetadataKeySpace_ID3).0, kCMMetadataIdentifierError_BadKey)
        XCTAssertEqual(identifier(1 << 40, kCMMetadataKeySpace_ID3).0, kCMMetadataIdentifierError_BadNumberKey)
        XCTAssertEqual(identifier(7, kCMMetadataKeySpace_QuickTimeMetadata).0, kCMMetadataIdentifierError_BadKeyType)
        XCTAssertEqual(identifier("", "com.example").0, kCMMetadataIdentifierError_BadKeyLength)
        XCTAssertEqual(identifier("key", "a/b").0, kCMMetadataIdentifierError_BadKeySpace)
    }

    func testKeysAndKeySpacesAreReadFromIdentifiers() throws {
        func key(_ identifier: String) -> Any? {
            var key: CFTypeRef?
            XCTAssertEqual(CMMetadataCreateKeyFromIdentifier(allocator: nil, identifier: identifier, keyOut: &key), 0)
            return key
        }
        XCTAssertEqual(key("itsk/%A9nam") as? NSNumber, NSNumber(value: Int32(bitPattern: 0xa96e_616d)))
        XCTAssertEqual(key("mdta/com.example.a%20key") as? String, "com.example.a key")
        XCTAssertEqual(key("com.example/%00%FF") as? Data, Data([0, 255]))

        var data: CFData?
        CMMetadataCreateKeyFromIdentifierAsCFData(allocator: nil, identifier: "id3/TIT2", keyOut: &data)
        XCTAssertEqual(data, Data("TIT2".utf8))
        var keySpace: CFString?
        CMMetadataCreateKeySpaceFromIdentifier(allocator: nil, identifier: "id3/TIT2", keySpaceOut: &keySpace)
        XCTAssertEqual(keySpace, "org.id3")
        for bad in ["", "mdta", "mdta/", "/key", "itsk/long key"] {
            XCTAssertEqual(
                CMMetadataCreateKeySpaceFromIdentifier(allocator: nil, identifier: bad, keySpaceOut: &keySpace),
                kCMMetadataIdentifierError_BadIdentifier, bad)
        }
    }

    func testDataTypesConformToBaseTypes() {
        let (speed, unit) = ("com.example.speed", "com.example.unit")
        func register(_ type: String, _ types: [String]) -> OSStatus {
            CMMetadataDataTypeRegistryRegisterDataType(type, description: "a speed", conformingDataTypes: types)
        }
        XCTAssertFalse(CMMetadataDataTypeRegistryDataTypeIsRegistered(unit))
        XCTAssertEqual(register(unit, [kCMMetadataBaseDataType_Float64]), 0)
        XCTAssertEqual(register(speed, [unit]), kCMMetadataDataTypeRegistryError_RequiresConformingBaseType)
        XCTAssertEqual(
            register(speed, [kCMMetadataBaseDataType_Float64, kCMMetadataBaseDataType_UTF8]),
            kCMMetadataDataTypeRegistryError_MultipleConformingBaseTypes)
        XCTAssertEqual(register(speed, [unit, kCMMetadataBaseDataType_Float64]), 0)
        XCTAssertEqual(register(speed, [kCMMetadataBaseDataType_Float64, unit]), 0, "the same again")
        XCTAssertEqual(
            register(speed, [kCMMetadataBaseDataType_Float32]),
            kCMMetadataDataTypeRegistryError_DataTypeAlreadyRegistered)
        XCTAssertEqual(register("", []), kCMMetadataDataTypeRegistryError_BadDataTypeIdentifier)

        XCTAssertTrue(CMMetadataDataTypeRegistryDataTypeIsRegistered(speed))
        XCTAssertEqual(CMMetadataDataTypeRegistryGetDataTypeDescription(speed), "a speed")
        XCTAssertTrue(CMMetadataDataTypeRegistryDataTypeConformsToDataType(speed, conformsTo: unit))
        XCTAssertFalse(CMMetadataDataTypeRegistryDataTypeConformsToDataType(unit, conformsTo: speed))
        XCTAssertEqual(
            CMMetadataDataTypeRegistryGetBaseDataTypeForConformingDataType(
                kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709), kCMMetadataBaseDataType_UTF8)
        XCTAssertTrue(CMMetadataDataTypeRegistryDataTypeIsBaseDataType(kCMMetadataBaseDataType_JSON))
        XCTAssertFalse(CMMetadataDataTypeRegistryDataTypeIsBaseDataType(speed))
        XCTAssertEqual(CMMetadataDataTypeRegistryGetBaseDataTypes()?.count, 27)
    }
}
