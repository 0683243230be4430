// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attachment keys of sample buffers and samples, and the reasons for dropped frames.

/// The notification: data became ready.
public let kCMSampleBufferNotification_DataBecameReady: CFString = "DataBecameReady"
/// The notification: data failed.
public let kCMSampleBufferNotification_DataFailed: CFString = "DataFailed"
/// The key, in a notification, of: OSStatus.
public let kCMSampleBufferNotificationParameter_OSStatus: CFString = "OSStatus"
/// The key, of one sample: not a sync sample; if absent, the sample is a sync sample.
public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// The key, of one sample: partial sync.
public let kCMSampleAttachmentKey_PartialSync: CFString = "PartialSync"
/// The key, of one sample: has redundant coding.
public let kCMSampleAttachmentKey_HasRedundantCoding: CFString = "HasRedundantCoding"
/// The key, of one sample: is depended on by others.
public let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"
/// The key, of one sample: whether it depends on other samples.
public let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
/// The key, of one sample: earlier display times allowed.
public let kCMSampleAttachmentKey_EarlierDisplayTimesAllowed: CFString = "EarlierDisplayTimesAllowed"
/// The key, of one sample: display immediately.
public let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
/// The key, of one sample: do not display.
public let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
/// The key, of a buffer: reset decoder before decoding.
public let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString = "ResetDecoderBeforeDecoding"
/// The key, of a buffer: drain after decoding.
public let kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString = "DrainAfterDecoding"
/// The key, of a buffer: post notification when consumed.
public let kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString = "PostNotificationWhenConsumed"
/// The key, of a buffer: resume output.
public let kCMSampleBufferAttachmentKey_ResumeOutput: CFString = "ResumeOutput"
/// The key, of one sample: HEVC temporal level info.
public let kCMSampleAttachmentKey_HEVCTemporalLevelInfo: CFString = "HEVCTemporalLevelInfo"
/// The key, in temporal level information, of: temporal level.
public let kCMHEVCTemporalLevelInfoKey_TemporalLevel: CFString = "TemporalLevel"
/// The key, in temporal level information, of: profile space.
public let kCMHEVCTemporalLevelInfoKey_ProfileSpace: CFString = "ProfileSpace"
/// The key, in temporal level information, of: tier flag.
public let kCMHEVCTemporalLevelInfoKey_TierFlag: CFString = "TierFlag"
/// The key, in temporal level information, of: profile index.
public let kCMHEVCTemporalLevelInfoKey_ProfileIndex: CFString = "ProfileIndex"
/// The key, in temporal level information, of: profile compatibility flags.
public let kCMHEVCTemporalLevelInfoKey_ProfileCompatibilityFlags: CFString = "ProfileCompatibilityFlags"
/// The key, in temporal level information, of: constraint indicator flags.
public let kCMHEVCTemporalLevelInfoKey_ConstraintIndicatorFlags: CFString = "ConstraintIndicatorFlags"
/// The key, in temporal level information, of: level index.
public let kCMHEVCTemporalLevelInfoKey_LevelIndex: CFString = "LevelIndex"
/// The key, of one sample: HEVC temporal sub layer access.
public let kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess: CFString = "HEVCTemporalSubLayerAccess"
/// The key, of one sample: HEVC stepwise temporal sub layer access.
public let kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess: CFString = "HEVCStepwiseTemporalSubLayerAccess"
/// The key, of one sample: HEVC sync sample nalunit type.
public let kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType: CFString = "HEVCSyncSampleNALUnitType"
/// The key, of one sample: audio independent sample decoder refresh count.
public let kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount: CFString =
    "AudioIndependentSampleDecoderRefreshCount"
/// The key, of a buffer: transition id.
public let kCMSampleBufferAttachmentKey_TransitionID: CFString = "TransitionID"
/// The key, of a buffer: the duration to trim at its start, a `CMTime` dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString = "TrimDurationAtStart"
/// The key, of a buffer: the duration to trim at its end, a `CMTime` dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString = "TrimDurationAtEnd"
/// The key, of a buffer: speed multiplier.
public let kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString = "SpeedMultiplier"
/// The key, of a buffer: reverse.
public let kCMSampleBufferAttachmentKey_Reverse: CFString = "Reverse"
/// The key, of a buffer: fill discontinuities with silence.
public let kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString = "FillDiscontinuitiesWithSilence"
/// The key, of a buffer: empty media.
public let kCMSampleBufferAttachmentKey_EmptyMedia: CFString = "EmptyMedia"
/// The key, of a buffer: permanent empty media.
public let kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString = "PermanentEmptyMedia"
/// The key, of a buffer: display empty media immediately.
public let kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately: CFString = "DisplayEmptyMediaImmediately"
/// The key, of a buffer: ends previous sample duration.
public let kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString = "EndsPreviousSampleDuration"
/// The key, of a buffer: sample reference URL.
public let kCMSampleBufferAttachmentKey_SampleReferenceURL: CFString = "SampleReferenceURL"
/// The key, of a buffer: sample reference byte offset.
public let kCMSampleBufferAttachmentKey_SampleReferenceByteOffset: CFString = "SampleReferenceByteOffset"
/// The key, of a buffer: gradual decoder refresh.
public let kCMSampleBufferAttachmentKey_GradualDecoderRefresh: CFString = "GradualDecoderRefresh"
/// The key, of a buffer without pixels: the reason for the dropped frame, a `kCMSampleBufferDroppedFrameReason_…`.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// The frame arrived while the client processed an earlier one.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// The client holds all buffers.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// The device dropped an unknown number of frames.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
/// The key, of a buffer: dropped frame reason info.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString = "DroppedFrameReasonInfo"
/// A value: camera mode switch.
public let kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch: CFString = "CameraModeSwitch"
/// The key, of a buffer: still image lens stabilization info.
public let kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo: CFString = "StillImageLensStabilizationInfo"
/// A value: active.
public let kCMSampleBufferLensStabilizationInfo_Active: CFString = "Active"
/// A value: out of range.
public let kCMSampleBufferLensStabilizationInfo_OutOfRange: CFString = "OutOfRange"
/// A value: unavailable.
public let kCMSampleBufferLensStabilizationInfo_Unavailable: CFString = "Unavailable"
/// A value: off.
public let kCMSampleBufferLensStabilizationInfo_Off: CFString = "Off"
/// The key, of a buffer: camera intrinsic matrix.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString = "CameraIntrinsicMatrix"
/// The key, of a buffer: force key frame.
public let kCMSampleBufferAttachmentKey_ForceKeyFrame: CFString = "ForceKeyFrame"
/// The key, of one sample: cryptor subsample auxiliary data.
public let kCMSampleAttachmentKey_CryptorSubsampleAuxiliaryData: CFString = "CryptorSubsampleAuxiliaryData"
/// The key, of one sample: hdr10plus per frame data.
public let kCMSampleAttachmentKey_HDR10PlusPerFrameData: CFString = "HDR10PlusPerFrameData"
/// The key, of one sample: post decode processing metadata.
public let kCMSampleAttachmentKey_PostDecodeProcessingMetadata: CFString = "PostDecodeProcessingMetadata"
