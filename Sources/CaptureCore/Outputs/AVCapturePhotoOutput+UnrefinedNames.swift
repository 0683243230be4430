// swift-format-ignore-file: NoLeadingUnderscores, AlwaysUseLowerCamelCase
// Apple's Objective-C properties that are refined for Swift keep these names beside their Swift form; apps use them.

public import Foundation
import MediaTypes

extension AVCapturePhotoOutput {
    /// `supportedFlashModes` as raw values.
    public var __supportedFlashModes: [NSNumber] { supportedFlashModes.map { NSNumber(value: $0.rawValue) } }
    /// `availablePhotoPixelFormatTypes` as numbers.
    public var __availablePhotoPixelFormatTypes: [NSNumber] {
        availablePhotoPixelFormatTypes.map { NSNumber(value: $0) }
    }
    /// `availableRawPhotoPixelFormatTypes` as numbers.
    public var __availableRawPhotoPixelFormatTypes: [NSNumber] {
        availableRawPhotoPixelFormatTypes.map { NSNumber(value: $0) }
    }
}

extension AVCapturePhotoSettings {
    /// `availablePreviewPhotoPixelFormatTypes` as numbers.
    public var __availablePreviewPhotoPixelFormatTypes: [NSNumber] {
        availablePreviewPhotoPixelFormatTypes.map { NSNumber(value: $0) }
    }
}
