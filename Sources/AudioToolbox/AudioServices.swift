// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import CaptureHAL
import Dispatch
public import Foundation
public import MediaTypes

public typealias SystemSoundID = UInt32

public typealias AudioServicesSystemSoundCompletionProc = @Sendable (SystemSoundID, UnsafeMutableRawPointer?) -> Void

public let kSystemSoundID_Vibrate: SystemSoundID = 0x0000_0fff
public let kAudioServicesNoError: OSStatus = 0
public let kAudioServicesUnsupportedPropertyError: OSStatus = 0x7074_793f
public let kAudioServicesSystemSoundUnspecifiedError: OSStatus = -1500
public let kAudioServicesSystemSoundClientTimedOutError: OSStatus = -1501

/// Creates a sound from a file, which is not read.
@discardableResult
public func AudioServicesCreateSystemSoundID(
    _ inFileURL: CFURL, _ outSystemSoundID: UnsafeMutablePointer<SystemSoundID>
) -> OSStatus {
    outSystemSoundID.pointee = CaptureSystem.current.systemSounds.create(inFileURL)
    return kAudioServicesNoError
}

@discardableResult
public func AudioServicesDisposeSystemSoundID(_ inSystemSoundID: SystemSoundID) -> OSStatus {
    CaptureSystem.current.systemSounds.dispose(inSystemSoundID)
        ? kAudioServicesNoError : kAudioServicesSystemSoundUnspecifiedError
}

/// Logs a sound in `CaptureSystem.systemSounds`.
public func AudioServicesPlaySystemSound(_ inSystemSoundID: SystemSoundID) {
    play(inSystemSoundID, isAlert: false, then: nil)
}

/// Logs a sound as an alert.
public func AudioServicesPlayAlertSound(_ inSystemSoundID: SystemSoundID) {
    play(inSystemSoundID, isAlert: true, then: nil)
}

/// Logs a sound; the handler runs on the main queue.
public func AudioServicesPlaySystemSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) {
    play(inSystemSoundID, isAlert: false, then: inCompletionBlock)
}

/// Logs a sound as an alert; the handler runs on the main queue.
public func AudioServicesPlayAlertSoundWithCompletion(
    _ inSystemSoundID: SystemSoundID, _ inCompletionBlock: (@Sendable () -> Void)?
) {
    play(inSystemSoundID, isAlert: true, then: inCompletionBlock)
}

/// Calls a function on the main queue after each time that the sound is played.
@discardableResult
public func AudioServicesAddSystemSoundCompletion(
    _ inSystemSoundID: SystemSoundID, _ inRunLoop: RunLoop?, _ inRunLoopMode: CFString?,
    _ inCompletionRoutine: @escaping AudioServicesSystemSoundCompletionProc, _ inClientData: UnsafeMutableRawPointer?
) -> OSStatus {
    let data = inClientData.map { UInt(bitPattern: $0) } ?? 0
    CaptureSystem.current.systemSounds.setCompletion(
        { inCompletionRoutine(inSystemSoundID, UnsafeMutableRawPointer(bitPattern: data)) }, of: inSystemSoundID)
    return kAudioServicesNoError
}

public func AudioServicesRemoveSystemSoundCompletion(_ inSystemSoundID: SystemSoundID) {
    CaptureSystem.current.systemSounds.setCompletion(nil, of: inSystemSoundID)
}

private func play(_ id: SystemSoundID, isAlert: Bool, then handler: (@Sendable () -> Void)?) {
    let system = CaptureSystem.current
    let completion = system.systemSounds.play(id, isAlert: isAlert, at: system.clock.now)
    for callback in [completion, handler].compactMap({ $0 }) {
        system.reference.deliver(on: .main, callback)
    }
}
