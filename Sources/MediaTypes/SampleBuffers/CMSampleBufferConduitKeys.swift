// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names and values are Apple's.

// Notifications of objects that pass sample buffers on; the package does not post them.

/// Notification: inhibit output until.
public let kCMSampleBufferConduitNotification_InhibitOutputUntil: CFString =
    "CMSampleBufferConduitNotification_InhibitOutputUntil"
/// Notification parameter: resume tag.
public let kCMSampleBufferConduitNotificationParameter_ResumeTag: CFString = "ResumeTag"
/// Notification: reset output.
public let kCMSampleBufferConduitNotification_ResetOutput: CFString = "CMSampleBufferConduitNotification_ResetOutput"
/// Notification: upcoming output PTS range changed.
public let kCMSampleBufferConduitNotification_UpcomingOutputPTSRangeChanged: CFString =
    "CMSampleBufferConduitNotification_UpcomingOutputPTSRangeChanged"
/// Notification parameter: upcoming output PTS range may overlap queued output PTS range.
public let kCMSampleBufferConduitNotificationParameter_UpcomingOutputPTSRangeMayOverlapQueuedOutputPTSRange: CFString =
    "UpcomingOutputPTSRangeMayOverlapQueuedOutputPTSRange"
/// Notification parameter: min upcoming output PTS.
public let kCMSampleBufferConduitNotificationParameter_MinUpcomingOutputPTS: CFString = "MinUpcomingOutputPTS"
/// Notification parameter: max upcoming output PTS.
public let kCMSampleBufferConduitNotificationParameter_MaxUpcomingOutputPTS: CFString = "MaxUpcomingOutputPTS"
/// Notification: buffer consumed.
public let kCMSampleBufferConsumerNotification_BufferConsumed: CFString =
    "CMSampleBufferConsumerNotification_BufferConsumed"
