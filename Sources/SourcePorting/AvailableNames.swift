// Written by `CI/api-coverage --write-names` from the compiler's symbol graph and CI/api-surface.tsv.

/// Names for `obscura port`, separated by white space.
enum AvailableNames {
    /// The types, functions and constants of the modules that apps import.
    static let globals = """
        ALAsset ALAssetLibraryDeletedAssetGroupsKey ALAssetLibraryInsertedAssetGroupsKey
        ALAssetLibraryUpdatedAssetGroupsKey ALAssetLibraryUpdatedAssetsKey ALAssetOrientation ALAssetPropertyAssetURL
        ALAssetPropertyDate ALAssetPropertyDuration ALAssetPropertyLocation ALAssetPropertyOrientation
        ALAssetPropertyRepresentations ALAssetPropertyType ALAssetPropertyURLs ALAssetRepresentation ALAssetTypePhoto
        ALAssetTypeUnknown ALAssetTypeVideo ALAssetsFilter ALAssetsGroup ALAssetsGroupAlbum ALAssetsGroupAll
        ALAssetsGroupEnumerationResultsBlock ALAssetsGroupEvent ALAssetsGroupFaces ALAssetsGroupLibrary
        ALAssetsGroupPhotoStream ALAssetsGroupPropertyName ALAssetsGroupPropertyPersistentID ALAssetsGroupPropertyType
        ALAssetsGroupPropertyURL ALAssetsGroupSavedPhotos ALAssetsGroupType ALAssetsLibrary
        ALAssetsLibraryAccessFailureBlock ALAssetsLibraryAccessGloballyDeniedError ALAssetsLibraryAccessUserDeniedError
        ALAssetsLibraryAssetForURLResultBlock ALAssetsLibraryDataUnavailableError ALAssetsLibraryErrorDomain
        ALAssetsLibraryGroupResultBlock ALAssetsLibraryGroupsEnumerationResultsBlock ALAssetsLibraryUnknownError
        ALAssetsLibraryWriteBusyError ALAssetsLibraryWriteDataEncodingError ALAssetsLibraryWriteDiskSpaceError
        ALAssetsLibraryWriteFailedError ALAssetsLibraryWriteImageCompletionBlock
        ALAssetsLibraryWriteIncompatibleDataError ALAssetsLibraryWriteInvalidDataError
        ALAssetsLibraryWriteVideoCompletionBlock ALAuthorizationStatus ALErrorInvalidProperty AVAnyAsyncProperty
        AVAsset AVAssetExportPreset1280x720 AVAssetExportPreset1920x1080 AVAssetExportPreset3840x2160
        AVAssetExportPreset640x480 AVAssetExportPreset960x540 AVAssetExportPresetAppleM4A
        AVAssetExportPresetAppleM4V1080pHD AVAssetExportPresetAppleM4V480pSD AVAssetExportPresetAppleM4V720pHD
        AVAssetExportPresetAppleM4VAppleTV AVAssetExportPresetAppleM4VCellular AVAssetExportPresetAppleM4VWiFi
        AVAssetExportPresetAppleM4ViPod AVAssetExportPresetAppleProRes422LPCM AVAssetExportPresetAppleProRes4444LPCM
        AVAssetExportPresetHEVC1920x1080 AVAssetExportPresetHEVC1920x1080WithAlpha AVAssetExportPresetHEVC3840x2160
        AVAssetExportPresetHEVC3840x2160WithAlpha AVAssetExportPresetHEVC4320x2160 AVAssetExportPresetHEVC7680x4320
        AVAssetExportPresetHEVCHighestQuality AVAssetExportPresetHEVCHighestQualityWithAlpha
        AVAssetExportPresetHighestQuality AVAssetExportPresetLowQuality AVAssetExportPresetMVHEVC1440x1440
        AVAssetExportPresetMVHEVC4320x4320 AVAssetExportPresetMVHEVC7680x7680 AVAssetExportPresetMVHEVC960x960
        AVAssetExportPresetMediumQuality AVAssetExportPresetPassthrough AVAssetExportSession AVAssetImageGenerator
        AVAssetImageGeneratorCompletionHandler AVAssetReader AVAssetReaderAudioMixOutput
        AVAssetReaderCaptionValidationHandling AVAssetReaderOutput AVAssetReaderOutputMetadataAdaptor
        AVAssetReaderSampleReferenceOutput AVAssetReaderTrackOutput AVAssetReaderVideoCompositionOutput
        AVAssetReferenceRestrictions AVAssetResourceLoader AVAssetResourceLoaderDelegate
        AVAssetResourceLoadingContentInformationRequest AVAssetResourceLoadingDataRequest AVAssetResourceLoadingRequest
        AVAssetSegmentReport AVAssetSegmentReportSampleInformation AVAssetSegmentTrackReport AVAssetSegmentType
        AVAssetTrack AVAssetTrackGroup AVAssetTrackGroupOutputHandling AVAssetTrackSegment AVAssetWriter
        AVAssetWriterDelegate AVAssetWriterInput AVAssetWriterInputGroup AVAssetWriterInputMetadataAdaptor
        AVAssetWriterInputPassDescription AVAssetWriterInputPixelBufferAdaptor
        AVAssetWriterInputTaggedPixelBufferGroupAdaptor AVAsyncProperty AVAsynchronousCIImageFilteringRequest
        AVAsynchronousKeyValueLoading AVAsynchronousVideoCompositionRequest AVAudioApplication
        AVAudioBitRateStrategy_Constant AVAudioBitRateStrategy_LongTermAverage AVAudioBitRateStrategy_Variable
        AVAudioBitRateStrategy_VariableConstrained AVAudioBuffer AVAudioChannelCount AVAudioChannelLayout
        AVAudioCommonFormat AVAudioConverter AVAudioConverterInputBlock AVAudioConverterInputStatus
        AVAudioConverterOutputStatus AVAudioConverterPrimeMethod AVAudioFormat AVAudioFrameCount AVAudioFramePosition
        AVAudioMix AVAudioMixInputParameters AVAudioPCMBuffer AVAudioPacketCount AVAudioSession
        AVAudioSessionChannelDescription AVAudioSessionDataSourceDescription AVAudioSessionInterruptionOptionKey
        AVAudioSessionInterruptionReasonKey AVAudioSessionInterruptionTypeKey AVAudioSessionInterruptionWasSuspendedKey
        AVAudioSessionPortDescription AVAudioSessionRouteChangePreviousRouteKey AVAudioSessionRouteChangeReasonKey
        AVAudioSessionRouteDescription AVAudioSessionSilenceSecondaryAudioHintTypeKey AVAudioSpatializationFormats
        AVAudioTimePitchAlgorithm AVAuthorizationStatus AVCameraCalibrationData AVCaption AVCaptionDimension
        AVCaptionDimensionMake AVCaptionGroup AVCaptionGrouper AVCaptionPoint AVCaptionPointMake AVCaptionRegion
        AVCaptionSize AVCaptionSizeMake AVCaptionUnitsType AVCaptureAudioChannel AVCaptureAudioDataOutput
        AVCaptureAudioDataOutputSampleBufferDelegate AVCaptureAudioFileOutput AVCaptureAudioPreviewOutput
        AVCaptureAutoExposureBracketedStillImageSettings AVCaptureBracketedStillImageSettings
        AVCaptureCameraLensSmudgeDetectionStatus AVCaptureColorSpace AVCaptureConnection AVCaptureControl
        AVCaptureDataOutputSynchronizer AVCaptureDataOutputSynchronizerDelegate AVCaptureDeferredPhotoProxy
        AVCaptureDepthDataOutput AVCaptureDepthDataOutputDelegate AVCaptureDeskViewApplication AVCaptureDevice
        AVCaptureDeviceExposureSignal AVCaptureDeviceInput AVCaptureExternalDisplayConfiguration
        AVCaptureExternalDisplayConfigurator AVCaptureFileOutput AVCaptureFileOutputDelegate
        AVCaptureFileOutputRecordingDelegate AVCaptureFraming AVCaptureIndexPicker AVCaptureInput
        AVCaptureManualExposureBracketedStillImageSettings AVCaptureMetadataInput AVCaptureMetadataOutput
        AVCaptureMetadataOutputObjectsDelegate AVCaptureMovieFileOutput AVCaptureMultiCamSession
        AVCaptureMultichannelAudioMode AVCaptureOutput AVCapturePhoto AVCapturePhotoBracketSettings
        AVCapturePhotoCaptureDelegate AVCapturePhotoFileDataRepresentationCustomizer AVCapturePhotoOutput
        AVCapturePhotoOutputReadinessCoordinator AVCapturePhotoOutputReadinessCoordinatorDelegate
        AVCapturePhotoSettings AVCaptureReactionEffectState AVCaptureReactionType AVCaptureResolvedPhotoSettings
        AVCaptureSceneMonitoringStatus AVCaptureScreenInput AVCaptureSession AVCaptureSessionControlsDelegate
        AVCaptureSessionDeferredStartDelegate AVCaptureSessionErrorKey AVCaptureSessionInterruptionReasonKey
        AVCaptureSessionInterruptionSystemPressureStateKey AVCaptureSlider AVCaptureSmartFramingMonitor
        AVCaptureSpatialAudioMetadataSampleGenerator AVCaptureStillImageOutput AVCaptureSynchronizedData
        AVCaptureSynchronizedDataCollection AVCaptureSynchronizedDepthData AVCaptureSynchronizedMetadataObjectData
        AVCaptureSynchronizedSampleBufferData AVCaptureSystemExposureBiasSlider AVCaptureSystemZoomSlider
        AVCaptureTimecode AVCaptureTimecodeGenerator AVCaptureTimecodeGeneratorDelegate AVCaptureVideoDataOutput
        AVCaptureVideoDataOutputSampleBufferDelegate AVCaptureVideoOrientation AVCaptureVideoPreviewLayer
        AVCaptureVideoStabilizationMode AVChannelLayoutKey AVComposition AVCompositionTrack AVCompositionTrackSegment
        AVCoreAnimationBeginTimeAtZero AVDepthData AVEdgeWidths AVEncoderAudioQualityKey AVEncoderBitDepthHintKey
        AVEncoderBitRateKey AVEncoderBitRatePerChannelKey AVEncoderBitRateStrategyKey AVError AVErrorDeviceKey
        AVErrorFileSizeKey AVErrorRecordingSuccessfullyFinishedKey AVErrorTimeKey AVExternalSyncDevice
        AVExternalSyncDeviceDelegate AVExternalSyncDeviceDiscoverySession AVFileType AVFileTypeProfile AVFormatIDKey
        AVFoundationErrorDomain AVFrameRateRange AVKeyValueStatus AVLayerVideoGravity AVLinearPCMBitDepthKey
        AVLinearPCMIsBigEndianKey AVLinearPCMIsFloatKey AVLinearPCMIsNonInterleaved AVMediaCharacteristic
        AVMediaSelection AVMediaSelectionGroup AVMediaSelectionOption AVMediaType AVMetadataBodyObject
        AVMetadataCatBodyObject AVMetadataCatHeadObject AVMetadataDogBodyObject AVMetadataDogHeadObject
        AVMetadataExtraAttributeKey AVMetadataFaceObject AVMetadataFormat AVMetadataGroup AVMetadataHumanBodyObject
        AVMetadataHumanFullBodyObject AVMetadataIdentifier AVMetadataItem AVMetadataItemFilter
        AVMetadataItemValueRequest AVMetadataKey AVMetadataKeySpace AVMetadataMachineReadableCodeObject
        AVMetadataObject AVMetadataSalientObject AVMutableAudioMix AVMutableAudioMixInputParameters AVMutableCaption
        AVMutableCaptionRegion AVMutableComposition AVMutableCompositionTrack AVMutableMediaSelection
        AVMutableMetadataItem AVMutableTimedMetadataGroup AVMutableVideoComposition
        AVMutableVideoCompositionInstruction AVMutableVideoCompositionLayerInstruction AVNumberOfChannelsKey
        AVOutputSettingsAssistant AVOutputSettingsPreset AVPartialAsyncProperty AVPixelAspectRatio AVPlayer
        AVPlayerAudiovisualBackgroundPlaybackPolicy AVPlayerItem AVPlayerItemAccessLog AVPlayerItemAccessLogEvent
        AVPlayerItemErrorLog AVPlayerItemErrorLogEvent AVPlayerItemFailedToPlayToEndTimeErrorKey
        AVPlayerItemLegibleOutput AVPlayerItemLegibleOutputPushDelegate AVPlayerItemMetadataOutput
        AVPlayerItemMetadataOutputPushDelegate AVPlayerItemOutput AVPlayerItemOutputPullDelegate
        AVPlayerItemOutputPushDelegate AVPlayerItemTrack AVPlayerItemVideoOutput AVPlayerLayer AVPlayerLooper
        AVPlayerMediaSelectionCriteria AVPortraitEffectsMatte AVQueuePlayer AVQueuedSampleBufferRenderingStatus
        AVSampleBufferDisplayLayer AVSampleCursor AVSampleCursorAudioDependencyInfo AVSampleCursorChunkInfo
        AVSampleCursorDependencyInfo AVSampleCursorStorageRange AVSampleCursorSyncInfo
        AVSampleRateConverterAudioQualityKey AVSampleRateKey AVSemanticSegmentationMatte
        AVSpatialCaptureDiscomfortReason AVTimedMetadataGroup AVURLAsset AVURLAssetHTTPUserAgentKey
        AVURLAssetOverrideMIMETypeKey AVURLAssetPreferPreciseDurationAndTimingKey AVURLAssetReferenceRestrictionsKey
        AVVariantPreferences AVVideoAllowFrameReorderingKey AVVideoAllowWideColorKey AVVideoAverageBitRateKey
        AVVideoAverageNonDroppableFrameRateKey AVVideoCleanApertureHeightKey AVVideoCleanApertureHorizontalOffsetKey
        AVVideoCleanApertureKey AVVideoCleanApertureVerticalOffsetKey AVVideoCleanApertureWidthKey
        AVVideoCodecAppleProRes422 AVVideoCodecAppleProRes4444 AVVideoCodecH264 AVVideoCodecHEVC AVVideoCodecJPEG
        AVVideoCodecKey AVVideoCodecType AVVideoColorPrimariesKey AVVideoColorPrimaries_EBU_3213
        AVVideoColorPrimaries_ITU_R_2020 AVVideoColorPrimaries_ITU_R_709_2 AVVideoColorPrimaries_P3_D65
        AVVideoColorPrimaries_SMPTE_C AVVideoColorPropertiesKey AVVideoCompositing AVVideoComposition
        AVVideoCompositionCoreAnimationTool AVVideoCompositionInstruction AVVideoCompositionInstructionProtocol
        AVVideoCompositionLayerInstruction AVVideoCompositionRenderContext AVVideoCompositionRenderHint
        AVVideoCompositionValidationHandling AVVideoCompressionPropertiesKey AVVideoDecompressionPropertiesKey
        AVVideoEncoderSpecificationKey AVVideoExpectedSourceFrameRateKey AVVideoFieldMode AVVideoH264EntropyModeCABAC
        AVVideoH264EntropyModeCAVLC AVVideoH264EntropyModeKey AVVideoHeightKey AVVideoMaxKeyFrameIntervalDurationKey
        AVVideoMaxKeyFrameIntervalKey AVVideoPixelAspectRatioHorizontalSpacingKey AVVideoPixelAspectRatioKey
        AVVideoPixelAspectRatioVerticalSpacingKey AVVideoProfileLevelH264Baseline30 AVVideoProfileLevelH264Baseline31
        AVVideoProfileLevelH264Baseline41 AVVideoProfileLevelH264BaselineAutoLevel AVVideoProfileLevelH264High40
        AVVideoProfileLevelH264High41 AVVideoProfileLevelH264HighAutoLevel AVVideoProfileLevelH264Main30
        AVVideoProfileLevelH264Main31 AVVideoProfileLevelH264Main32 AVVideoProfileLevelH264Main41
        AVVideoProfileLevelH264MainAutoLevel AVVideoProfileLevelKey AVVideoQualityKey AVVideoScalingModeFit
        AVVideoScalingModeKey AVVideoScalingModeResize AVVideoScalingModeResizeAspect
        AVVideoScalingModeResizeAspectFill AVVideoTransferFunctionKey AVVideoTransferFunction_IEC_sRGB
        AVVideoTransferFunction_ITU_R_2100_HLG AVVideoTransferFunction_ITU_R_709_2 AVVideoTransferFunction_Linear
        AVVideoTransferFunction_SMPTE_240M_1995 AVVideoTransferFunction_SMPTE_ST_2084_PQ AVVideoWidthKey
        AVVideoYCbCrMatrixKey AVVideoYCbCrMatrix_ITU_R_2020 AVVideoYCbCrMatrix_ITU_R_601_4
        AVVideoYCbCrMatrix_ITU_R_709_2 AVVideoYCbCrMatrix_SMPTE_240M_1995 AssetURLInitializable AudioBuffer
        AudioBufferList AudioChannelBitmap AudioChannelDescription AudioChannelFlags AudioChannelLabel
        AudioChannelLayout AudioChannelLayoutTag AudioChannelLayoutTag_GetNumberOfChannels AudioChunk AudioFormatFlags
        AudioFormatID AudioFormatListItem AudioServicesAddSystemSoundCompletion AudioServicesCreateSystemSoundID
        AudioServicesDisposeSystemSoundID AudioServicesPlayAlertSound AudioServicesPlayAlertSoundWithCompletion
        AudioServicesPlaySystemSound AudioServicesPlaySystemSoundWithCompletion
        AudioServicesRemoveSystemSoundCompletion AudioServicesSystemSoundCompletionProc AudioStreamBasicDescription
        AudioStreamFormat AudioStreamPacketDescription Authorization AuthorizationState
        AutoreleasingUnsafeMutablePointer BackgroundMode CAAnimation CAAnimationCalculationMode CAAnimationDelegate
        CAAnimationGroup CAAnimationRotationMode CABasicAnimation CACornerMask CACurrentMediaTime CADisplayLink
        CAFrameRateRange CAKeyframeAnimation CALayer CALayerContentsGravity CALayerCornerCurve CALayerDelegate
        CAMediaTiming CAMediaTimingFillMode CAMediaTimingFunction CAMediaTimingFunctionName CAPropertyAnimation
        CAShapeLayer CAShapeLayerFillRule CAShapeLayerLineCap CAShapeLayerLineJoin CASpringAnimation CATextLayer
        CATextLayerAlignmentMode CATransaction CATransform3D CATransform3DConcat CATransform3DEqualToTransform
        CATransform3DGetAffineTransform CATransform3DIdentity CATransform3DInvert CATransform3DIsAffine
        CATransform3DIsIdentity CATransform3DMakeAffineTransform CATransform3DMakeRotation CATransform3DMakeScale
        CATransform3DMakeTranslation CATransform3DRotate CATransform3DScale CATransform3DTranslate CATransition
        CATransitionSubtype CATransitionType CFAllocator CFArray CFBoolean CFComparisonResult CFData CFDictionary
        CFIndex CFMutableData CFNumber CFRange CFString CFTimeInterval CFTypeID CFTypeRef CFURL CGAffineTransform
        CGBitmapInfo CGBlendMode CGColor CGColorRenderingIntent CGColorSpace CGColorSpaceCreateDeviceGray
        CGColorSpaceCreateDeviceRGB CGColorSpaceModel CGContext CGDataProvider CGDirectDisplayID CGImage
        CGImageAlphaInfo CGImageDestination CGImageDestinationAddImage CGImageDestinationAddImageAndMetadata
        CGImageDestinationAddImageFromSource CGImageDestinationCopyTypeIdentifiers CGImageDestinationCreateWithData
        CGImageDestinationCreateWithURL CGImageDestinationFinalize CGImageDestinationSetProperties CGImageMetadata
        CGImageMetadataCopyTagMatchingImageProperty CGImageMetadataCreateMutable CGImageMetadataCreateMutableCopy
        CGImageMetadataSetValueMatchingImageProperty CGImageMetadataTag CGImageMetadataTagCopyName
        CGImageMetadataTagCopyValue CGImagePropertyOrientation CGImageSource CGImageSourceCopyAuxiliaryDataInfoAtIndex
        CGImageSourceCopyMetadataAtIndex CGImageSourceCopyProperties CGImageSourceCopyPropertiesAtIndex
        CGImageSourceCopyTypeIdentifiers CGImageSourceCreateImageAtIndex CGImageSourceCreateIncremental
        CGImageSourceCreateThumbnailAtIndex CGImageSourceCreateWithData CGImageSourceCreateWithURL
        CGImageSourceGetCount CGImageSourceGetPrimaryImageIndex CGImageSourceGetStatus CGImageSourceGetStatusAtIndex
        CGImageSourceGetType CGImageSourceStatus CGImageSourceUpdateData CGInterpolationQuality CGLineCap CGLineJoin
        CGMutableImageMetadata CGMutablePath CGPath CGPathDrawingMode CGPathFillRule CIAztecCodeDescriptor
        CIBarcodeDescriptor CIContext CIContextOption CIDataMatrixCodeDescriptor CIDetector CIDetectorAccuracy
        CIDetectorAccuracyHigh CIDetectorAccuracyLow CIDetectorEyeBlink CIDetectorImageOrientation
        CIDetectorMaxFeatureCount CIDetectorMinFeatureSize CIDetectorSmile CIDetectorTracking CIDetectorTypeFace
        CIDetectorTypeQRCode CIDetectorTypeRectangle CIDetectorTypeText CIFaceFeature CIFeature CIFeatureTypeFace
        CIFeatureTypeQRCode CIFeatureTypeRectangle CIImage CIImageOption CIPDF417CodeDescriptor CIQRCodeDescriptor
        CIQRCodeFeature CIRectangleFeature CLAccuracyAuthorization CLActivityType CLAuthorizationStatus
        CLDeviceOrientation CLError CLHeading CLLocation CLLocationAccuracy CLLocationCoordinate2D
        CLLocationCoordinate2DIsValid CLLocationCoordinate2DMake CLLocationDegrees CLLocationDirection
        CLLocationDistance CLLocationDistanceMax CLLocationManager CLLocationManagerDelegate CLLocationSpeed
        CMAcceleration CMAccelerometerData CMAccelerometerHandler CMAttachmentBearer CMAttachmentBearerAttachments
        CMAttachmentBearerProtocol CMAttachmentMode CMAttitude CMAttitudeReferenceFrame CMAudioClockCreate
        CMAudioCodecType CMAudioFormatDescription CMAudioFormatDescriptionCreate CMAudioFormatDescriptionCreateSummary
        CMAudioFormatDescriptionEqual CMAudioFormatDescriptionGetChannelLayout CMAudioFormatDescriptionGetFormatList
        CMAudioFormatDescriptionGetMagicCookie CMAudioFormatDescriptionGetMostCompatibleFormat
        CMAudioFormatDescriptionGetRichestDecodableFormat CMAudioFormatDescriptionGetStreamBasicDescription
        CMAudioFormatDescriptionMask CMAudioSampleBufferCreateReadyWithPacketDescriptions
        CMAudioSampleBufferCreateWithPacketDescriptions
        CMAudioSampleBufferCreateWithPacketDescriptionsAndMakeDataReadyHandler CMBlockBuffer
        CMBlockBufferAccessDataBytes CMBlockBufferAppendBufferReference CMBlockBufferAppendMemoryBlock
        CMBlockBufferAssureBlockMemory CMBlockBufferCopyDataBytes CMBlockBufferCreateContiguous
        CMBlockBufferCreateEmpty CMBlockBufferCreateWithBufferReference CMBlockBufferCreateWithMemoryBlock
        CMBlockBufferCustomBlockSource CMBlockBufferFillDataBytes CMBlockBufferFlags CMBlockBufferGetDataLength
        CMBlockBufferGetDataPointer CMBlockBufferGetTypeID CMBlockBufferIsEmpty CMBlockBufferIsRangeContiguous
        CMBlockBufferReplaceDataBytes CMBuffer CMBufferCallbacks CMBufferCompareCallback CMBufferCompareHandler
        CMBufferGetBooleanCallback CMBufferGetBooleanHandler CMBufferGetSizeCallback CMBufferGetSizeHandler
        CMBufferGetTimeCallback CMBufferGetTimeHandler CMBufferQueue CMBufferQueueCallForEachBuffer
        CMBufferQueueContainsEndOfData CMBufferQueueCopyHead CMBufferQueueCreate CMBufferQueueDequeue
        CMBufferQueueDequeueIfDataReady CMBufferQueueEnqueue CMBufferQueueGetBufferCount
        CMBufferQueueGetCallbacksForSampleBuffersSortedByOutputPTS CMBufferQueueGetCallbacksForUnsortedSampleBuffers
        CMBufferQueueGetDuration CMBufferQueueGetEndPresentationTimeStamp CMBufferQueueGetFirstDecodeTimeStamp
        CMBufferQueueGetFirstPresentationTimeStamp CMBufferQueueGetHead CMBufferQueueGetMaxPresentationTimeStamp
        CMBufferQueueGetMinDecodeTimeStamp CMBufferQueueGetMinPresentationTimeStamp CMBufferQueueGetTotalSize
        CMBufferQueueGetTypeID CMBufferQueueInstallTrigger CMBufferQueueInstallTriggerHandler
        CMBufferQueueInstallTriggerHandlerWithIntegerThreshold CMBufferQueueInstallTriggerWithIntegerThreshold
        CMBufferQueueIsAtEndOfData CMBufferQueueIsEmpty CMBufferQueueMarkEndOfData CMBufferQueueRemoveTrigger
        CMBufferQueueReset CMBufferQueueResetWithCallback CMBufferQueueSetValidationCallback
        CMBufferQueueSetValidationHandler CMBufferQueueTestTrigger CMBufferQueueTriggerCallback
        CMBufferQueueTriggerCondition CMBufferQueueTriggerHandler CMBufferQueueTriggerToken CMBufferValidationCallback
        CMBufferValidationHandler CMClock CMClockConvertHostTimeToSystemUnits CMClockGetAnchorTime
        CMClockGetHostTimeClock CMClockGetTime CMClockGetTypeID CMClockInvalidate CMClockMakeHostTimeFromSystemUnits
        CMClockMightDrift CMClockOrTimebase CMClosedCaptionFormatType CMCopyDictionaryOfAttachments CMDeviceMotion
        CMDeviceMotionHandler CMFormatDescription CMFormatDescriptionCreate CMFormatDescriptionEqual
        CMFormatDescriptionEqualIgnoringExtensionKeys CMFormatDescriptionGetExtension CMFormatDescriptionGetExtensions
        CMFormatDescriptionGetMediaSubType CMFormatDescriptionGetMediaType CMFormatDescriptionGetTypeID CMGetAttachment
        CMGyroData CMGyroHandler CMImageDescriptionFlavor CMItemCount CMItemIndex CMLogItem CMMediaType CMMemoryPool
        CMMemoryPoolCreate CMMemoryPoolFlush CMMemoryPoolGetAllocator CMMemoryPoolGetTypeID CMMemoryPoolInvalidate
        CMMetadataCreateIdentifierForKeyAndKeySpace CMMetadataCreateKeyFromIdentifier
        CMMetadataCreateKeyFromIdentifierAsCFData CMMetadataCreateKeySpaceFromIdentifier
        CMMetadataDataTypeRegistryDataTypeConformsToDataType CMMetadataDataTypeRegistryDataTypeIsBaseDataType
        CMMetadataDataTypeRegistryDataTypeIsRegistered CMMetadataDataTypeRegistryGetBaseDataTypeForConformingDataType
        CMMetadataDataTypeRegistryGetBaseDataTypes CMMetadataDataTypeRegistryGetConformingDataTypes
        CMMetadataDataTypeRegistryGetDataTypeDescription CMMetadataDataTypeRegistryRegisterDataType
        CMMetadataFormatDescription CMMetadataFormatDescriptionCreateByMergingMetadataFormatDescriptions
        CMMetadataFormatDescriptionCreateWithKeys
        CMMetadataFormatDescriptionCreateWithMetadataFormatDescriptionAndMetadataSpecifications
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications CMMetadataFormatDescriptionGetIdentifiers
        CMMetadataFormatDescriptionGetKeyWithLocalID CMMetadataFormatType CMMotionManager CMMuxedFormatDescription
        CMMuxedFormatDescriptionCreate CMMuxedStreamType CMPackingType CMPersistentTrackID CMPixelFormatType
        CMProjectionType CMPropagateAttachments CMQuaternion CMRemoveAllAttachments CMRemoveAttachment CMRotationMatrix
        CMRotationRate CMSampleBuffer CMSampleBufferCallBlockForEachSample CMSampleBufferCallForEachSample
        CMSampleBufferCopyPCMDataIntoAudioBufferList CMSampleBufferCopySampleBufferForRange CMSampleBufferCreate
        CMSampleBufferCreateCopy CMSampleBufferCreateCopyWithNewTiming CMSampleBufferCreateForImageBuffer
        CMSampleBufferCreateForImageBufferWithMakeDataReadyHandler CMSampleBufferCreateReady
        CMSampleBufferCreateReadyWithImageBuffer CMSampleBufferCreateWithMakeDataReadyHandler CMSampleBufferDataIsReady
        CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer CMSampleBufferGetAudioStreamPacketDescriptions
        CMSampleBufferGetAudioStreamPacketDescriptionsPtr CMSampleBufferGetDataBuffer CMSampleBufferGetDecodeTimeStamp
        CMSampleBufferGetDuration CMSampleBufferGetFormatDescription CMSampleBufferGetImageBuffer
        CMSampleBufferGetNumSamples CMSampleBufferGetOutputDecodeTimeStamp CMSampleBufferGetOutputDuration
        CMSampleBufferGetOutputPresentationTimeStamp CMSampleBufferGetOutputSampleTimingInfoArray
        CMSampleBufferGetPresentationTimeStamp CMSampleBufferGetSampleAttachmentsArray CMSampleBufferGetSampleSize
        CMSampleBufferGetSampleSizeArray CMSampleBufferGetSampleTimingInfo CMSampleBufferGetSampleTimingInfoArray
        CMSampleBufferGetTotalSampleSize CMSampleBufferGetTypeID CMSampleBufferHasDataFailed CMSampleBufferInvalidate
        CMSampleBufferInvalidateCallback CMSampleBufferInvalidateHandler CMSampleBufferIsValid
        CMSampleBufferMakeDataReady CMSampleBufferMakeDataReadyCallback CMSampleBufferMakeDataReadyHandler
        CMSampleBufferSetDataBuffer CMSampleBufferSetDataBufferFromAudioBufferList CMSampleBufferSetDataFailed
        CMSampleBufferSetDataReady CMSampleBufferSetInvalidateCallback CMSampleBufferSetInvalidateHandler
        CMSampleBufferSetOutputPresentationTimeStamp CMSampleBufferTrackDataReadiness CMSampleTimingInfo
        CMSetAttachment CMSetAttachments CMSimpleQueue CMSimpleQueueCreate CMSimpleQueueDequeue CMSimpleQueueEnqueue
        CMSimpleQueueGetCapacity CMSimpleQueueGetCount CMSimpleQueueGetHead CMSimpleQueueGetTypeID CMSimpleQueueReset
        CMSoundDescriptionFlavor CMStereoViewComponents CMStereoViewInterpretationOptions CMSubtitleFormatType
        CMSyncConvertTime CMSyncGetRelativeRate CMSyncGetRelativeRateAndAnchorTime CMSyncGetTime CMSyncMightDrift
        CMSyncProtocol CMTIMEMAPPING_IS_EMPTY CMTIMEMAPPING_IS_INVALID CMTIMEMAPPING_IS_VALID CMTIMERANGE_IS_EMPTY
        CMTIMERANGE_IS_INDEFINITE CMTIMERANGE_IS_INVALID CMTIMERANGE_IS_VALID CMTIME_HAS_BEEN_ROUNDED
        CMTIME_IS_INDEFINITE CMTIME_IS_INVALID CMTIME_IS_NEGATIVE_INFINITY CMTIME_IS_NUMERIC
        CMTIME_IS_POSITIVE_INFINITY CMTIME_IS_VALID CMTag CMTaggedBuffer CMTaggedBufferGroupFormatType
        CMTextDisplayFlags CMTextFormatDescription CMTextFormatDescriptionGetDefaultStyle
        CMTextFormatDescriptionGetDefaultTextBox CMTextFormatDescriptionGetDisplayFlags
        CMTextFormatDescriptionGetFontName CMTextFormatDescriptionGetJustification CMTextFormatType
        CMTextJustificationValue CMTime CMTimeAbsoluteValue CMTimeAdd CMTimeClampToRange CMTimeCodeFormatDescription
        CMTimeCodeFormatDescriptionCreate CMTimeCodeFormatDescriptionGetFrameDuration
        CMTimeCodeFormatDescriptionGetFrameQuanta CMTimeCodeFormatDescriptionGetTimeCodeFlags CMTimeCodeFormatType
        CMTimeCompare CMTimeConvertScale CMTimeCopyAsDictionary CMTimeCopyDescription CMTimeEpoch CMTimeFlags
        CMTimeFoldIntoRange CMTimeGetSeconds CMTimeMake CMTimeMakeFromDictionary CMTimeMakeWithEpoch
        CMTimeMakeWithSeconds CMTimeMapDurationFromRangeToRange CMTimeMapTimeFromRangeToRange CMTimeMapping
        CMTimeMappingCopyAsDictionary CMTimeMappingCopyDescription CMTimeMappingMake CMTimeMappingMakeEmpty
        CMTimeMappingMakeFromDictionary CMTimeMappingShow CMTimeMaximum CMTimeMinimum CMTimeMultiply
        CMTimeMultiplyByFloat64 CMTimeMultiplyByRatio CMTimeRange CMTimeRangeContainsTime CMTimeRangeContainsTimeRange
        CMTimeRangeCopyAsDictionary CMTimeRangeCopyDescription CMTimeRangeEqual CMTimeRangeFromTimeToTime
        CMTimeRangeGetEnd CMTimeRangeGetIntersection CMTimeRangeGetUnion CMTimeRangeMake CMTimeRangeMakeFromDictionary
        CMTimeRangeShow CMTimeRoundingMethod CMTimeScale CMTimeShow CMTimeSubtract CMTimeValue CMTimebase
        CMTimebaseAddTimer CMTimebaseAddTimerDispatchSource CMTimebaseCopyMaster CMTimebaseCopyMasterClock
        CMTimebaseCopyMasterTimebase CMTimebaseCopySource CMTimebaseCopySourceClock CMTimebaseCopySourceTimebase
        CMTimebaseCopyUltimateMasterClock CMTimebaseCopyUltimateSourceClock CMTimebaseCreateWithMasterClock
        CMTimebaseCreateWithMasterTimebase CMTimebaseCreateWithSourceClock CMTimebaseCreateWithSourceTimebase
        CMTimebaseGetEffectiveRate CMTimebaseGetMaster CMTimebaseGetMasterClock CMTimebaseGetMasterTimebase
        CMTimebaseGetRate CMTimebaseGetTime CMTimebaseGetTimeAndRate CMTimebaseGetTimeWithTimeScale CMTimebaseGetTypeID
        CMTimebaseGetUltimateMasterClock CMTimebaseNotificationBarrier CMTimebaseRemoveTimer
        CMTimebaseRemoveTimerDispatchSource CMTimebaseSetAnchorTime CMTimebaseSetMasterClock
        CMTimebaseSetMasterTimebase CMTimebaseSetRate CMTimebaseSetRateAndAnchorTime CMTimebaseSetSourceClock
        CMTimebaseSetSourceTimebase CMTimebaseSetTime CMTimebaseSetTimerDispatchSourceNextFireTime
        CMTimebaseSetTimerDispatchSourceToFireImmediately CMTimebaseSetTimerNextFireTime
        CMTimebaseSetTimerToFireImmediately CMTypedTag CMVideoCodecType CMVideoDimensions CMVideoFormatDescription
        CMVideoFormatDescriptionCreate CMVideoFormatDescriptionCreateForImageBuffer
        CMVideoFormatDescriptionCreateFromH264ParameterSets CMVideoFormatDescriptionCreateFromHEVCParameterSets
        CMVideoFormatDescriptionGetCleanAperture CMVideoFormatDescriptionGetDimensions
        CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers
        CMVideoFormatDescriptionGetH264ParameterSetAtIndex CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
        CMVideoFormatDescriptionGetPresentationDimensions CMVideoFormatDescriptionMatchesImageBuffer CVAttachmentMode
        CVBuffer CVBufferCopyAttachment CVBufferCopyAttachments CVBufferGetAttachment CVBufferGetAttachments
        CVBufferHasAttachment CVBufferPropagateAttachments CVBufferRemoveAllAttachments CVBufferRemoveAttachment
        CVBufferSetAttachment CVBufferSetAttachments CVColorPrimariesGetIntegerCodePointForString
        CVColorPrimariesGetStringForIntegerCodePoint CVGetCurrentHostTime CVGetHostClockFrequency
        CVGetHostClockMinimumTimeDelta CVImageBuffer CVImageBufferGetCleanRect CVImageBufferGetDisplaySize
        CVImageBufferGetEncodedSize CVImageBufferIsFlipped CVIsCompressedPixelFormatAvailable CVOptionFlags
        CVPixelBuffer CVPixelBufferCopyCreationAttributes CVPixelBufferCreate
        CVPixelBufferCreateResolvedAttributesDictionary CVPixelBufferCreateWithBytes CVPixelBufferCreateWithPlanarBytes
        CVPixelBufferFillExtendedPixels CVPixelBufferGetBaseAddress CVPixelBufferGetBaseAddressOfPlane
        CVPixelBufferGetBytesPerRow CVPixelBufferGetBytesPerRowOfPlane CVPixelBufferGetDataSize
        CVPixelBufferGetExtendedPixels CVPixelBufferGetHeight CVPixelBufferGetHeightOfPlane
        CVPixelBufferGetPixelFormatType CVPixelBufferGetPlaneCount CVPixelBufferGetTypeID CVPixelBufferGetWidth
        CVPixelBufferGetWidthOfPlane CVPixelBufferIsCompatibleWithAttributes CVPixelBufferIsPlanar
        CVPixelBufferLockBaseAddress CVPixelBufferLockFlags CVPixelBufferPool CVPixelBufferPoolCreate
        CVPixelBufferPoolCreatePixelBuffer CVPixelBufferPoolCreatePixelBufferWithAuxAttributes CVPixelBufferPoolFlush
        CVPixelBufferPoolFlushFlags CVPixelBufferPoolGetAttributes CVPixelBufferPoolGetPixelBufferAttributes
        CVPixelBufferPoolGetTypeID CVPixelBufferReleaseBytesCallback CVPixelBufferReleasePlanarBytesCallback
        CVPixelBufferUnlockBaseAddress CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes
        CVPixelFormatDescriptionCreateWithPixelFormatType CVPixelFormatTypeCopyFourCharCodeString CVReturn CVTime
        CVTransferFunctionGetIntegerCodePointForString CVTransferFunctionGetStringForIntegerCodePoint
        CVYCbCrMatrixGetIntegerCodePointForString CVYCbCrMatrixGetStringForIntegerCodePoint CameraCalibration
        CameraColorSpace CameraControl CaptureClock CaptureLog CaptureSystem CapturedSamples ClockTimer ClockWorker
        ColorResponse ControlMode ControlRange ControlValue DarwinBoolean DepthConfiguration DepthFrame
        DepthStreamFormat DetectedFace DeviceChange DeviceCondition DeviceControl DeviceDescriptor DeviceError
        DeviceKind DeviceMedia DeviceOrientation DevicePosition DeviceStream DeviceStreams DeviceTransport
        DispatchSerialQueue DroppedFrame ExposureSettings FocusRange FourCharCode FrameDepth FrameDurationRange
        FrameSettings HapticFeedbackLog HardwareDevice HardwareHost HostClock InterruptionReason Interruptions
        KeyPathObserver KeyValueObserving LayerOfUnknownClass LensDescriptor LocationSensor Logger MAXFLOAT
        MTAudioProcessingTap MTAudioProcessingTapCallbacks MTAudioProcessingTapCreate MTAudioProcessingTapCreationFlags
        MTAudioProcessingTapFinalizeCallback MTAudioProcessingTapFlags MTAudioProcessingTapGetSourceAudio
        MTAudioProcessingTapGetStorage MTAudioProcessingTapGetTypeID MTAudioProcessingTapInitCallback
        MTAudioProcessingTapPrepareCallback MTAudioProcessingTapProcessCallback MTAudioProcessingTapUnprepareCallback
        MachineDescriptor Misuse MisuseHandler MotionSensor MovieCodec MultiCameraCapacity NSDirectionalRectEdge
        NSErrorPointer NSItemProvider NSItemProviderFileOptions NSItemProviderReading
        NSItemProviderRepresentationVisibility NSKeyValueChange NSKeyValueChangeKey NSKeyValueObservation
        NSKeyValueObservedChange NSKeyValueObservingOptions NSTextAlignment OSAllocatedUnfairLock OSLog
        OSLogFloatFormatting OSLogIntegerFormatting OSLogInterpolation OSLogMessage OSLogPrivacy OSLogStringAlignment
        OSLogType OSStatus OSType ObservedProperties ObserverToken OpenDevice OrientationSensor PHAccessLevel
        PHAdjustmentData PHAsset PHAssetBurstSelectionType PHAssetChangeRequest PHAssetCollection
        PHAssetCollectionChangeRequest PHAssetCollectionSubtype PHAssetCollectionType PHAssetCreationRequest
        PHAssetEditOperation PHAssetExtendedMetadata PHAssetImageProgressHandler PHAssetMediaSubtype PHAssetMediaType
        PHAssetPlaybackStyle PHAssetResource PHAssetResourceCreationOptions PHAssetResourceDataRequestID
        PHAssetResourceManager PHAssetResourceProgressHandler PHAssetResourceRequestOptions PHAssetResourceType
        PHAssetSourceType PHAssetVideoProgressHandler PHAuthorizationStatus PHCachingImageManager PHChange
        PHChangeRequest PHCollection PHCollectionEditOperation PHCollectionList PHCollectionListChangeRequest
        PHCollectionListSubtype PHCollectionListType PHContentEditingInput PHContentEditingInputCancelledKey
        PHContentEditingInputErrorKey PHContentEditingInputRequestID PHContentEditingInputRequestOptions
        PHContentEditingInputResultIsInCloudKey PHContentEditingOutput PHFetchOptions PHFetchResult
        PHFetchResultChangeDetails PHImageCancelledKey PHImageContentMode PHImageErrorKey PHImageManager
        PHImageManagerMaximumSize PHImageRequestID PHImageRequestOptions PHImageRequestOptionsDeliveryMode
        PHImageRequestOptionsResizeMode PHImageRequestOptionsVersion PHImageResultIsDegradedKey
        PHImageResultIsInCloudKey PHImageResultRequestIDKey PHInvalidAssetResourceDataRequestID PHInvalidImageRequestID
        PHLivePhoto PHLivePhotoInfoCancelledKey PHLivePhotoInfoErrorKey PHLivePhotoInfoIsDegradedKey
        PHLivePhotoRequestID PHLivePhotoRequestIDInvalid PHLivePhotoRequestOptions PHLocalIdentifiersErrorKey PHObject
        PHObjectChangeDetails PHObjectPlaceholder PHObjectType PHPersistentChange PHPersistentChangeFetchResult
        PHPersistentChangeToken PHPersistentObjectChangeDetails PHPhotoLibrary PHPhotoLibraryAvailabilityObserver
        PHPhotoLibraryChangeObserver PHPhotosError PHPhotosErrorDomain PHPickerCapabilities PHPickerConfiguration
        PHPickerFilter PHPickerResult PHPickerViewController PHPickerViewControllerDelegate PHVideoRequestOptions
        PHVideoRequestOptionsDeliveryMode PHVideoRequestOptionsVersion PhotoPicker PhotoPickerAnswer PhotoPickers
        ProcessingDurations PromptAnswer ProtectedResource RawSensorFrame ReplaceableStream SimClock SoundOutput
        Speaker SpeakerStream StillCapabilities StillFrame StillMatte StillRequest StreamConfiguration StreamEvent
        StreamFormat StreamLifeCycle StreamReceiver SystemPressure SystemSoundID SystemSounds TypedTracks
        UIAccessibility UIAccessibilityTraits UIAction UIActionHandler UIAlertAction UIAlertController UIApplication
        UIApplicationDelegate UIBackgroundTaskIdentifier UIBezierPath UIBlurEffect UIButton UIColor UIControl UIDevice
        UIDeviceOrientation UIEdgeInsets UIEvent UIFeedbackGenerator UIFont UIGestureRecognizer
        UIGestureRecognizerDelegate UIGraphicsBeginImageContext UIGraphicsBeginImageContextWithOptions
        UIGraphicsEndImageContext UIGraphicsGetCurrentContext UIGraphicsGetImageFromCurrentImageContext
        UIGraphicsImageRenderer UIGraphicsImageRendererContext UIGraphicsImageRendererFormat UIGraphicsPopContext
        UIGraphicsPushContext UIImage UIImagePickerController UIImageView UIImageWriteToSavedPhotosAlbum
        UIImpactFeedbackGenerator UIInterfaceOrientation UIInterfaceOrientationMask UILabel UILayoutGuide
        UILongPressGestureRecognizer UINotificationFeedbackGenerator UIPanGestureRecognizer UIPinchGestureRecognizer
        UIRectCorner UIRectFill UIResponder UISaveVideoAtPathToSavedPhotosAlbum UIScene UIScreen
        UISelectionFeedbackGenerator UISwipeGestureRecognizer UITapGestureRecognizer UITraitCollection
        UIUserInterfaceIdiom UIVideoAtPathIsCompatibleWithSavedPhotosAlbum UIView UIViewController UIVisualEffect
        UIVisualEffectView UIWindow UIWindowScene UTTagClass UTType UnsafeMutableAudioBufferListPointer
        VTCreateCGImageFromCVPixelBuffer VideoFrame VideoStabilization VideoStreamFormat kAudioChannelLabel_Center
        kAudioChannelLabel_CenterSurround kAudioChannelLabel_Discrete kAudioChannelLabel_LFE2
        kAudioChannelLabel_LFEScreen kAudioChannelLabel_Left kAudioChannelLabel_LeftCenter
        kAudioChannelLabel_LeftSurround kAudioChannelLabel_LeftSurroundDirect kAudioChannelLabel_Mono
        kAudioChannelLabel_RearSurroundLeft kAudioChannelLabel_RearSurroundRight kAudioChannelLabel_Right
        kAudioChannelLabel_RightCenter kAudioChannelLabel_RightSurround kAudioChannelLabel_RightSurroundDirect
        kAudioChannelLabel_TopCenterSurround kAudioChannelLabel_Unknown kAudioChannelLabel_Unused
        kAudioChannelLabel_UseCoordinates kAudioChannelLabel_VerticalHeightCenter kAudioChannelLabel_VerticalHeightLeft
        kAudioChannelLabel_VerticalHeightRight kAudioChannelLayoutTag_Ambisonic_B_Format
        kAudioChannelLayoutTag_Binaural kAudioChannelLayoutTag_DiscreteInOrder kAudioChannelLayoutTag_Hexagonal
        kAudioChannelLayoutTag_MPEG_3_0_A kAudioChannelLayoutTag_MPEG_3_0_B kAudioChannelLayoutTag_MPEG_4_0_A
        kAudioChannelLayoutTag_MPEG_5_0_A kAudioChannelLayoutTag_MPEG_5_0_B kAudioChannelLayoutTag_MPEG_5_0_C
        kAudioChannelLayoutTag_MPEG_5_0_D kAudioChannelLayoutTag_MPEG_5_1_A kAudioChannelLayoutTag_MPEG_5_1_B
        kAudioChannelLayoutTag_MPEG_5_1_C kAudioChannelLayoutTag_MPEG_5_1_D kAudioChannelLayoutTag_MPEG_6_1_A
        kAudioChannelLayoutTag_MPEG_7_1_A kAudioChannelLayoutTag_MPEG_7_1_B kAudioChannelLayoutTag_MPEG_7_1_C
        kAudioChannelLayoutTag_MatrixStereo kAudioChannelLayoutTag_MidSide kAudioChannelLayoutTag_Mono
        kAudioChannelLayoutTag_Octagonal kAudioChannelLayoutTag_Pentagonal kAudioChannelLayoutTag_Quadraphonic
        kAudioChannelLayoutTag_Stereo kAudioChannelLayoutTag_StereoHeadphones kAudioChannelLayoutTag_Unknown
        kAudioChannelLayoutTag_UseChannelBitmap kAudioChannelLayoutTag_UseChannelDescriptions kAudioChannelLayoutTag_XY
        kAudioFormat60958AC3 kAudioFormatAC3 kAudioFormatAES3 kAudioFormatALaw kAudioFormatAMR kAudioFormatAMR_WB
        kAudioFormatAPAC kAudioFormatAppleIMA4 kAudioFormatAppleLossless kAudioFormatAudible kAudioFormatDVIIntelIMA
        kAudioFormatEnhancedAC3 kAudioFormatFLAC kAudioFormatFlagIsAlignedHigh kAudioFormatFlagIsBigEndian
        kAudioFormatFlagIsFloat kAudioFormatFlagIsNonInterleaved kAudioFormatFlagIsNonMixable kAudioFormatFlagIsPacked
        kAudioFormatFlagIsSignedInteger kAudioFormatFlagsAreAllClear kAudioFormatFlagsNativeEndian
        kAudioFormatFlagsNativeFloatPacked kAudioFormatLinearPCM kAudioFormatMACE3 kAudioFormatMACE6
        kAudioFormatMIDIStream kAudioFormatMPEG4AAC kAudioFormatMPEG4AAC_ELD kAudioFormatMPEG4AAC_ELD_SBR
        kAudioFormatMPEG4AAC_ELD_V2 kAudioFormatMPEG4AAC_HE kAudioFormatMPEG4AAC_HE_V2 kAudioFormatMPEG4AAC_LD
        kAudioFormatMPEG4AAC_Spatial kAudioFormatMPEG4CELP kAudioFormatMPEG4HVXC kAudioFormatMPEG4TwinVQ
        kAudioFormatMPEGD_USAC kAudioFormatMPEGLayer1 kAudioFormatMPEGLayer2 kAudioFormatMPEGLayer3
        kAudioFormatMicrosoftGSM kAudioFormatOpus kAudioFormatParameterValueStream kAudioFormatQDesign
        kAudioFormatQDesign2 kAudioFormatQUALCOMM kAudioFormatTimeCode kAudioFormatULaw kAudioFormatiLBC
        kAudioServicesNoError kAudioServicesSystemSoundClientTimedOutError kAudioServicesSystemSoundUnspecifiedError
        kAudioServicesUnsupportedPropertyError kCATransactionAnimationDuration kCATransactionAnimationTimingFunction
        kCATransactionCompletionBlock kCATransactionDisableActions kCFAllocatorDefault kCFAllocatorMalloc
        kCFAllocatorNull kCFAllocatorSystemDefault kCFBooleanFalse kCFBooleanTrue kCGImageAuxiliaryDataInfoData
        kCGImageAuxiliaryDataInfoDataDescription kCGImageAuxiliaryDataInfoMetadata kCGImageAuxiliaryDataTypeDepth
        kCGImageAuxiliaryDataTypeDisparity kCGImageAuxiliaryDataTypePortraitEffectsMatte
        kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte
        kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte
        kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte kCGImageDestinationBackgroundColor
        kCGImageDestinationEmbedThumbnail kCGImageDestinationImageMaxPixelSize
        kCGImageDestinationLossyCompressionQuality kCGImageDestinationOptimizeColorForSharing
        kCGImageProperty8BIMDictionary kCGImagePropertyCIFFDictionary kCGImagePropertyColorModel
        kCGImagePropertyDNGDictionary kCGImagePropertyDPIHeight kCGImagePropertyDPIWidth kCGImagePropertyDepth
        kCGImagePropertyExifApertureValue kCGImagePropertyExifAuxDictionary kCGImagePropertyExifBrightnessValue
        kCGImagePropertyExifColorSpace kCGImagePropertyExifCustomRendered kCGImagePropertyExifDateTimeDigitized
        kCGImagePropertyExifDateTimeOriginal kCGImagePropertyExifDictionary kCGImagePropertyExifDigitalZoomRatio
        kCGImagePropertyExifExposureBiasValue kCGImagePropertyExifExposureMode kCGImagePropertyExifExposureProgram
        kCGImagePropertyExifExposureTime kCGImagePropertyExifFNumber kCGImagePropertyExifFlash
        kCGImagePropertyExifFocalLenIn35mmFilm kCGImagePropertyExifFocalLength kCGImagePropertyExifISOSpeedRatings
        kCGImagePropertyExifLensMake kCGImagePropertyExifLensModel kCGImagePropertyExifLensSerialNumber
        kCGImagePropertyExifLensSpecification kCGImagePropertyExifLightSource kCGImagePropertyExifMakerNote
        kCGImagePropertyExifMaxApertureValue kCGImagePropertyExifMeteringMode kCGImagePropertyExifOffsetTime
        kCGImagePropertyExifOffsetTimeDigitized kCGImagePropertyExifOffsetTimeOriginal
        kCGImagePropertyExifPixelXDimension kCGImagePropertyExifPixelYDimension kCGImagePropertyExifSceneCaptureType
        kCGImagePropertyExifSceneType kCGImagePropertyExifSensingMethod kCGImagePropertyExifShutterSpeedValue
        kCGImagePropertyExifSubjectArea kCGImagePropertyExifSubjectDistance kCGImagePropertyExifSubsecTime
        kCGImagePropertyExifSubsecTimeDigitized kCGImagePropertyExifSubsecTimeOriginal kCGImagePropertyExifUserComment
        kCGImagePropertyExifWhiteBalance kCGImagePropertyFileSize kCGImagePropertyGIFCanvasPixelHeight
        kCGImagePropertyGIFCanvasPixelWidth kCGImagePropertyGIFDelayTime kCGImagePropertyGIFDictionary
        kCGImagePropertyGIFFrameInfoArray kCGImagePropertyGIFHasGlobalColorMap kCGImagePropertyGIFImageColorMap
        kCGImagePropertyGIFLoopCount kCGImagePropertyGIFUnclampedDelayTime kCGImagePropertyGPSAltitude
        kCGImagePropertyGPSAltitudeRef kCGImagePropertyGPSAreaInformation kCGImagePropertyGPSDOP
        kCGImagePropertyGPSDateStamp kCGImagePropertyGPSDestBearing kCGImagePropertyGPSDestBearingRef
        kCGImagePropertyGPSDestDistance kCGImagePropertyGPSDestDistanceRef kCGImagePropertyGPSDictionary
        kCGImagePropertyGPSDifferental kCGImagePropertyGPSHPositioningError kCGImagePropertyGPSImgDirection
        kCGImagePropertyGPSImgDirectionRef kCGImagePropertyGPSLatitude kCGImagePropertyGPSLatitudeRef
        kCGImagePropertyGPSLongitude kCGImagePropertyGPSLongitudeRef kCGImagePropertyGPSMapDatum
        kCGImagePropertyGPSMeasureMode kCGImagePropertyGPSProcessingMethod kCGImagePropertyGPSSatellites
        kCGImagePropertyGPSSpeed kCGImagePropertyGPSSpeedRef kCGImagePropertyGPSStatus kCGImagePropertyGPSTimeStamp
        kCGImagePropertyGPSTrack kCGImagePropertyGPSTrackRef kCGImagePropertyHasAlpha kCGImagePropertyIPTCDictionary
        kCGImagePropertyIsFloat kCGImagePropertyIsIndexed kCGImagePropertyJFIFDictionary
        kCGImagePropertyMakerAppleDictionary kCGImagePropertyMakerCanonDictionary kCGImagePropertyMakerFujiDictionary
        kCGImagePropertyMakerMinoltaDictionary kCGImagePropertyMakerNikonDictionary
        kCGImagePropertyMakerOlympusDictionary kCGImagePropertyMakerPentaxDictionary kCGImagePropertyOpenEXRDictionary
        kCGImagePropertyOrientation kCGImagePropertyPNGDictionary kCGImagePropertyPixelHeight
        kCGImagePropertyPixelWidth kCGImagePropertyProfileName kCGImagePropertyRawDictionary kCGImagePropertyTIFFArtist
        kCGImagePropertyTIFFCopyright kCGImagePropertyTIFFDateTime kCGImagePropertyTIFFDictionary
        kCGImagePropertyTIFFImageDescription kCGImagePropertyTIFFMake kCGImagePropertyTIFFModel
        kCGImagePropertyTIFFOrientation kCGImagePropertyTIFFResolutionUnit kCGImagePropertyTIFFSoftware
        kCGImagePropertyTIFFXResolution kCGImagePropertyTIFFYResolution kCGImageSourceCreateThumbnailFromImageAlways
        kCGImageSourceCreateThumbnailFromImageIfAbsent kCGImageSourceCreateThumbnailWithTransform
        kCGImageSourceShouldAllowFloat kCGImageSourceShouldCache kCGImageSourceShouldCacheImmediately
        kCGImageSourceSubsampleFactor kCGImageSourceThumbnailMaxPixelSize kCGImageSourceTypeIdentifierHint
        kCLDistanceFilterNone kCLErrorDomain kCLHeadingFilterNone kCLLocationAccuracyBest
        kCLLocationAccuracyBestForNavigation kCLLocationAccuracyHundredMeters kCLLocationAccuracyKilometer
        kCLLocationAccuracyNearestTenMeters kCLLocationAccuracyReduced kCLLocationAccuracyThreeKilometers
        kCLLocationCoordinate2DInvalid kCMAttachmentMode_ShouldNotPropagate kCMAttachmentMode_ShouldPropagate
        kCMAudioCodecType_AAC_AudibleProtected kCMAudioCodecType_AAC_LCProtected kCMAudioFormatDescriptionMask_All
        kCMAudioFormatDescriptionMask_ChannelLayout kCMAudioFormatDescriptionMask_Extensions
        kCMAudioFormatDescriptionMask_MagicCookie kCMAudioFormatDescriptionMask_StreamBasicDescription
        kCMBlockBufferAlwaysCopyDataFlag kCMBlockBufferAssureMemoryNowFlag kCMBlockBufferBadCustomBlockSourceErr
        kCMBlockBufferBadLengthParameterErr kCMBlockBufferBadOffsetParameterErr kCMBlockBufferBadPointerParameterErr
        kCMBlockBufferBlockAllocationFailedErr kCMBlockBufferCustomBlockSourceVersion
        kCMBlockBufferDontOptimizeDepthFlag kCMBlockBufferEmptyBBufErr kCMBlockBufferInsufficientSpaceErr
        kCMBlockBufferNoErr kCMBlockBufferPermitEmptyReferenceFlag kCMBlockBufferStructureAllocationFailedErr
        kCMBlockBufferUnallocatedBlockErr kCMBufferQueueError_AllocationFailed kCMBufferQueueError_BadTriggerDuration
        kCMBufferQueueError_CannotModifyQueueFromTriggerCallback kCMBufferQueueError_EnqueueAfterEndOfData
        kCMBufferQueueError_InvalidBuffer kCMBufferQueueError_InvalidCMBufferCallbacksStruct
        kCMBufferQueueError_InvalidTriggerCondition kCMBufferQueueError_InvalidTriggerToken
        kCMBufferQueueError_QueueIsFull kCMBufferQueueError_RequiredParameterMissing
        kCMBufferQueueTrigger_WhenBufferCountBecomesGreaterThan kCMBufferQueueTrigger_WhenBufferCountBecomesLessThan
        kCMBufferQueueTrigger_WhenDataBecomesReady kCMBufferQueueTrigger_WhenDurationBecomesGreaterThan
        kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualTo
        kCMBufferQueueTrigger_WhenDurationBecomesGreaterThanOrEqualToAndBufferCountBecomesGreaterThan
        kCMBufferQueueTrigger_WhenDurationBecomesLessThan kCMBufferQueueTrigger_WhenDurationBecomesLessThanOrEqualTo
        kCMBufferQueueTrigger_WhenEndOfDataReached kCMBufferQueueTrigger_WhenMaxPresentationTimeStampChanges
        kCMBufferQueueTrigger_WhenMinPresentationTimeStampChanges kCMBufferQueueTrigger_WhenReset
        kCMClockError_AllocationFailed kCMClockError_InvalidParameter kCMClockError_MissingRequiredParameter
        kCMClockError_UnsupportedOperation kCMClosedCaptionFormatType_ATSC kCMClosedCaptionFormatType_CEA608
        kCMClosedCaptionFormatType_CEA708 kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha
        kCMFormatDescriptionAlphaChannelMode_StraightAlpha kCMFormatDescriptionBridgeError_AllocationFailed
        kCMFormatDescriptionBridgeError_IncompatibleFormatDescription
        kCMFormatDescriptionBridgeError_InvalidFormatDescription kCMFormatDescriptionBridgeError_InvalidParameter
        kCMFormatDescriptionBridgeError_InvalidSerializedSampleDescription kCMFormatDescriptionBridgeError_InvalidSlice
        kCMFormatDescriptionBridgeError_UnsupportedSampleDescriptionFlavor
        kCMFormatDescriptionCameraCalibrationExtrinsicOriginSource_StereoCameraSystemBaseline
        kCMFormatDescriptionCameraCalibrationLensAlgorithmKind_ParametricLens
        kCMFormatDescriptionCameraCalibrationLensDomain_Color kCMFormatDescriptionCameraCalibrationLensRole_Left
        kCMFormatDescriptionCameraCalibrationLensRole_Mono kCMFormatDescriptionCameraCalibrationLensRole_Right
        kCMFormatDescriptionCameraCalibration_ExtrinsicOrientationQuaternion
        kCMFormatDescriptionCameraCalibration_ExtrinsicOriginSource
        kCMFormatDescriptionCameraCalibration_IntrinsicMatrix
        kCMFormatDescriptionCameraCalibration_IntrinsicMatrixProjectionOffset
        kCMFormatDescriptionCameraCalibration_IntrinsicMatrixReferenceDimensions
        kCMFormatDescriptionCameraCalibration_LensAlgorithmKind kCMFormatDescriptionCameraCalibration_LensDistortions
        kCMFormatDescriptionCameraCalibration_LensDomain
        kCMFormatDescriptionCameraCalibration_LensFrameAdjustmentsPolynomialX
        kCMFormatDescriptionCameraCalibration_LensFrameAdjustmentsPolynomialY
        kCMFormatDescriptionCameraCalibration_LensIdentifier kCMFormatDescriptionCameraCalibration_LensRole
        kCMFormatDescriptionCameraCalibration_RadialAngleLimit kCMFormatDescriptionChromaLocation_Bottom
        kCMFormatDescriptionChromaLocation_BottomLeft kCMFormatDescriptionChromaLocation_Center
        kCMFormatDescriptionChromaLocation_DV420 kCMFormatDescriptionChromaLocation_Left
        kCMFormatDescriptionChromaLocation_Top kCMFormatDescriptionChromaLocation_TopLeft
        kCMFormatDescriptionColorPrimaries_DCI_P3 kCMFormatDescriptionColorPrimaries_EBU_3213
        kCMFormatDescriptionColorPrimaries_ITU_R_2020 kCMFormatDescriptionColorPrimaries_ITU_R_709_2
        kCMFormatDescriptionColorPrimaries_P22 kCMFormatDescriptionColorPrimaries_P3_D65
        kCMFormatDescriptionColorPrimaries_SMPTE_C kCMFormatDescriptionConformsToMPEG2VideoProfile
        kCMFormatDescriptionError_AllocationFailed kCMFormatDescriptionError_InvalidParameter
        kCMFormatDescriptionError_ValueNotAvailable kCMFormatDescriptionExtensionKey_MetadataKeyTable
        kCMFormatDescriptionExtension_AlphaChannelMode kCMFormatDescriptionExtension_AlternativeTransferCharacteristics
        kCMFormatDescriptionExtension_AmbientViewingEnvironment kCMFormatDescriptionExtension_AuxiliaryTypeInfo
        kCMFormatDescriptionExtension_BitsPerComponent kCMFormatDescriptionExtension_BytesPerRow
        kCMFormatDescriptionExtension_CameraCalibrationDataLensCollection
        kCMFormatDescriptionExtension_ChromaLocationBottomField kCMFormatDescriptionExtension_ChromaLocationTopField
        kCMFormatDescriptionExtension_CleanAperture kCMFormatDescriptionExtension_ColorPrimaries
        kCMFormatDescriptionExtension_ContainsAlphaChannel kCMFormatDescriptionExtension_ContentColorVolume
        kCMFormatDescriptionExtension_ContentLightLevelInfo
        kCMFormatDescriptionExtension_ConvertedFromExternalSphericalTags kCMFormatDescriptionExtension_Depth
        kCMFormatDescriptionExtension_FieldCount kCMFormatDescriptionExtension_FieldDetail
        kCMFormatDescriptionExtension_FormatName kCMFormatDescriptionExtension_FullRangeVideo
        kCMFormatDescriptionExtension_GammaLevel kCMFormatDescriptionExtension_HasAdditionalViews
        kCMFormatDescriptionExtension_HasLeftStereoEyeView kCMFormatDescriptionExtension_HasRightStereoEyeView
        kCMFormatDescriptionExtension_HeroEye kCMFormatDescriptionExtension_HorizontalDisparityAdjustment
        kCMFormatDescriptionExtension_HorizontalFieldOfView kCMFormatDescriptionExtension_ICCProfile
        kCMFormatDescriptionExtension_LogTransferFunction kCMFormatDescriptionExtension_MasteringDisplayColorVolume
        kCMFormatDescriptionExtension_OriginalCompressionSettings kCMFormatDescriptionExtension_PixelAspectRatio
        kCMFormatDescriptionExtension_ProjectionKind kCMFormatDescriptionExtension_ProtectedContentOriginalFormat
        kCMFormatDescriptionExtension_RevisionLevel kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms
        kCMFormatDescriptionExtension_SpatialQuality kCMFormatDescriptionExtension_StereoCameraBaseline
        kCMFormatDescriptionExtension_TemporalQuality kCMFormatDescriptionExtension_TransferFunction
        kCMFormatDescriptionExtension_Vendor kCMFormatDescriptionExtension_VerbatimISOSampleEntry
        kCMFormatDescriptionExtension_VerbatimImageDescription kCMFormatDescriptionExtension_VerbatimSampleDescription
        kCMFormatDescriptionExtension_Version kCMFormatDescriptionExtension_ViewPackingKind
        kCMFormatDescriptionExtension_YCbCrMatrix kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly
        kCMFormatDescriptionFieldDetail_SpatialFirstLineLate kCMFormatDescriptionFieldDetail_TemporalBottomFirst
        kCMFormatDescriptionFieldDetail_TemporalTopFirst kCMFormatDescriptionHeroEye_Left
        kCMFormatDescriptionHeroEye_Right kCMFormatDescriptionKey_CleanApertureHeight
        kCMFormatDescriptionKey_CleanApertureHeightRational kCMFormatDescriptionKey_CleanApertureHorizontalOffset
        kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational
        kCMFormatDescriptionKey_CleanApertureVerticalOffset kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational
        kCMFormatDescriptionKey_CleanApertureWidth kCMFormatDescriptionKey_CleanApertureWidthRational
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing kCMFormatDescriptionLogTransferFunction_AppleLog
        kCMFormatDescriptionProjectionKind_AppleImmersiveVideo kCMFormatDescriptionProjectionKind_Equirectangular
        kCMFormatDescriptionProjectionKind_HalfEquirectangular kCMFormatDescriptionProjectionKind_ParametricImmersive
        kCMFormatDescriptionProjectionKind_Rectilinear kCMFormatDescriptionTransferFunction_ITU_R_2020
        kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG kCMFormatDescriptionTransferFunction_ITU_R_709_2
        kCMFormatDescriptionTransferFunction_Linear kCMFormatDescriptionTransferFunction_SMPTE_240M_1995
        kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1
        kCMFormatDescriptionTransferFunction_UseGamma kCMFormatDescriptionTransferFunction_sRGB
        kCMFormatDescriptionVendor_Apple kCMFormatDescriptionViewPackingKind_OverUnder
        kCMFormatDescriptionViewPackingKind_SideBySide kCMFormatDescriptionYCbCrMatrix_ITU_R_2020
        kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4 kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2
        kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995 kCMHEVCTemporalLevelInfoKey_ConstraintIndicatorFlags
        kCMHEVCTemporalLevelInfoKey_LevelIndex kCMHEVCTemporalLevelInfoKey_ProfileCompatibilityFlags
        kCMHEVCTemporalLevelInfoKey_ProfileIndex kCMHEVCTemporalLevelInfoKey_ProfileSpace
        kCMHEVCTemporalLevelInfoKey_TemporalLevel kCMHEVCTemporalLevelInfoKey_TierFlag
        kCMImageDescriptionFlavor_3GPFamily kCMImageDescriptionFlavor_ISOFamily
        kCMImageDescriptionFlavor_ISOFamilyWithAppleExtensions kCMImageDescriptionFlavor_QuickTimeMovie
        kCMMPEG2VideoProfile_HDV_1080i50 kCMMPEG2VideoProfile_HDV_1080i60 kCMMPEG2VideoProfile_HDV_1080p24
        kCMMPEG2VideoProfile_HDV_1080p25 kCMMPEG2VideoProfile_HDV_1080p30 kCMMPEG2VideoProfile_HDV_720p24
        kCMMPEG2VideoProfile_HDV_720p25 kCMMPEG2VideoProfile_HDV_720p30 kCMMPEG2VideoProfile_HDV_720p50
        kCMMPEG2VideoProfile_HDV_720p60 kCMMPEG2VideoProfile_XDCAM_EX_1080i50_VBR35
        kCMMPEG2VideoProfile_XDCAM_EX_1080i60_VBR35 kCMMPEG2VideoProfile_XDCAM_EX_1080p24_VBR35
        kCMMPEG2VideoProfile_XDCAM_EX_1080p25_VBR35 kCMMPEG2VideoProfile_XDCAM_EX_1080p30_VBR35
        kCMMPEG2VideoProfile_XDCAM_EX_720p24_VBR35 kCMMPEG2VideoProfile_XDCAM_EX_720p25_VBR35
        kCMMPEG2VideoProfile_XDCAM_EX_720p30_VBR35 kCMMPEG2VideoProfile_XDCAM_EX_720p50_VBR35
        kCMMPEG2VideoProfile_XDCAM_EX_720p60_VBR35 kCMMPEG2VideoProfile_XDCAM_HD422_1080i50_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD422_1080i60_CBR50 kCMMPEG2VideoProfile_XDCAM_HD422_1080p24_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD422_1080p25_CBR50 kCMMPEG2VideoProfile_XDCAM_HD422_1080p30_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD422_540p kCMMPEG2VideoProfile_XDCAM_HD422_720p24_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD422_720p25_CBR50 kCMMPEG2VideoProfile_XDCAM_HD422_720p30_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD422_720p50_CBR50 kCMMPEG2VideoProfile_XDCAM_HD422_720p60_CBR50
        kCMMPEG2VideoProfile_XDCAM_HD_1080i50_VBR35 kCMMPEG2VideoProfile_XDCAM_HD_1080i60_VBR35
        kCMMPEG2VideoProfile_XDCAM_HD_1080p24_VBR35 kCMMPEG2VideoProfile_XDCAM_HD_1080p25_VBR35
        kCMMPEG2VideoProfile_XDCAM_HD_1080p30_VBR35 kCMMPEG2VideoProfile_XDCAM_HD_540p kCMMPEG2VideoProfile_XF
        kCMMediaType_Audio kCMMediaType_AuxiliaryPicture kCMMediaType_ClosedCaption kCMMediaType_Metadata
        kCMMediaType_Muxed kCMMediaType_Subtitle kCMMediaType_TaggedBufferGroup kCMMediaType_Text kCMMediaType_TimeCode
        kCMMediaType_Video kCMMemoryPoolError_AllocationFailed kCMMemoryPoolError_InvalidParameter
        kCMMemoryPoolOption_AgeOutPeriod kCMMetadataBaseDataType_AffineTransformF64 kCMMetadataBaseDataType_BMP
        kCMMetadataBaseDataType_DimensionsF32 kCMMetadataBaseDataType_ExtendedRasterRectangleValue
        kCMMetadataBaseDataType_Float32 kCMMetadataBaseDataType_Float64 kCMMetadataBaseDataType_GIF
        kCMMetadataBaseDataType_JPEG kCMMetadataBaseDataType_JSON kCMMetadataBaseDataType_PNG
        kCMMetadataBaseDataType_PerspectiveTransformF64 kCMMetadataBaseDataType_PointF32
        kCMMetadataBaseDataType_PolygonF32 kCMMetadataBaseDataType_PolylineF32
        kCMMetadataBaseDataType_RasterRectangleValue kCMMetadataBaseDataType_RawData kCMMetadataBaseDataType_RectF32
        kCMMetadataBaseDataType_SInt16 kCMMetadataBaseDataType_SInt32 kCMMetadataBaseDataType_SInt64
        kCMMetadataBaseDataType_SInt8 kCMMetadataBaseDataType_UInt16 kCMMetadataBaseDataType_UInt32
        kCMMetadataBaseDataType_UInt64 kCMMetadataBaseDataType_UInt8 kCMMetadataBaseDataType_UTF16
        kCMMetadataBaseDataType_UTF8 kCMMetadataDataTypeRegistryError_AllocationFailed
        kCMMetadataDataTypeRegistryError_BadDataTypeIdentifier
        kCMMetadataDataTypeRegistryError_DataTypeAlreadyRegistered
        kCMMetadataDataTypeRegistryError_MultipleConformingBaseTypes
        kCMMetadataDataTypeRegistryError_RequiredParameterMissing
        kCMMetadataDataTypeRegistryError_RequiresConformingBaseType kCMMetadataDataType_QuickTimeMetadataDirection
        kCMMetadataDataType_QuickTimeMetadataLocation_ISO6709 kCMMetadataDataType_QuickTimeMetadataMilliLux
        kCMMetadataDataType_QuickTimeMetadataUUID kCMMetadataFormatDescriptionKey_ConformingDataTypes
        kCMMetadataFormatDescriptionKey_DataType kCMMetadataFormatDescriptionKey_DataTypeNamespace
        kCMMetadataFormatDescriptionKey_LanguageTag kCMMetadataFormatDescriptionKey_LocalID
        kCMMetadataFormatDescriptionKey_Namespace kCMMetadataFormatDescriptionKey_SetupData
        kCMMetadataFormatDescriptionKey_StructuralDependency kCMMetadataFormatDescriptionKey_Value
        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType
        kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag
        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier
        kCMMetadataFormatDescriptionMetadataSpecificationKey_SetupData
        kCMMetadataFormatDescriptionMetadataSpecificationKey_StructuralDependency
        kCMMetadataFormatDescription_StructuralDependencyKey_DependencyIsInvalidFlag kCMMetadataFormatType_Boxed
        kCMMetadataFormatType_EMSG kCMMetadataFormatType_ICY kCMMetadataFormatType_ID3
        kCMMetadataIdentifierError_AllocationFailed kCMMetadataIdentifierError_BadIdentifier
        kCMMetadataIdentifierError_BadKey kCMMetadataIdentifierError_BadKeyLength
        kCMMetadataIdentifierError_BadKeySpace kCMMetadataIdentifierError_BadKeyType
        kCMMetadataIdentifierError_BadNumberKey kCMMetadataIdentifierError_NoKeyValueAvailable
        kCMMetadataIdentifierError_RequiredParameterMissing kCMMetadataIdentifier_QuickTimeMetadataDirection_Facing
        kCMMetadataIdentifier_QuickTimeMetadataLivePhotoStillImageTransform
        kCMMetadataIdentifier_QuickTimeMetadataLivePhotoStillImageTransformReferenceDimensions
        kCMMetadataIdentifier_QuickTimeMetadataLocation_ISO6709
        kCMMetadataIdentifier_QuickTimeMetadataPreferredAffineTransform
        kCMMetadataIdentifier_QuickTimeMetadataPresentationImmersiveMedia
        kCMMetadataIdentifier_QuickTimeMetadataSceneIlluminance
        kCMMetadataIdentifier_QuickTimeMetadataSegmentIdentifier
        kCMMetadataIdentifier_QuickTimeMetadataVideoOrientation kCMMetadataKeySpace_HLSDateRange
        kCMMetadataKeySpace_ID3 kCMMetadataKeySpace_ISOUserData kCMMetadataKeySpace_Icy
        kCMMetadataKeySpace_QuickTimeMetadata kCMMetadataKeySpace_QuickTimeUserData kCMMetadataKeySpace_iTunes
        kCMMuxedStreamType_DV kCMMuxedStreamType_EmbeddedDeviceScreenRecording kCMMuxedStreamType_MPEG1System
        kCMMuxedStreamType_MPEG2Program kCMMuxedStreamType_MPEG2Transport kCMPersistentTrackID_Invalid
        kCMPixelFormat_16BE555 kCMPixelFormat_16BE565 kCMPixelFormat_16LE555 kCMPixelFormat_16LE5551
        kCMPixelFormat_16LE565 kCMPixelFormat_24RGB kCMPixelFormat_32ARGB kCMPixelFormat_32BGRA
        kCMPixelFormat_422YpCbCr10 kCMPixelFormat_422YpCbCr16 kCMPixelFormat_422YpCbCr8 kCMPixelFormat_422YpCbCr8_yuvs
        kCMPixelFormat_4444YpCbCrA8 kCMPixelFormat_444YpCbCr10 kCMPixelFormat_444YpCbCr8
        kCMPixelFormat_8IndexedGray_WhiteIsZero kCMSampleAttachmentKey_AudioIndependentSampleDecoderRefreshCount
        kCMSampleAttachmentKey_CryptorSubsampleAuxiliaryData kCMSampleAttachmentKey_DependsOnOthers
        kCMSampleAttachmentKey_DisplayImmediately kCMSampleAttachmentKey_DoNotDisplay
        kCMSampleAttachmentKey_EarlierDisplayTimesAllowed kCMSampleAttachmentKey_HDR10PlusPerFrameData
        kCMSampleAttachmentKey_HEVCStepwiseTemporalSubLayerAccess kCMSampleAttachmentKey_HEVCSyncSampleNALUnitType
        kCMSampleAttachmentKey_HEVCTemporalLevelInfo kCMSampleAttachmentKey_HEVCTemporalSubLayerAccess
        kCMSampleAttachmentKey_HasRedundantCoding kCMSampleAttachmentKey_IsDependedOnByOthers
        kCMSampleAttachmentKey_NotSync kCMSampleAttachmentKey_PartialSync
        kCMSampleAttachmentKey_PostDecodeProcessingMetadata kCMSampleBufferAttachmentKey_CameraIntrinsicMatrix
        kCMSampleBufferAttachmentKey_DisplayEmptyMediaImmediately kCMSampleBufferAttachmentKey_DrainAfterDecoding
        kCMSampleBufferAttachmentKey_DroppedFrameReason kCMSampleBufferAttachmentKey_DroppedFrameReasonInfo
        kCMSampleBufferAttachmentKey_EmptyMedia kCMSampleBufferAttachmentKey_EndsPreviousSampleDuration
        kCMSampleBufferAttachmentKey_FillDiscontinuitiesWithSilence kCMSampleBufferAttachmentKey_ForceKeyFrame
        kCMSampleBufferAttachmentKey_GradualDecoderRefresh kCMSampleBufferAttachmentKey_PermanentEmptyMedia
        kCMSampleBufferAttachmentKey_PostNotificationWhenConsumed
        kCMSampleBufferAttachmentKey_ResetDecoderBeforeDecoding kCMSampleBufferAttachmentKey_ResumeOutput
        kCMSampleBufferAttachmentKey_Reverse kCMSampleBufferAttachmentKey_SampleReferenceByteOffset
        kCMSampleBufferAttachmentKey_SampleReferenceURL kCMSampleBufferAttachmentKey_SpeedMultiplier
        kCMSampleBufferAttachmentKey_StillImageLensStabilizationInfo kCMSampleBufferAttachmentKey_TransitionID
        kCMSampleBufferAttachmentKey_TrimDurationAtEnd kCMSampleBufferAttachmentKey_TrimDurationAtStart
        kCMSampleBufferConduitNotificationParameter_MaxUpcomingOutputPTS
        kCMSampleBufferConduitNotificationParameter_MinUpcomingOutputPTS
        kCMSampleBufferConduitNotificationParameter_ResumeTag
        kCMSampleBufferConduitNotificationParameter_UpcomingOutputPTSRangeMayOverlapQueuedOutputPTSRange
        kCMSampleBufferConduitNotification_InhibitOutputUntil kCMSampleBufferConduitNotification_ResetOutput
        kCMSampleBufferConduitNotification_UpcomingOutputPTSRangeChanged
        kCMSampleBufferConsumerNotification_BufferConsumed kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch
        kCMSampleBufferDroppedFrameReason_Discontinuity kCMSampleBufferDroppedFrameReason_FrameWasLate
        kCMSampleBufferDroppedFrameReason_OutOfBuffers kCMSampleBufferError_AllocationFailed
        kCMSampleBufferError_AlreadyHasDataBuffer kCMSampleBufferError_ArrayTooSmall
        kCMSampleBufferError_BufferHasNoSampleSizes kCMSampleBufferError_BufferHasNoSampleTimingInfo
        kCMSampleBufferError_BufferNotReady kCMSampleBufferError_CannotSubdivide kCMSampleBufferError_DataCanceled
        kCMSampleBufferError_DataFailed kCMSampleBufferError_InvalidEntryCount kCMSampleBufferError_InvalidMediaFormat
        kCMSampleBufferError_InvalidMediaTypeForOperation kCMSampleBufferError_InvalidSampleData
        kCMSampleBufferError_Invalidated kCMSampleBufferError_RequiredParameterMissing
        kCMSampleBufferError_SampleIndexOutOfRange kCMSampleBufferError_SampleTimingInfoInvalid
        kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment kCMSampleBufferLensStabilizationInfo_Active
        kCMSampleBufferLensStabilizationInfo_Off kCMSampleBufferLensStabilizationInfo_OutOfRange
        kCMSampleBufferLensStabilizationInfo_Unavailable kCMSampleBufferNotificationParameter_OSStatus
        kCMSampleBufferNotification_DataBecameReady kCMSampleBufferNotification_DataFailed
        kCMSimpleQueueError_AllocationFailed kCMSimpleQueueError_ParameterOutOfRange kCMSimpleQueueError_QueueIsFull
        kCMSimpleQueueError_RequiredParameterMissing kCMSoundDescriptionFlavor_3GPFamily
        kCMSoundDescriptionFlavor_ISOFamily kCMSoundDescriptionFlavor_QuickTimeMovie
        kCMSoundDescriptionFlavor_QuickTimeMovieV2 kCMSubtitleFormatType_3GText kCMSubtitleFormatType_WebVTT
        kCMSyncError_AllocationFailed kCMSyncError_InvalidParameter kCMSyncError_MissingRequiredParameter
        kCMSyncError_RateMustBeNonZero kCMTaggedBufferGroupFormatType_TaggedBufferGroup
        kCMTextDisplayFlag_allSubtitlesForced kCMTextDisplayFlag_continuousKaraoke kCMTextDisplayFlag_fillTextRegion
        kCMTextDisplayFlag_forcedSubtitlesPresent kCMTextDisplayFlag_obeySubtitleFormatting
        kCMTextDisplayFlag_scrollDirectionMask kCMTextDisplayFlag_scrollDirection_bottomToTop
        kCMTextDisplayFlag_scrollDirection_leftToRight kCMTextDisplayFlag_scrollDirection_rightToLeft
        kCMTextDisplayFlag_scrollDirection_topToBottom kCMTextDisplayFlag_scrollIn kCMTextDisplayFlag_scrollOut
        kCMTextDisplayFlag_writeTextVertically kCMTextFormatDescriptionColor_Alpha kCMTextFormatDescriptionColor_Blue
        kCMTextFormatDescriptionColor_Green kCMTextFormatDescriptionColor_Red
        kCMTextFormatDescriptionExtension_BackgroundColor kCMTextFormatDescriptionExtension_DefaultFontName
        kCMTextFormatDescriptionExtension_DefaultStyle kCMTextFormatDescriptionExtension_DefaultTextBox
        kCMTextFormatDescriptionExtension_DisplayFlags kCMTextFormatDescriptionExtension_FontTable
        kCMTextFormatDescriptionExtension_HorizontalJustification kCMTextFormatDescriptionExtension_TextJustification
        kCMTextFormatDescriptionExtension_VerticalJustification kCMTextFormatDescriptionRect_Bottom
        kCMTextFormatDescriptionRect_Left kCMTextFormatDescriptionRect_Right kCMTextFormatDescriptionRect_Top
        kCMTextFormatDescriptionStyle_Ascent kCMTextFormatDescriptionStyle_EndChar kCMTextFormatDescriptionStyle_Font
        kCMTextFormatDescriptionStyle_FontFace kCMTextFormatDescriptionStyle_FontSize
        kCMTextFormatDescriptionStyle_ForegroundColor kCMTextFormatDescriptionStyle_Height
        kCMTextFormatDescriptionStyle_StartChar kCMTextFormatType_3GText kCMTextFormatType_QTText
        kCMTextJustification_bottom_right kCMTextJustification_centered kCMTextJustification_left_top
        kCMTextMarkupAlignmentType_End kCMTextMarkupAlignmentType_Left kCMTextMarkupAlignmentType_Middle
        kCMTextMarkupAlignmentType_Right kCMTextMarkupAlignmentType_Start kCMTextMarkupAttribute_Alignment
        kCMTextMarkupAttribute_BackgroundColorARGB kCMTextMarkupAttribute_BaseFontSizePercentageRelativeToVideoHeight
        kCMTextMarkupAttribute_BoldStyle kCMTextMarkupAttribute_CharacterBackgroundColorARGB
        kCMTextMarkupAttribute_CharacterEdgeStyle kCMTextMarkupAttribute_FontFamilyName
        kCMTextMarkupAttribute_FontFamilyNameList kCMTextMarkupAttribute_ForegroundColorARGB
        kCMTextMarkupAttribute_GenericFontFamilyName kCMTextMarkupAttribute_ItalicStyle
        kCMTextMarkupAttribute_OrthogonalLinePositionPercentageRelativeToWritingDirection
        kCMTextMarkupAttribute_RelativeFontSize kCMTextMarkupAttribute_TextPositionPercentageRelativeToWritingDirection
        kCMTextMarkupAttribute_UnderlineStyle kCMTextMarkupAttribute_VerticalLayout
        kCMTextMarkupAttribute_WritingDirectionSizePercentage kCMTextMarkupCharacterEdgeStyle_Depressed
        kCMTextMarkupCharacterEdgeStyle_DropShadow kCMTextMarkupCharacterEdgeStyle_None
        kCMTextMarkupCharacterEdgeStyle_Raised kCMTextMarkupCharacterEdgeStyle_Uniform
        kCMTextMarkupGenericFontName_Casual kCMTextMarkupGenericFontName_Cursive kCMTextMarkupGenericFontName_Default
        kCMTextMarkupGenericFontName_Fantasy kCMTextMarkupGenericFontName_Monospace
        kCMTextMarkupGenericFontName_MonospaceSansSerif kCMTextMarkupGenericFontName_MonospaceSerif
        kCMTextMarkupGenericFontName_ProportionalSansSerif kCMTextMarkupGenericFontName_ProportionalSerif
        kCMTextMarkupGenericFontName_SansSerif kCMTextMarkupGenericFontName_Serif
        kCMTextMarkupGenericFontName_SmallCapital kCMTextVerticalLayout_LeftToRight kCMTextVerticalLayout_RightToLeft
        kCMTimeCodeFlag_24HourMax kCMTimeCodeFlag_DropFrame kCMTimeCodeFlag_NegTimesOK
        kCMTimeCodeFormatDescriptionExtension_SourceReferenceName kCMTimeCodeFormatDescriptionKey_LangCode
        kCMTimeCodeFormatDescriptionKey_Value kCMTimeCodeFormatType_Counter32 kCMTimeCodeFormatType_Counter64
        kCMTimeCodeFormatType_TimeCode32 kCMTimeCodeFormatType_TimeCode64 kCMTimeEpochKey kCMTimeFlagsKey
        kCMTimeIndefinite kCMTimeInvalid kCMTimeMappingInvalid kCMTimeMappingSourceKey kCMTimeMappingTargetKey
        kCMTimeMaxTimescale kCMTimeNegativeInfinity kCMTimePositiveInfinity kCMTimeRangeDurationKey kCMTimeRangeInvalid
        kCMTimeRangeStartKey kCMTimeRangeZero kCMTimeScaleKey kCMTimeValueKey kCMTimeZero
        kCMTimebaseError_AllocationFailed kCMTimebaseError_InvalidParameter kCMTimebaseError_MissingRequiredParameter
        kCMTimebaseError_ReadOnly kCMTimebaseError_TimerIntervalTooShort kCMTimebaseNotificationKey_EventTime
        kCMTimebaseNotification_EffectiveRateChanged kCMTimebaseNotification_TimeJumped kCMTimingInfoInvalid
        kCMVideoCodecType_422YpCbCr8 kCMVideoCodecType_AV1 kCMVideoCodecType_Animation kCMVideoCodecType_AppleProRes422
        kCMVideoCodecType_AppleProRes422HQ kCMVideoCodecType_AppleProRes422LT kCMVideoCodecType_AppleProRes422Proxy
        kCMVideoCodecType_AppleProRes4444 kCMVideoCodecType_AppleProRes4444XQ kCMVideoCodecType_AppleProResRAW
        kCMVideoCodecType_AppleProResRAWHQ kCMVideoCodecType_Cinepak kCMVideoCodecType_DVCNTSC kCMVideoCodecType_DVCPAL
        kCMVideoCodecType_DVCPROHD1080i50 kCMVideoCodecType_DVCPROHD1080i60 kCMVideoCodecType_DVCPROHD1080p25
        kCMVideoCodecType_DVCPROHD1080p30 kCMVideoCodecType_DVCPROHD720p50 kCMVideoCodecType_DVCPROHD720p60
        kCMVideoCodecType_DVCPro50NTSC kCMVideoCodecType_DVCPro50PAL kCMVideoCodecType_DVCProPAL
        kCMVideoCodecType_DepthHEVC kCMVideoCodecType_DisparityHEVC kCMVideoCodecType_DolbyVisionHEVC
        kCMVideoCodecType_H263 kCMVideoCodecType_H264 kCMVideoCodecType_HEVC kCMVideoCodecType_HEVCWithAlpha
        kCMVideoCodecType_JPEG kCMVideoCodecType_JPEG_OpenDML kCMVideoCodecType_JPEG_XL kCMVideoCodecType_MPEG1Video
        kCMVideoCodecType_MPEG2Video kCMVideoCodecType_MPEG4Video kCMVideoCodecType_SorensonVideo
        kCMVideoCodecType_SorensonVideo3 kCMVideoCodecType_VP9 kCVBufferMovieTimeKey
        kCVBufferNonPropagatedAttachmentsKey kCVBufferPropagatedAttachmentsKey kCVBufferTimeScaleKey
        kCVBufferTimeValueKey kCVImageBufferAlphaChannelIsOpaque kCVImageBufferAlphaChannelModeKey
        kCVImageBufferAlphaChannelMode_PremultipliedAlpha kCVImageBufferAlphaChannelMode_StraightAlpha
        kCVImageBufferAmbientViewingEnvironmentKey kCVImageBufferCGColorSpaceKey
        kCVImageBufferChromaLocationBottomFieldKey kCVImageBufferChromaLocationTopFieldKey
        kCVImageBufferChromaLocation_Bottom kCVImageBufferChromaLocation_BottomLeft kCVImageBufferChromaLocation_Center
        kCVImageBufferChromaLocation_DV420 kCVImageBufferChromaLocation_Left kCVImageBufferChromaLocation_Top
        kCVImageBufferChromaLocation_TopLeft kCVImageBufferChromaSubsamplingKey kCVImageBufferChromaSubsampling_411
        kCVImageBufferChromaSubsampling_420 kCVImageBufferChromaSubsampling_422 kCVImageBufferCleanApertureHeightKey
        kCVImageBufferCleanApertureHorizontalOffsetKey kCVImageBufferCleanApertureKey
        kCVImageBufferCleanApertureVerticalOffsetKey kCVImageBufferCleanApertureWidthKey
        kCVImageBufferColorPrimariesKey kCVImageBufferColorPrimaries_DCI_P3 kCVImageBufferColorPrimaries_EBU_3213
        kCVImageBufferColorPrimaries_ITU_R_2020 kCVImageBufferColorPrimaries_ITU_R_709_2
        kCVImageBufferColorPrimaries_P22 kCVImageBufferColorPrimaries_P3_D65 kCVImageBufferColorPrimaries_SMPTE_C
        kCVImageBufferContentLightLevelInfoKey kCVImageBufferDisplayDimensionsKey kCVImageBufferDisplayHeightKey
        kCVImageBufferDisplayMaskRectangleKey kCVImageBufferDisplayMaskRectangleStereoLeftKey
        kCVImageBufferDisplayMaskRectangleStereoRightKey kCVImageBufferDisplayMaskRectangle_LeftEdgePointsKey
        kCVImageBufferDisplayMaskRectangle_RectangleHeightKey kCVImageBufferDisplayMaskRectangle_RectangleLeftKey
        kCVImageBufferDisplayMaskRectangle_RectangleTopKey kCVImageBufferDisplayMaskRectangle_RectangleWidthKey
        kCVImageBufferDisplayMaskRectangle_ReferenceRasterHeightKey
        kCVImageBufferDisplayMaskRectangle_ReferenceRasterWidthKey
        kCVImageBufferDisplayMaskRectangle_RightEdgePointsKey kCVImageBufferDisplayWidthKey kCVImageBufferFieldCountKey
        kCVImageBufferFieldDetailKey kCVImageBufferFieldDetailSpatialFirstLineEarly
        kCVImageBufferFieldDetailSpatialFirstLineLate kCVImageBufferFieldDetailTemporalBottomFirst
        kCVImageBufferFieldDetailTemporalTopFirst kCVImageBufferGammaLevelKey kCVImageBufferICCProfileKey
        kCVImageBufferLogTransferFunctionKey kCVImageBufferLogTransferFunction_AppleLog
        kCVImageBufferLogTransferFunction_AppleLog2 kCVImageBufferMasteringDisplayColorVolumeKey
        kCVImageBufferPixelAspectRatioHorizontalSpacingKey kCVImageBufferPixelAspectRatioKey
        kCVImageBufferPixelAspectRatioVerticalSpacingKey kCVImageBufferPostDecodeProcessingFrameMetadataKey
        kCVImageBufferPostDecodeProcessingSequenceMetadataKey kCVImageBufferPreferredCleanApertureKey
        kCVImageBufferRegionOfInterestKey kCVImageBufferSceneIlluminationKey kCVImageBufferTransferFunctionKey
        kCVImageBufferTransferFunction_EBU_3213 kCVImageBufferTransferFunction_ITU_R_2020
        kCVImageBufferTransferFunction_ITU_R_2100_HLG kCVImageBufferTransferFunction_ITU_R_709_2
        kCVImageBufferTransferFunction_Linear kCVImageBufferTransferFunction_SMPTE_240M_1995
        kCVImageBufferTransferFunction_SMPTE_C kCVImageBufferTransferFunction_SMPTE_ST_2084_PQ
        kCVImageBufferTransferFunction_SMPTE_ST_428_1 kCVImageBufferTransferFunction_UseGamma
        kCVImageBufferTransferFunction_sRGB kCVImageBufferYCbCrMatrixKey kCVImageBufferYCbCrMatrix_DCI_P3
        kCVImageBufferYCbCrMatrix_ITU_R_2020 kCVImageBufferYCbCrMatrix_ITU_R_601_4
        kCVImageBufferYCbCrMatrix_ITU_R_709_2 kCVImageBufferYCbCrMatrix_P3_D65
        kCVImageBufferYCbCrMatrix_SMPTE_240M_1995 kCVIndefiniteTime kCVPixelBufferBytesPerRowAlignmentKey
        kCVPixelBufferCGBitmapContextCompatibilityKey kCVPixelBufferCGImageCompatibilityKey
        kCVPixelBufferExtendedPixelsBottomKey kCVPixelBufferExtendedPixelsLeftKey kCVPixelBufferExtendedPixelsRightKey
        kCVPixelBufferExtendedPixelsTopKey kCVPixelBufferHeightKey kCVPixelBufferIOSurfaceCoreAnimationCompatibilityKey
        kCVPixelBufferIOSurfaceOpenGLESFBOCompatibilityKey kCVPixelBufferIOSurfaceOpenGLESTextureCompatibilityKey
        kCVPixelBufferIOSurfaceOpenGLFBOCompatibilityKey kCVPixelBufferIOSurfaceOpenGLTextureCompatibilityKey
        kCVPixelBufferIOSurfacePropertiesKey kCVPixelBufferIOSurfacePurgeableKey kCVPixelBufferMemoryAllocatorKey
        kCVPixelBufferMetalCompatibilityKey kCVPixelBufferOpenGLCompatibilityKey kCVPixelBufferOpenGLESCompatibilityKey
        kCVPixelBufferOpenGLESTextureCacheCompatibilityKey kCVPixelBufferOpenGLTextureCacheCompatibilityKey
        kCVPixelBufferPixelFormatTypeKey kCVPixelBufferPlaneAlignmentKey kCVPixelBufferPoolAllocationThresholdKey
        kCVPixelBufferPoolFreeBufferNotification kCVPixelBufferPoolMaximumBufferAgeKey
        kCVPixelBufferPoolMinimumBufferCountKey kCVPixelBufferProResRAWKey_BlackLevel
        kCVPixelBufferProResRAWKey_ColorMatrix kCVPixelBufferProResRAWKey_GainFactor
        kCVPixelBufferProResRAWKey_MetadataExtension kCVPixelBufferProResRAWKey_RecommendedCrop
        kCVPixelBufferProResRAWKey_SenselSitingOffsets kCVPixelBufferProResRAWKey_WhiteBalanceBlueFactor
        kCVPixelBufferProResRAWKey_WhiteBalanceCCT kCVPixelBufferProResRAWKey_WhiteBalanceRedFactor
        kCVPixelBufferProResRAWKey_WhiteLevel kCVPixelBufferVersatileBayerKey_BayerPattern kCVPixelBufferWidthKey
        kCVPixelFormatBitsPerBlock kCVPixelFormatBitsPerComponent kCVPixelFormatBlackBlock kCVPixelFormatBlockHeight
        kCVPixelFormatBlockHorizontalAlignment kCVPixelFormatBlockVerticalAlignment kCVPixelFormatBlockWidth
        kCVPixelFormatCGBitmapContextCompatibility kCVPixelFormatCGBitmapInfo kCVPixelFormatCGImageCompatibility
        kCVPixelFormatCodecType kCVPixelFormatComponentRange kCVPixelFormatComponentRange_FullRange
        kCVPixelFormatComponentRange_VideoRange kCVPixelFormatComponentRange_WideRange kCVPixelFormatConstant
        kCVPixelFormatContainsAlpha kCVPixelFormatContainsGrayscale kCVPixelFormatContainsRGB
        kCVPixelFormatContainsSenselArray kCVPixelFormatContainsYCbCr kCVPixelFormatFillExtendedPixelsCallback
        kCVPixelFormatFourCC kCVPixelFormatHorizontalSubsampling kCVPixelFormatName kCVPixelFormatOpenGLCompatibility
        kCVPixelFormatOpenGLESCompatibility kCVPixelFormatOpenGLFormat kCVPixelFormatOpenGLInternalFormat
        kCVPixelFormatOpenGLType kCVPixelFormatPlanes kCVPixelFormatQDCompatibility kCVPixelFormatType_128RGBAFloat
        kCVPixelFormatType_14Bayer_BGGR kCVPixelFormatType_14Bayer_GBRG kCVPixelFormatType_14Bayer_GRBG
        kCVPixelFormatType_14Bayer_RGGB kCVPixelFormatType_16BE555 kCVPixelFormatType_16BE565 kCVPixelFormatType_16Gray
        kCVPixelFormatType_16LE555 kCVPixelFormatType_16LE5551 kCVPixelFormatType_16LE565
        kCVPixelFormatType_16VersatileBayer kCVPixelFormatType_1IndexedGray_WhiteIsZero kCVPixelFormatType_1Monochrome
        kCVPixelFormatType_24BGR kCVPixelFormatType_24RGB kCVPixelFormatType_2Indexed
        kCVPixelFormatType_2IndexedGray_WhiteIsZero kCVPixelFormatType_30RGB kCVPixelFormatType_30RGBLEPackedWideGamut
        kCVPixelFormatType_30RGBLE_8A_BiPlanar kCVPixelFormatType_30RGB_r210 kCVPixelFormatType_32ABGR
        kCVPixelFormatType_32ARGB kCVPixelFormatType_32AlphaGray kCVPixelFormatType_32BGRA kCVPixelFormatType_32RGBA
        kCVPixelFormatType_40ARGBLEWideGamut kCVPixelFormatType_40ARGBLEWideGamutPremultiplied
        kCVPixelFormatType_420YpCbCr10BiPlanarFullRange kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange
        kCVPixelFormatType_420YpCbCr8BiPlanarFullRange kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
        kCVPixelFormatType_420YpCbCr8Planar kCVPixelFormatType_420YpCbCr8PlanarFullRange
        kCVPixelFormatType_420YpCbCr8VideoRange_8A_TriPlanar kCVPixelFormatType_422YpCbCr10
        kCVPixelFormatType_422YpCbCr10BiPlanarFullRange kCVPixelFormatType_422YpCbCr10BiPlanarVideoRange
        kCVPixelFormatType_422YpCbCr16 kCVPixelFormatType_422YpCbCr16BiPlanarVideoRange kCVPixelFormatType_422YpCbCr8
        kCVPixelFormatType_422YpCbCr8BiPlanarFullRange kCVPixelFormatType_422YpCbCr8BiPlanarVideoRange
        kCVPixelFormatType_422YpCbCr8FullRange kCVPixelFormatType_422YpCbCr8_yuvs
        kCVPixelFormatType_422YpCbCr_4A_8BiPlanar kCVPixelFormatType_4444AYpCbCr16 kCVPixelFormatType_4444AYpCbCr8
        kCVPixelFormatType_4444AYpCbCrFloat kCVPixelFormatType_4444YpCbCrA8 kCVPixelFormatType_4444YpCbCrA8R
        kCVPixelFormatType_444YpCbCr10 kCVPixelFormatType_444YpCbCr10BiPlanarFullRange
        kCVPixelFormatType_444YpCbCr10BiPlanarVideoRange kCVPixelFormatType_444YpCbCr16BiPlanarVideoRange
        kCVPixelFormatType_444YpCbCr16VideoRange_16A_TriPlanar kCVPixelFormatType_444YpCbCr8
        kCVPixelFormatType_444YpCbCr8BiPlanarFullRange kCVPixelFormatType_444YpCbCr8BiPlanarVideoRange
        kCVPixelFormatType_48RGB kCVPixelFormatType_4Indexed kCVPixelFormatType_4IndexedGray_WhiteIsZero
        kCVPixelFormatType_64ARGB kCVPixelFormatType_64RGBAHalf kCVPixelFormatType_64RGBALE
        kCVPixelFormatType_64RGBA_DownscaledProResRAW kCVPixelFormatType_8Indexed
        kCVPixelFormatType_8IndexedGray_WhiteIsZero kCVPixelFormatType_96VersatileBayerPacked12
        kCVPixelFormatType_ARGB2101010LEPacked kCVPixelFormatType_DepthFloat16 kCVPixelFormatType_DepthFloat32
        kCVPixelFormatType_DisparityFloat16 kCVPixelFormatType_DisparityFloat32
        kCVPixelFormatType_Lossless_30RGBLEPackedWideGamut kCVPixelFormatType_Lossless_30RGBLE_8A_BiPlanar
        kCVPixelFormatType_Lossless_32BGRA kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarFullRange
        kCVPixelFormatType_Lossless_420YpCbCr10PackedBiPlanarVideoRange
        kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarFullRange
        kCVPixelFormatType_Lossless_420YpCbCr8BiPlanarVideoRange
        kCVPixelFormatType_Lossless_422YpCbCr10PackedBiPlanarVideoRange kCVPixelFormatType_Lossless_64RGBAHalf
        kCVPixelFormatType_Lossy_32BGRA kCVPixelFormatType_Lossy_420YpCbCr10PackedBiPlanarVideoRange
        kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarFullRange kCVPixelFormatType_Lossy_420YpCbCr8BiPlanarVideoRange
        kCVPixelFormatType_Lossy_422YpCbCr10PackedBiPlanarVideoRange kCVPixelFormatType_OneComponent10
        kCVPixelFormatType_OneComponent12 kCVPixelFormatType_OneComponent16 kCVPixelFormatType_OneComponent16Half
        kCVPixelFormatType_OneComponent32Float kCVPixelFormatType_OneComponent8 kCVPixelFormatType_TwoComponent16
        kCVPixelFormatType_TwoComponent16Half kCVPixelFormatType_TwoComponent32Float kCVPixelFormatType_TwoComponent8
        kCVPixelFormatVerticalSubsampling kCVReturnAllocationFailed kCVReturnDisplayLinkAlreadyRunning
        kCVReturnDisplayLinkCallbacksNotSet kCVReturnDisplayLinkNotRunning kCVReturnError kCVReturnFirst
        kCVReturnInvalidArgument kCVReturnInvalidDisplay kCVReturnInvalidPixelBufferAttributes
        kCVReturnInvalidPixelFormat kCVReturnInvalidPoolAttributes kCVReturnInvalidSize kCVReturnLast
        kCVReturnPixelBufferNotMetalCompatible kCVReturnPixelBufferNotOpenGLCompatible kCVReturnPoolAllocationFailed
        kCVReturnRetry kCVReturnSuccess kCVReturnUnsupported kCVReturnWouldExceedAllocationThreshold
        kCVVersatileBayer_BayerPattern_BGGR kCVVersatileBayer_BayerPattern_GBRG kCVVersatileBayer_BayerPattern_GRBG
        kCVVersatileBayer_BayerPattern_RGGB kCVZeroTime kLinearPCMFormatFlagIsAlignedHigh
        kLinearPCMFormatFlagIsBigEndian kLinearPCMFormatFlagIsFloat kLinearPCMFormatFlagIsNonInterleaved
        kLinearPCMFormatFlagIsNonMixable kLinearPCMFormatFlagIsPacked kLinearPCMFormatFlagIsSignedInteger
        kMTAudioProcessingTapCallbacksVersion_0 kMTAudioProcessingTapCreationFlag_PostEffects
        kMTAudioProcessingTapCreationFlag_PreEffects kMTAudioProcessingTapFlag_EndOfStream
        kMTAudioProcessingTapFlag_StartOfStream kSystemSoundID_Vibrate kVTAllocationFailedErr
        kVTColorCorrectionImageRotationFailedErr kVTColorCorrectionPixelTransferFailedErr
        kVTColorSyncTransformConvertFailedErr kVTCompressionPropertyKey_AllowFrameReordering
        kVTCompressionPropertyKey_AllowOpenGOP kVTCompressionPropertyKey_AllowTemporalCompression
        kVTCompressionPropertyKey_AspectRatio16x9 kVTCompressionPropertyKey_AverageBitRate
        kVTCompressionPropertyKey_BaseLayerFrameRate kVTCompressionPropertyKey_CleanAperture
        kVTCompressionPropertyKey_ColorPrimaries kVTCompressionPropertyKey_ConstantBitRate
        kVTCompressionPropertyKey_ContentLightLevelInfo kVTCompressionPropertyKey_DataRateLimits
        kVTCompressionPropertyKey_Depth kVTCompressionPropertyKey_ExpectedDuration
        kVTCompressionPropertyKey_ExpectedFrameRate kVTCompressionPropertyKey_FieldCount
        kVTCompressionPropertyKey_FieldDetail kVTCompressionPropertyKey_H264EntropyMode
        kVTCompressionPropertyKey_HDRMetadataInsertionMode kVTCompressionPropertyKey_ICCProfile
        kVTCompressionPropertyKey_MasteringDisplayColorVolume kVTCompressionPropertyKey_MaxAllowedFrameQP
        kVTCompressionPropertyKey_MaxFrameDelayCount kVTCompressionPropertyKey_MaxH264SliceBytes
        kVTCompressionPropertyKey_MaxKeyFrameInterval kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration
        kVTCompressionPropertyKey_MaximizePowerEfficiency kVTCompressionPropertyKey_MinAllowedFrameQP
        kVTCompressionPropertyKey_MoreFramesAfterEnd kVTCompressionPropertyKey_MoreFramesBeforeStart
        kVTCompressionPropertyKey_MultiPassStorage kVTCompressionPropertyKey_NumberOfPendingFrames
        kVTCompressionPropertyKey_PixelAspectRatio kVTCompressionPropertyKey_PixelBufferPoolIsShared
        kVTCompressionPropertyKey_PixelTransferProperties kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality
        kVTCompressionPropertyKey_ProfileLevel kVTCompressionPropertyKey_ProgressiveScan
        kVTCompressionPropertyKey_Quality kVTCompressionPropertyKey_RealTime
        kVTCompressionPropertyKey_ReferenceBufferCount kVTCompressionPropertyKey_SourceFrameCount
        kVTCompressionPropertyKey_TargetQualityForAlpha kVTCompressionPropertyKey_TransferFunction
        kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder
        kVTCompressionPropertyKey_VideoEncoderPixelBufferAttributes kVTCompressionPropertyKey_YCbCrMatrix
        kVTCouldNotCreateColorCorrectionDataErr kVTCouldNotCreateInstanceErr kVTCouldNotFindTemporalFilterErr
        kVTCouldNotFindVideoDecoderErr kVTCouldNotFindVideoEncoderErr kVTDecompressionPropertyKey_DeinterlaceMode
        kVTDecompressionPropertyKey_FieldMode
        kVTDecompressionPropertyKey_MaxOutputPresentationTimeStampOfFramesBeingDecoded
        kVTDecompressionPropertyKey_MinOutputPresentationTimeStampOfFramesBeingDecoded
        kVTDecompressionPropertyKey_NumberOfFramesBeingDecoded kVTDecompressionPropertyKey_OnlyTheseFrames
        kVTDecompressionPropertyKey_PixelTransferProperties kVTDecompressionPropertyKey_RealTime
        kVTDecompressionPropertyKey_ReducedFrameDelivery kVTDecompressionPropertyKey_ReducedResolutionDecode
        kVTDecompressionPropertyKey_SuggestedQualityOfServiceTiers kVTDecompressionPropertyKey_ThreadCount
        kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder kVTEncodeFrameOptionKey_ForceKeyFrame
        kVTFormatDescriptionChangeNotSupportedErr kVTFrameSiloInvalidTimeRangeErr kVTFrameSiloInvalidTimeStampErr
        kVTH264EntropyMode_CABAC kVTH264EntropyMode_CAVLC kVTHDRMetadataInsertionMode_Auto
        kVTHDRMetadataInsertionMode_None kVTInsufficientSourceColorDataErr kVTInvalidSessionErr
        kVTMultiPassStorageIdentifierMismatchErr kVTMultiPassStorageInvalidErr kVTParameterErr
        kVTPixelRotationNotSupportedErr kVTPixelTransferNotPermittedErr kVTPixelTransferNotSupportedErr
        kVTPixelTransferPropertyKey_ScalingMode kVTProfileLevel_H264_Baseline_1_3 kVTProfileLevel_H264_Baseline_3_0
        kVTProfileLevel_H264_Baseline_3_1 kVTProfileLevel_H264_Baseline_3_2 kVTProfileLevel_H264_Baseline_4_0
        kVTProfileLevel_H264_Baseline_4_1 kVTProfileLevel_H264_Baseline_4_2 kVTProfileLevel_H264_Baseline_5_0
        kVTProfileLevel_H264_Baseline_5_1 kVTProfileLevel_H264_Baseline_5_2 kVTProfileLevel_H264_Baseline_AutoLevel
        kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel kVTProfileLevel_H264_ConstrainedHigh_AutoLevel
        kVTProfileLevel_H264_Extended_5_0 kVTProfileLevel_H264_Extended_AutoLevel kVTProfileLevel_H264_High_3_0
        kVTProfileLevel_H264_High_3_1 kVTProfileLevel_H264_High_3_2 kVTProfileLevel_H264_High_4_0
        kVTProfileLevel_H264_High_4_1 kVTProfileLevel_H264_High_4_2 kVTProfileLevel_H264_High_5_0
        kVTProfileLevel_H264_High_5_1 kVTProfileLevel_H264_High_5_2 kVTProfileLevel_H264_High_AutoLevel
        kVTProfileLevel_H264_Main_3_0 kVTProfileLevel_H264_Main_3_1 kVTProfileLevel_H264_Main_3_2
        kVTProfileLevel_H264_Main_4_0 kVTProfileLevel_H264_Main_4_1 kVTProfileLevel_H264_Main_4_2
        kVTProfileLevel_H264_Main_5_0 kVTProfileLevel_H264_Main_5_1 kVTProfileLevel_H264_Main_5_2
        kVTProfileLevel_H264_Main_AutoLevel kVTProfileLevel_HEVC_Main10_AutoLevel
        kVTProfileLevel_HEVC_Main42210_AutoLevel kVTProfileLevel_HEVC_Main_AutoLevel kVTPropertyNotSupportedErr
        kVTPropertyReadOnlyErr kVTScalingMode_CropSourceToCleanAperture kVTScalingMode_Letterbox kVTScalingMode_Normal
        kVTScalingMode_Trim kVTVideoDecoderAuthorizationErr kVTVideoDecoderBadDataErr kVTVideoDecoderMalfunctionErr
        kVTVideoDecoderNotAvailableNowErr kVTVideoDecoderRemovedErr
        kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder
        kVTVideoDecoderSpecification_RequireHardwareAcceleratedVideoDecoder kVTVideoDecoderUnsupportedDataFormatErr
        kVTVideoEncoderAuthorizationErr kVTVideoEncoderMalfunctionErr kVTVideoEncoderNotAvailableNowErr
        kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder
        kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder
        """

    /// Members of Apple's classes that do not exist here: class and member.
    static let missingMembers = """
        AVAssetExportSession.ResumptionFailureReason AVAssetExportSession.ResumptionState
        AVAssetExportSession.configureForResumableExport AVAssetExportSession.exportSession AVAssetReader.assetReader
        AVAssetReaderOutput.Provider AVAssetWriterInput.PixelBufferReceiver AVAssetWriterInput.SampleBufferReceiver
        AVAssetWriterInput.TaggedPixelBufferGroupReceiver
        AVAssetWriterInputPixelBufferAdaptor.assetWriterInputPixelBufferAdaptor
        AVAssetWriterInputTaggedPixelBufferGroupAdaptor.assetWriterInputTaggedPixelBufferGroupAdaptor
        AVAsynchronousVideoCompositionRequest.attach AVAsynchronousVideoCompositionRequest.sourceTaggedBuffers
        AVCaptureDevice.isAdjustingSignalCompensationDelayWhileRunningSupported AVCaptureDeviceInput.deviceInput
        AVCapturePhotoBracketSettings.photoBracketSettings AVCapturePhotoSettings.photoSettings
        AVCompositionTrack.formatDescriptionReplacements AVCompositionTrackSegment.compositionTrackSegment
        AVError.Code.externalSyncDeviceFrequencyHigherThanSpecified
        AVError.Code.externalSyncDeviceFrequencyLowerThanSpecified AVError.Code.followExternalSyncFailed
        AVError.Code.notEnoughSpaceForProVideoStorageReplenishment AVMetadataObject.ObjectType.cinematicVideoMetadata
        AVMutableAudioMixInputParameters.audioMixInputParameters AVMutableComposition.composition
        AVMutableCompositionTrack.replaceFormatDescription
        AVMutableVideoCompositionLayerInstruction.videoCompositionLayerInstruction
        AVPlayer.allowsCaptureOfClearKeyVideo AVPlayer.audioOutputDeviceUniqueID
        AVPlayer.availableHDRModesDidChangeNotification AVPlayer.isClosedCaptionDisplayEnabled
        AVPlayer.isObservationEnabled AVPlayer.playbackCoordinator AVPlayer.preferredVideoDecoderGPURegistryID
        AVPlayer.rateDidChangeOriginatingParticipantKey AVPlayer.videoOutput AVPlayerItem.addMediaDataCollector
        AVPlayerItem.automaticallyHandlesInterstitialEvents AVPlayerItem.cancelContentAuthorizationRequest
        AVPlayerItem.contentAuthorizationRequestStatus AVPlayerItem.effectiveMediaPresentationSettings
        AVPlayerItem.integratedTimeline AVPlayerItem.interstitialEventIdentifier
        AVPlayerItem.isApplicationAuthorizedForPlayback AVPlayerItem.isAuthorizationRequiredForPlayback
        AVPlayerItem.isContentAuthorizedForPlayback AVPlayerItem.mediaDataCollectors AVPlayerItem.playerItem
        AVPlayerItem.preferredCustomMediaSelectionSchemes AVPlayerItem.removeMediaDataCollector
        AVPlayerItem.requestContentAuthorizationAsynchronously AVPlayerItem.selectMediaPresentationLanguage
        AVPlayerItem.selectMediaPresentationSetting AVPlayerItem.selectedMediaPresentationLanguage
        AVPlayerItem.selectedMediaPresentationSettings AVPlayerItem.templatePlayerItem AVPlayerItem.textStyleRules
        AVPlayerItem.timedMetadata AVPlayerItem.videoApertureMode AVPlayerItemTrack.VideoFieldModeDeinterlaceFields
        AVPlayerLayer.setCaptionPreviewProfileID AVPlayerLayer.stopShowingCaptionPreview AVURLAsset.URLAssetWithURL
        AVURLAsset.assetCache AVURLAsset.mediaExtensionProperties AVURLAsset.variants
        AVVideoComposition.outputBufferDescription AVVideoComposition.spatialVideoConfigurations
        CMSampleBuffer.DynamicContent CMSampleBuffer.SampleAttachments CMSampleBuffer.SampleProperties
        CMTag.kCMTagInvalid CMTag.kCMTagMediaSubTypeMebx CMTag.kCMTagMediaTypeAudio CMTag.kCMTagMediaTypeMetadata
        CMTag.kCMTagMediaTypeVideo CMTag.kCMTagPackingTypeNone CMTag.kCMTagPackingTypeOverUnder
        CMTag.kCMTagPackingTypeSideBySide CMTag.kCMTagProjectionTypeEquirectangular CMTag.kCMTagProjectionTypeFisheye
        CMTag.kCMTagProjectionTypeHalfEquirectangular CMTag.kCMTagProjectionTypeParametricImmersive
        CMTag.kCMTagProjectionTypeRectangular CMTag.kCMTagStereoInterpretationOrderReversed
        CMTag.kCMTagStereoLeftAndRightEye CMTag.kCMTagStereoLeftEye CMTag.kCMTagStereoNone CMTag.kCMTagStereoRightEye
        PHAssetResource.UploadJob PHAssetResource.UploadJobAction PHAssetResource.UploadJobChangeRequest
        PHAssetResource.UploadJobState PHAssetResource.UploadJobType PHPhotoLibrary.cloudIdentifierMappings
        PHPhotoLibrary.cloudIdentifiers PHPhotoLibrary.localIdentifierMappings PHPhotoLibrary.localIdentifiers
        """
}
