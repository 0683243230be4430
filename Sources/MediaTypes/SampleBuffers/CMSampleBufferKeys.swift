// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.
//
// The attachment keys of sample buffers and samples, and the reasons for dropped frames.

/// Notification: data became ready.
public let kCMSampleBufferNotification_DataBecameReady: CFString = "DataBecameReady"
/// Notification: data failed.
public let kCMSampleBufferNotification_DataFailed: CFString = "DataFailed"
/// Notification parameter key: the error code, an `OSStatus`.
public let kCMSampleBufferNotificationParameter_OSStatus: CFString = "OSStatus"
/// Sample attachment key: not a sync sample; if absent, the sample is a sync sample.
public let kCMSampleAttachmentKey_NotSync: CFString = "NotSync"
/// Sample attachment key: whether it is a partial sync sample.
public let kCMSampleAttachmentKey_PartialSync: CFString = "PartialSync"
/// Sample attachment key: whether it has redundant coding.
public let kCMSampleAttachmentKey_HasRedundantCoding: CFString = "HasRedundantCoding"
/// Sample attachment key: whether other samples depend on it.
public let kCMSampleAttachmentKey_IsDependedOnByOthers: CFString = "IsDependedOnByOthers"
/// Sample attachment key: whether it depends on other samples.
public let kCMSampleAttachmentKey_DependsOnOthers: CFString = "DependsOnOthers"
/// Sample attachment key: whether later samples can have earlier presentation times.
public let kCMSampleAttachmentKey_EarlierDisplayTimesAllowed: CFString = "EarlierDisplayTimesAllowed"
/// Sample attachment key: whether to display it immediately.
public let kCMSampleAttachmentKey_DisplayImmediately: CFString = "DisplayImmediately"
/// Sample attachment key: whether to decode it without displaying it.
public let kCMSampleAttachmentKey_DoNotDisplay: CFString = "DoNotDisplay"
/// Buffer attachment key: reset decoder before decoding.
public let kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding: CFString = "ResetDecoderBeforeDecoding"
/// Buffer attachment key: drain after decoding.
public let kCMSampleBufferAttachmentKey_DrainAfterDecoding: CFString = "DrainAfterDecoding"
/// Buffer attachment key: post notification when consumed.
public let kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed: CFString = "PostNotificationWhenConsumed"
/// Buffer attachment key: resume output.
public let kCMSampleBufferAttachmentKey_ResumeOutput: CFString = "ResumeOutput"
/// Sample attachment key: HEVC temporal level information.
public let kCMSampleAttachmentKey_HEVCTemporalLevelInfo: CFString = "HEVCTemporalLevelInfo"
/// Temporal level information key: temporal level.
public let kCMHEVCTemporalLevelInfoKey_TemporalLevel: CFString = "TemporalLevel"
/// Temporal level information key: profile space.
public let kCMHEVCTemporalLevelInfoKey_ProfileSpace: CFString = "ProfileSpace"
/// Temporal level information key: tier flag.
public let kCMHEVCTemporalLevelInfoKey_TierFlag: CFString = "TierFlag"
/// Temporal level information key: profile index.
public let kCMHEVCTemporalLevelInfoKey_ProfileIndex: CFString = "ProfileIndex"
/// Temporal level information key: profile compatibility flags.
public let kCMHEVCTemporalLevelInfoKey_ProfileCompatibilityFlags: CFString = "ProfileCompatibilityFlags"
/// Temporal level information key: constraint indicator flags.
public let kCMHEVCTemporalLevelInfoKey_ConstraintIndicatorFlags: CFString = "ConstraintIndicatorFlags"
/// Temporal level information key: level index.
public let kCMHEVCTemporalLevelInfoKey_LevelIndex: CFString = "LevelIndex"
/// Sample attachment key: HEVC temporal sublayer access.
public let kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess: CFString = "HEVCTemporalSubLayerAccess"
/// Sample attachment key: HEVC stepwise temporal sublayer access.
public let kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess: CFString = "HEVCStepwiseTemporalSubLayerAccess"
/// Sample attachment key: HEVC sync sample NAL unit type.
public let kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType: CFString = "HEVCSyncSampleNALUnitType"
/// Sample attachment key: audio independent sample decoder refresh count.
public let kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount: CFString =
    "AudioIndependentSampleDecoderRefreshCount"
/// Buffer attachment key: transition ID.
public let kCMSampleBufferAttachmentKey_TransitionID: CFString = "TransitionID"
/// Buffer attachment key: the duration to trim at the start, a `CMTime` dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtStart: CFString = "TrimDurationAtStart"
/// Buffer attachment key: the duration to trim at the end, a `CMTime` dictionary.
public let kCMSampleBufferAttachmentKey_TrimDurationAtEnd: CFString = "TrimDurationAtEnd"
/// Buffer attachment key: the factor of the playback speed.
public let kCMSampleBufferAttachmentKey_SpeedMultiplier: CFString = "SpeedMultiplier"
/// Buffer attachment key: whether the media plays in reverse.
public let kCMSampleBufferAttachmentKey_Reverse: CFString = "Reverse"
/// Buffer attachment key: fill discontinuities with silence.
public let kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence: CFString = "FillDiscontinuitiesWithSilence"
/// Buffer attachment key: empty media.
public let kCMSampleBufferAttachmentKey_EmptyMedia: CFString = "EmptyMedia"
/// Buffer attachment key: permanent empty media.
public let kCMSampleBufferAttachmentKey_PermanentEmptyMedia: CFString = "PermanentEmptyMedia"
/// Buffer attachment key: display empty media immediately.
public let kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately: CFString = "DisplayEmptyMediaImmediately"
/// Buffer attachment key: ends previous sample duration.
public let kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration: CFString = "EndsPreviousSampleDuration"
/// Buffer attachment key: sample reference URL.
public let kCMSampleBufferAttachmentKey_SampleReferenceURL: CFString = "SampleReferenceURL"
/// Buffer attachment key: sample reference byte offset.
public let kCMSampleBufferAttachmentKey_SampleReferenceByteOffset: CFString = "SampleReferenceByteOffset"
/// Buffer attachment key: gradual decoder refresh.
public let kCMSampleBufferAttachmentKey_GradualDecoderRefresh: CFString = "GradualDecoderRefresh"
/// Buffer attachment key: the reason why the frame was dropped, a `kCMSampleBufferDroppedFrameReason_…`.
public let kCMSampleBufferAttachmentKey_DroppedFrameReason: CFString = "DroppedFrameReason"
/// Dropped frame reason: the frame arrived while the client processed an earlier one.
public let kCMSampleBufferDroppedFrameReason_FrameWasLate: CFString = "FrameWasLate"
/// Dropped frame reason: the client retains all buffers of the pool.
public let kCMSampleBufferDroppedFrameReason_OutOfBuffers: CFString = "OutOfBuffers"
/// Dropped frame reason: the device dropped an unknown number of frames.
public let kCMSampleBufferDroppedFrameReason_Discontinuity: CFString = "Discontinuity"
/// Buffer attachment key: dropped frame reason information.
public let kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo: CFString = "DroppedFrameReasonInfo"
/// Dropped frame reason information: camera mode switch.
public let kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch: CFString = "CameraModeSwitch"
/// Buffer attachment key: still image lens stabilization information.
public let kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo: CFString = "StillImageLensStabilizationInfo"
/// Lens stabilization information: active.
public let kCMSampleBufferLensStabilizationInfo_Active: CFString = "Active"
/// Lens stabilization information: out of range.
public let kCMSampleBufferLensStabilizationInfo_OutOfRange: CFString = "OutOfRange"
/// Lens stabilization information: unavailable.
public let kCMSampleBufferLensStabilizationInfo_Unavailable: CFString = "Unavailable"
/// Lens stabilization information: off.
public let kCMSampleBufferLensStabilizationInfo_Off: CFString = "Off"
/// Buffer attachment key: the intrinsic matrix of the camera, data with a `matrix_float3x3`.
public let kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix: CFString = "CameraIntrinsicMatrix"
/// Buffer attachment key: force key frame.
public let kCMSampleBufferAttachmentKey_ForceKeyFrame: CFString = "ForceKeyFrame"
/// Sample attachment key: cryptor subsample auxiliary data.
public let kCMSampleAttachmentKey_CryptorSubsampleAuxiliaryData: CFString = "CryptorSubsampleAuxiliaryData"
/// Sample attachment key: HDR10+ per-frame data.
public let kCMSampleAttachmentKey_HDR10PlusPerFrameData: CFString = "HDR10PlusPerFrameData"
/// Sample attachment key: post decode processing metadata.
public let kCMSampleAttachmentKey_PostDecodeProcessingMetadata: CFString = "PostDecodeProcessingMetadata"
