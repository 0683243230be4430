// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

public import Foundation

/// Returns the prefix of the identifiers of a key space: its name, or `id3` for ID3.
private func prefix(of keySpace: CFString) -> String { keySpace == kCMMetadataKeySpace_ID3 ? "id3" : keySpace }

/// Whether the keys of a key space are four-character codes.
private func usesFourCharacterCodes(_ keySpace: CFString) -> Bool {
    [
        kCMMetadataKeySpace_QuickTimeUserData, kCMMetadataKeySpace_ISOUserData, kCMMetadataKeySpace_iTunes,
        kCMMetadataKeySpace_ID3,
    ].contains(keySpace)
}

/// Returns the key space and the bytes of the key of an identifier; nil for text that is not an identifier.
private func parts(of identifier: CFString) -> (keySpace: CFString, key: [UInt8])? {
    guard let (prefix, key) = MetadataIdentifierCoding.parts(of: identifier) else { return nil }
    let keySpace = prefix == "id3" ? kCMMetadataKeySpace_ID3 : prefix
    return usesFourCharacterCodes(keySpace) && key.count != 4 ? nil : (keySpace, key)
}

/// Returns the bytes of a key.
///
/// - Returns: `noErr` and the bytes. On failure, no bytes and one of these codes:
///   `kCMMetadataIdentifierError_BadKeyType`, `kCMMetadataIdentifierError_BadKeyLength` for an empty key or a code that
///   does not have four bytes, `kCMMetadataIdentifierError_BadNumberKey` for a number of more than 32 bits, or
///   `kCMMetadataIdentifierError_BadKey` for text that is not ASCII.
private func bytes(of key: CFTypeRef, in keySpace: CFString) -> (status: OSStatus, bytes: [UInt8]) {
    let result: [UInt8]
    switch key {
    case let text as String:
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return (kCMMetadataIdentifierError_BadKey, []) }
        result = Array(text.utf8)
    case let data as Data: result = Array(data)
    case let number as any BinaryInteger where usesFourCharacterCodes(keySpace):
        guard let code = UInt32(exactly: number) ?? Int32(exactly: number).map(UInt32.init(bitPattern:))
        else { return (kCMMetadataIdentifierError_BadNumberKey, []) }
        result = withUnsafeBytes(of: code.bigEndian) { Array($0) }
    case let number as NSNumber where usesFourCharacterCodes(keySpace):
        result = withUnsafeBytes(of: number.int32Value.bigEndian) { Array($0) }
    default: return (kCMMetadataIdentifierError_BadKeyType, [])
    }
    guard !result.isEmpty, !usesFourCharacterCodes(keySpace) || result.count == 4
    else { return (kCMMetadataIdentifierError_BadKeyLength, []) }
    return (noErr, result)
}

/// Creates the identifier of a key, for example `mdta/com.example.key`.
///
/// - Parameters:
///   - key: For key spaces with four-character codes: a number, a string of four ASCII characters, or four bytes. For
///     other key spaces: a string or data.
///   - keySpace: A `kCMMetadataKeySpace_…` or another name without a slash.
/// - Returns: Success, or a `kCMMetadataIdentifierError_…`.
@discardableResult
public func CMMetadataCreateIdentifierForKeyAndKeySpace(
    allocator: CFAllocator?, key: CFTypeRef, keySpace: CFString, identifierOut: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard !keySpace.isEmpty, !keySpace.contains("/") else { return kCMMetadataIdentifierError_BadKeySpace }
    let (status, bytes) = bytes(of: key, in: keySpace)
    guard status == noErr else { return status }
    identifierOut.pointee = MetadataIdentifierCoding.identifier(prefix: prefix(of: keySpace), key: bytes)
    return noErr
}

/// Returns the key of an identifier: a number for key spaces with four-character codes, a string for QuickTime metadata
/// and ICY, otherwise data.
@discardableResult
public func CMMetadataCreateKeyFromIdentifier(
    allocator: CFAllocator?, identifier: CFString, keyOut: UnsafeMutablePointer<CFTypeRef?>
) -> OSStatus {
    guard let (keySpace, key) = parts(of: identifier) else { return kCMMetadataIdentifierError_BadIdentifier }
    if usesFourCharacterCodes(keySpace) {
        let code = key.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        keyOut.pointee = NSNumber(value: Int32(bitPattern: code))
    } else if [kCMMetadataKeySpace_QuickTimeMetadata, kCMMetadataKeySpace_Icy].contains(keySpace) {
        keyOut.pointee = String(decoding: key, as: UTF8.self)
    } else {
        keyOut.pointee = Data(key)
    }
    return noErr
}

/// Returns the bytes of the key of an identifier, as stored in a file.
@discardableResult
public func CMMetadataCreateKeyFromIdentifierAsCFData(
    allocator: CFAllocator?, identifier: CFString, keyOut: UnsafeMutablePointer<CFData?>
) -> OSStatus {
    guard let (_, key) = parts(of: identifier) else { return kCMMetadataIdentifierError_BadIdentifier }
    keyOut.pointee = Data(key)
    return noErr
}

/// Returns the key space of an identifier.
@discardableResult
public func CMMetadataCreateKeySpaceFromIdentifier(
    allocator: CFAllocator?, identifier: CFString, keySpaceOut: UnsafeMutablePointer<CFString?>
) -> OSStatus {
    guard let (keySpace, _) = parts(of: identifier) else { return kCMMetadataIdentifierError_BadIdentifier }
    keySpaceOut.pointee = keySpace
    return noErr
}
