// Written by `CI/api-coverage --write-names` from the compiler's symbol graph and CI/api-surface.tsv.

/// Names for `obscura port`, separated by white space.
enum AvailableNames {
    /// The types, functions and constants of the modules that apps import.
    static let globals = """
        AVAnyAsyncProperty AVAsset AVAssetExportPreset1280x720 AVAssetExportPreset1920x1080
        AVAssetExportPreset3840x2160 AVAssetExportPreset640x480 AVAssetExportPreset960x540 AVAssetExportPresetAppleM4A
        AVAssetExportPresetHEVC1920x1080 AVAssetExportPresetHEVC3840x2160 AVAssetExportPresetHEVCHighestQuality
        AVAssetExportPresetHighestQuality AVAssetExportPresetLowQuality AVAssetExportPresetMediumQuality
        AVAssetExportPresetPassthrough AVAssetExportSession AVAssetImageGenerator
        AVAssetImageGeneratorCompletionHandler AVAssetReader AVAssetReaderOutput AVAssetReaderOutputMetadataAdaptor
        AVAssetReaderSampleReferenceOutput AVAssetReaderTrackOutput AVAssetSegmentReport
        AVAssetSegmentReportSampleInformation AVAssetSegmentTrackReport AVAssetSegmentType AVAssetTrack
        AVAssetTrackGroupOutputHandling AVAssetTrackSegment AVAssetWriter AVAssetWriterDelegate AVAssetWriterInput
        AVAssetWriterInputGroup AVAssetWriterInputMetadataAdaptor AVAssetWriterInputPassDescription
        AVAssetWriterInputPixelBufferAdaptor AVAsyncProperty AVAsynchronousKeyValueLoading
        AVAudioBitRateStrategy_Constant AVAudioBitRateStrategy_LongTermAverage AVAudioBitRateStrategy_Variable
        AVAudioBitRateStrategy_VariableConstrained AVAudioMix AVAudioTimePitchAlgorithm AVAuthorizationStatus
        AVCameraCalibrationData AVCaptureAudioChannel AVCaptureAudioDataOutput
        AVCaptureAudioDataOutputSampleBufferDelegate AVCaptureAudioFileOutput AVCaptureAudioPreviewOutput
        AVCaptureAutoExposureBracketedStillImageSettings AVCaptureBracketedStillImageSettings
        AVCaptureCameraLensSmudgeDetectionStatus AVCaptureColorSpace AVCaptureConnection AVCaptureControl
        AVCaptureDataOutputSynchronizer AVCaptureDataOutputSynchronizerDelegate AVCaptureDeferredPhotoProxy
        AVCaptureDepthDataOutput AVCaptureDepthDataOutputDelegate AVCaptureDeskViewApplication AVCaptureDevice
        AVCaptureDeviceInput AVCaptureExternalDisplayConfiguration AVCaptureExternalDisplayConfigurator
        AVCaptureFileOutput AVCaptureFileOutputDelegate AVCaptureFileOutputRecordingDelegate AVCaptureFraming
        AVCaptureIndexPicker AVCaptureInput AVCaptureManualExposureBracketedStillImageSettings AVCaptureMetadataOutput
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
        AVCaptureVideoStabilizationMode AVChannelLayoutKey AVDepthData AVEncoderAudioQualityKey
        AVEncoderBitDepthHintKey AVEncoderBitRateKey AVEncoderBitRatePerChannelKey AVEncoderBitRateStrategyKey AVError
        AVErrorDeviceKey AVErrorFileSizeKey AVErrorRecordingSuccessfullyFinishedKey AVErrorTimeKey AVExternalSyncDevice
        AVExternalSyncDeviceDelegate AVExternalSyncDeviceDiscoverySession AVFileType AVFileTypeProfile AVFormatIDKey
        AVFoundationErrorDomain AVFrameRateRange AVKeyValueStatus AVLayerVideoGravity AVLinearPCMBitDepthKey
        AVLinearPCMIsBigEndianKey AVLinearPCMIsFloatKey AVLinearPCMIsNonInterleaved AVMediaCharacteristic AVMediaType
        AVMetadataBodyObject AVMetadataCatBodyObject AVMetadataCatHeadObject AVMetadataDogBodyObject
        AVMetadataDogHeadObject AVMetadataExtraAttributeKey AVMetadataFaceObject AVMetadataFormat AVMetadataGroup
        AVMetadataHumanBodyObject AVMetadataHumanFullBodyObject AVMetadataIdentifier AVMetadataItem
        AVMetadataItemFilter AVMetadataItemValueRequest AVMetadataKey AVMetadataKeySpace
        AVMetadataMachineReadableCodeObject AVMetadataObject AVMetadataSalientObject AVMutableMetadataItem
        AVMutableTimedMetadataGroup AVNumberOfChannelsKey AVOutputSettingsAssistant AVOutputSettingsPreset
        AVPartialAsyncProperty AVPortraitEffectsMatte AVQueuedSampleBufferRenderingStatus AVSampleBufferDisplayLayer
        AVSampleRateConverterAudioQualityKey AVSampleRateKey AVSemanticSegmentationMatte
        AVSpatialCaptureDiscomfortReason AVTimedMetadataGroup AVURLAsset AVURLAssetOverrideMIMETypeKey
        AVURLAssetPreferPreciseDurationAndTimingKey AVURLAssetReferenceRestrictionsKey AVVideoAllowFrameReorderingKey
        AVVideoAllowWideColorKey AVVideoAverageBitRateKey AVVideoAverageNonDroppableFrameRateKey
        AVVideoCleanApertureHeightKey AVVideoCleanApertureHorizontalOffsetKey AVVideoCleanApertureKey
        AVVideoCleanApertureVerticalOffsetKey AVVideoCleanApertureWidthKey AVVideoCodecAppleProRes422
        AVVideoCodecAppleProRes4444 AVVideoCodecH264 AVVideoCodecHEVC AVVideoCodecJPEG AVVideoCodecKey AVVideoCodecType
        AVVideoColorPrimariesKey AVVideoColorPrimaries_EBU_3213 AVVideoColorPrimaries_ITU_R_2020
        AVVideoColorPrimaries_ITU_R_709_2 AVVideoColorPrimaries_P3_D65 AVVideoColorPrimaries_SMPTE_C
        AVVideoColorPropertiesKey AVVideoCompressionPropertiesKey AVVideoDecompressionPropertiesKey
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
        AudioFormatID AudioFormatListItem AudioStreamBasicDescription AudioStreamFormat AudioStreamPacketDescription
        Authorization AuthorizationState AutoreleasingUnsafeMutablePointer CACornerMask CACurrentMediaTime CALayer
        CALayerContentsGravity CALayerCornerCurve CATransform3D CATransform3DConcat CATransform3DEqualToTransform
        CATransform3DGetAffineTransform CATransform3DIdentity CATransform3DIsAffine CATransform3DIsIdentity
        CATransform3DMakeAffineTransform CATransform3DMakeRotation CATransform3DMakeScale CATransform3DMakeTranslation
        CATransform3DRotate CATransform3DScale CATransform3DTranslate CFAllocator CFArray CFBoolean CFData CFDictionary
        CFIndex CFNumber CFString CFTimeInterval CFTypeID CFTypeRef CFURL CGAffineTransform CGBitmapInfo CGColor
        CGDataProvider CGDirectDisplayID CGImage CGImageAlphaInfo CGImagePropertyOrientation CIAztecCodeDescriptor
        CIBarcodeDescriptor CIContext CIContextOption CIDataMatrixCodeDescriptor CIImage CIPDF417CodeDescriptor
        CIQRCodeDescriptor CLLocation CLLocationAccuracy CLLocationCoordinate2D CLLocationCoordinate2DIsValid
        CLLocationCoordinate2DMake CLLocationDegrees CLLocationDirection CLLocationDistance CLLocationSpeed
        CMAttachmentBearer CMAttachmentBearerAttachments CMAttachmentBearerProtocol CMAttachmentMode CMAudioCodecType
        CMAudioFormatDescription CMAudioFormatDescriptionCreate CMAudioFormatDescriptionGetChannelLayout
        CMAudioFormatDescriptionGetMagicCookie CMAudioFormatDescriptionGetStreamBasicDescription
        CMAudioSampleBufferCreateReadyWithPacketDescriptions CMAudioSampleBufferCreateWithPacketDescriptions
        CMBlockBuffer CMBlockBufferAccessDataBytes CMBlockBufferAppendBufferReference CMBlockBufferAppendMemoryBlock
        CMBlockBufferAssureBlockMemory CMBlockBufferCopyDataBytes CMBlockBufferCreateContiguous
        CMBlockBufferCreateEmpty CMBlockBufferCreateWithBufferReference CMBlockBufferCreateWithMemoryBlock
        CMBlockBufferCustomBlockSource CMBlockBufferFillDataBytes CMBlockBufferFlags CMBlockBufferGetDataLength
        CMBlockBufferGetDataPointer CMBlockBufferGetTypeID CMBlockBufferIsEmpty CMBlockBufferIsRangeContiguous
        CMBlockBufferReplaceDataBytes CMClock CMClockGetHostTimeClock CMClockGetTime CMClockMightDrift
        CMClockOrTimebase CMCopyDictionaryOfAttachments CMFormatDescription CMFormatDescriptionCreate
        CMFormatDescriptionEqual CMFormatDescriptionEqualIgnoringExtensionKeys CMFormatDescriptionGetExtension
        CMFormatDescriptionGetExtensions CMFormatDescriptionGetMediaSubType CMFormatDescriptionGetMediaType
        CMFormatDescriptionGetTypeID CMGetAttachment CMItemCount CMItemIndex CMMediaType CMMetadataFormatDescription
        CMMetadataFormatDescriptionCreateWithMetadataSpecifications CMMetadataFormatDescriptionGetIdentifiers
        CMMuxedFormatDescription CMPersistentTrackID CMPixelFormatType CMPropagateAttachments CMRemoveAllAttachments
        CMRemoveAttachment CMSampleBuffer CMSampleBufferCopyPCMDataIntoAudioBufferList CMSampleBufferCreate
        CMSampleBufferCreateCopy CMSampleBufferCreateCopyWithNewTiming CMSampleBufferCreateForImageBuffer
        CMSampleBufferCreateReady CMSampleBufferCreateReadyWithImageBuffer CMSampleBufferDataIsReady
        CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer CMSampleBufferGetAudioStreamPacketDescriptions
        CMSampleBufferGetDataBuffer CMSampleBufferGetDecodeTimeStamp CMSampleBufferGetDuration
        CMSampleBufferGetFormatDescription CMSampleBufferGetImageBuffer CMSampleBufferGetNumSamples
        CMSampleBufferGetOutputDecodeTimeStamp CMSampleBufferGetOutputDuration
        CMSampleBufferGetOutputPresentationTimeStamp CMSampleBufferGetPresentationTimeStamp
        CMSampleBufferGetSampleAttachmentsArray CMSampleBufferGetSampleSize CMSampleBufferGetSampleSizeArray
        CMSampleBufferGetSampleTimingInfo CMSampleBufferGetSampleTimingInfoArray CMSampleBufferGetTotalSampleSize
        CMSampleBufferGetTypeID CMSampleBufferHasDataFailed CMSampleBufferInvalidate CMSampleBufferInvalidateHandler
        CMSampleBufferIsValid CMSampleBufferMakeDataReady CMSampleBufferMakeDataReadyCallback
        CMSampleBufferMakeDataReadyHandler CMSampleBufferSetDataBuffer CMSampleBufferSetDataBufferFromAudioBufferList
        CMSampleBufferSetDataFailed CMSampleBufferSetDataReady CMSampleBufferSetInvalidateHandler
        CMSampleBufferSetOutputPresentationTimeStamp CMSampleTimingInfo CMSetAttachment CMSetAttachments
        CMSyncConvertTime CMSyncGetTime CMSyncMightDrift CMTIMEMAPPING_IS_EMPTY CMTIMEMAPPING_IS_INVALID
        CMTIMEMAPPING_IS_VALID CMTIMERANGE_IS_EMPTY CMTIMERANGE_IS_INDEFINITE CMTIMERANGE_IS_INVALID
        CMTIMERANGE_IS_VALID CMTIME_HAS_BEEN_ROUNDED CMTIME_IS_INDEFINITE CMTIME_IS_INVALID CMTIME_IS_NEGATIVE_INFINITY
        CMTIME_IS_NUMERIC CMTIME_IS_POSITIVE_INFINITY CMTIME_IS_VALID CMTime CMTimeAbsoluteValue CMTimeAdd
        CMTimeClampToRange CMTimeCompare CMTimeConvertScale CMTimeCopyAsDictionary CMTimeCopyDescription CMTimeEpoch
        CMTimeFlags CMTimeFoldIntoRange CMTimeGetSeconds CMTimeMake CMTimeMakeFromDictionary CMTimeMakeWithEpoch
        CMTimeMakeWithSeconds CMTimeMapDurationFromRangeToRange CMTimeMapTimeFromRangeToRange CMTimeMapping
        CMTimeMappingCopyAsDictionary CMTimeMappingCopyDescription CMTimeMappingMake CMTimeMappingMakeEmpty
        CMTimeMappingMakeFromDictionary CMTimeMappingShow CMTimeMaximum CMTimeMinimum CMTimeMultiply
        CMTimeMultiplyByFloat64 CMTimeMultiplyByRatio CMTimeRange CMTimeRangeContainsTime CMTimeRangeContainsTimeRange
        CMTimeRangeCopyAsDictionary CMTimeRangeCopyDescription CMTimeRangeEqual CMTimeRangeFromTimeToTime
        CMTimeRangeGetEnd CMTimeRangeGetIntersection CMTimeRangeGetUnion CMTimeRangeMake CMTimeRangeMakeFromDictionary
        CMTimeRangeShow CMTimeRoundingMethod CMTimeScale CMTimeShow CMTimeSubtract CMTimeValue CMVideoCodecType
        CMVideoDimensions CMVideoFormatDescription CMVideoFormatDescriptionCreate
        CMVideoFormatDescriptionCreateForImageBuffer CMVideoFormatDescriptionCreateFromH264ParameterSets
        CMVideoFormatDescriptionCreateFromHEVCParameterSets CMVideoFormatDescriptionGetCleanAperture
        CMVideoFormatDescriptionGetDimensions CMVideoFormatDescriptionGetExtensionKeysCommonWithImageBuffers
        CMVideoFormatDescriptionGetH264ParameterSetAtIndex CMVideoFormatDescriptionGetHEVCParameterSetAtIndex
        CMVideoFormatDescriptionGetPresentationDimensions CMVideoFormatDescriptionMatchesImageBuffer CVAttachmentMode
        CVBuffer CVBufferCopyAttachment CVBufferCopyAttachments CVBufferGetAttachment CVBufferGetAttachments
        CVBufferHasAttachment CVBufferPropagateAttachments CVBufferRemoveAllAttachments CVBufferRemoveAttachment
        CVBufferSetAttachment CVBufferSetAttachments CVImageBuffer CVImageBufferGetCleanRect
        CVImageBufferGetDisplaySize CVImageBufferGetEncodedSize CVImageBufferIsFlipped CVOptionFlags CVPixelBuffer
        CVPixelBufferCopyCreationAttributes CVPixelBufferCreate CVPixelBufferCreateWithBytes
        CVPixelBufferCreateWithPlanarBytes CVPixelBufferGetBaseAddress CVPixelBufferGetBaseAddressOfPlane
        CVPixelBufferGetBytesPerRow CVPixelBufferGetBytesPerRowOfPlane CVPixelBufferGetDataSize
        CVPixelBufferGetExtendedPixels CVPixelBufferGetHeight CVPixelBufferGetHeightOfPlane
        CVPixelBufferGetPixelFormatType CVPixelBufferGetPlaneCount CVPixelBufferGetTypeID CVPixelBufferGetWidth
        CVPixelBufferGetWidthOfPlane CVPixelBufferIsCompatibleWithAttributes CVPixelBufferIsPlanar
        CVPixelBufferLockBaseAddress CVPixelBufferLockFlags CVPixelBufferPool CVPixelBufferPoolCreate
        CVPixelBufferPoolCreatePixelBuffer CVPixelBufferPoolCreatePixelBufferWithAuxAttributes CVPixelBufferPoolFlush
        CVPixelBufferPoolFlushFlags CVPixelBufferPoolGetAttributes CVPixelBufferPoolGetPixelBufferAttributes
        CVPixelBufferPoolGetTypeID CVPixelBufferReleaseBytesCallback CVPixelBufferReleasePlanarBytesCallback
        CVPixelBufferUnlockBaseAddress CVPixelFormatDescriptionArrayCreateWithAllPixelFormatTypes
        CVPixelFormatDescriptionCreateWithPixelFormatType CVPixelFormatTypeCopyFourCharCodeString CVReturn
        CameraCalibration CameraControl CaptureClock CaptureSystem CapturedSamples ClockTimer ClockWorker ColorResponse
        ControlMode ControlRange ControlValue DepthConfiguration DepthFrame DepthStreamFormat DetectedFace DeviceChange
        DeviceCondition DeviceControl DeviceDescriptor DeviceError DeviceKind DeviceMedia DeviceOrientation
        DevicePosition DeviceStream DeviceTransport DispatchSerialQueue DroppedFrame FocusRange FourCharCode FrameDepth
        FrameDurationRange FrameSettings HardwareDevice HardwareHost HostClock InterruptionReason Interruptions
        KeyValueObserving LensDescriptor Misuse MisuseHandler NSKeyValueChange NSKeyValueObservation
        NSKeyValueObservedChange NSKeyValueObservingOptions OSStatus OSType ObservedProperties ObserverToken OpenDevice
        OrientationSensor PHAccessLevel PHAdjustmentData PHAsset PHAssetBurstSelectionType PHAssetChangeRequest
        PHAssetCollection PHAssetCollectionChangeRequest PHAssetCollectionSubtype PHAssetCollectionType
        PHAssetCreationRequest PHAssetEditOperation PHAssetImageProgressHandler PHAssetMediaSubtype PHAssetMediaType
        PHAssetPlaybackStyle PHAssetResource PHAssetResourceCreationOptions PHAssetResourceDataRequestID
        PHAssetResourceManager PHAssetResourceProgressHandler PHAssetResourceRequestOptions PHAssetResourceType
        PHAssetSourceType PHAssetVideoProgressHandler PHAuthorizationStatus PHChange PHChangeRequest PHCollection
        PHCollectionEditOperation PHCollectionList PHCollectionListChangeRequest PHCollectionListSubtype
        PHCollectionListType PHContentEditingInput PHContentEditingInputCancelledKey PHContentEditingInputErrorKey
        PHContentEditingInputRequestID PHContentEditingInputRequestOptions PHContentEditingInputResultIsInCloudKey
        PHContentEditingOutput PHFetchOptions PHFetchResult PHFetchResultChangeDetails PHImageCancelledKey
        PHImageContentMode PHImageErrorKey PHImageManager PHImageManagerMaximumSize PHImageRequestID
        PHImageRequestOptions PHImageRequestOptionsDeliveryMode PHImageRequestOptionsResizeMode
        PHImageRequestOptionsVersion PHImageResultIsDegradedKey PHImageResultIsInCloudKey PHImageResultRequestIDKey
        PHInvalidAssetResourceDataRequestID PHInvalidImageRequestID PHLivePhoto PHLivePhotoInfoCancelledKey
        PHLivePhotoInfoErrorKey PHLivePhotoInfoIsDegradedKey PHLivePhotoRequestID PHLivePhotoRequestIDInvalid
        PHLivePhotoRequestOptions PHLocalIdentifiersErrorKey PHObject PHObjectChangeDetails PHObjectPlaceholder
        PHObjectType PHPersistentChange PHPersistentChangeFetchResult PHPersistentChangeToken
        PHPersistentObjectChangeDetails PHPhotoLibrary PHPhotoLibraryAvailabilityObserver PHPhotoLibraryChangeObserver
        PHPhotosError PHPhotosErrorDomain PHVideoRequestOptions PHVideoRequestOptionsDeliveryMode
        PHVideoRequestOptionsVersion PromptAnswer ProtectedResource SimClock StreamConfiguration StreamEvent
        StreamFormat StreamReceiver SystemPressure UIDevice UIDeviceOrientation UIImage UIInterfaceOrientation UTType
        UnsafeMutableAudioBufferListPointer VideoFrame VideoStabilization VideoStreamFormat kAudioChannelLabel_Center
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
        kCFAllocatorDefault kCFAllocatorMalloc kCFAllocatorNull kCFAllocatorSystemDefault kCFBooleanFalse
        kCFBooleanTrue kCGImageAuxiliaryDataInfoData kCGImageAuxiliaryDataInfoDataDescription
        kCGImageAuxiliaryDataInfoMetadata kCGImageAuxiliaryDataTypeDepth kCGImageAuxiliaryDataTypeDisparity
        kCGImageAuxiliaryDataTypePortraitEffectsMatte kCGImageAuxiliaryDataTypeSemanticSegmentationGlassesMatte
        kCGImageAuxiliaryDataTypeSemanticSegmentationHairMatte kCGImageAuxiliaryDataTypeSemanticSegmentationSkinMatte
        kCGImageAuxiliaryDataTypeSemanticSegmentationTeethMatte kCGImageProperty8BIMDictionary
        kCGImagePropertyCIFFDictionary kCGImagePropertyColorModel kCGImagePropertyDNGDictionary
        kCGImagePropertyDPIHeight kCGImagePropertyDPIWidth kCGImagePropertyDepth kCGImagePropertyExifApertureValue
        kCGImagePropertyExifAuxDictionary kCGImagePropertyExifBrightnessValue kCGImagePropertyExifColorSpace
        kCGImagePropertyExifCustomRendered kCGImagePropertyExifDateTimeDigitized kCGImagePropertyExifDateTimeOriginal
        kCGImagePropertyExifDictionary kCGImagePropertyExifDigitalZoomRatio kCGImagePropertyExifExposureBiasValue
        kCGImagePropertyExifExposureMode kCGImagePropertyExifExposureProgram kCGImagePropertyExifExposureTime
        kCGImagePropertyExifFNumber kCGImagePropertyExifFlash kCGImagePropertyExifFocalLenIn35mmFilm
        kCGImagePropertyExifFocalLength kCGImagePropertyExifISOSpeedRatings kCGImagePropertyExifLensMake
        kCGImagePropertyExifLensModel kCGImagePropertyExifLensSerialNumber kCGImagePropertyExifLensSpecification
        kCGImagePropertyExifLightSource kCGImagePropertyExifMakerNote kCGImagePropertyExifMaxApertureValue
        kCGImagePropertyExifMeteringMode kCGImagePropertyExifOffsetTime kCGImagePropertyExifOffsetTimeDigitized
        kCGImagePropertyExifOffsetTimeOriginal kCGImagePropertyExifPixelXDimension kCGImagePropertyExifPixelYDimension
        kCGImagePropertyExifSceneCaptureType kCGImagePropertyExifSceneType kCGImagePropertyExifSensingMethod
        kCGImagePropertyExifShutterSpeedValue kCGImagePropertyExifSubjectArea kCGImagePropertyExifSubjectDistance
        kCGImagePropertyExifSubsecTime kCGImagePropertyExifSubsecTimeDigitized kCGImagePropertyExifSubsecTimeOriginal
        kCGImagePropertyExifUserComment kCGImagePropertyExifWhiteBalance kCGImagePropertyFileSize
        kCGImagePropertyGIFDictionary kCGImagePropertyGPSAltitude kCGImagePropertyGPSAltitudeRef
        kCGImagePropertyGPSDateStamp kCGImagePropertyGPSDictionary kCGImagePropertyGPSHPositioningError
        kCGImagePropertyGPSImgDirection kCGImagePropertyGPSImgDirectionRef kCGImagePropertyGPSLatitude
        kCGImagePropertyGPSLatitudeRef kCGImagePropertyGPSLongitude kCGImagePropertyGPSLongitudeRef
        kCGImagePropertyGPSMapDatum kCGImagePropertyGPSSpeed kCGImagePropertyGPSSpeedRef kCGImagePropertyGPSTimeStamp
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
        kCGImagePropertyTIFFXResolution kCGImagePropertyTIFFYResolution kCLLocationCoordinate2DInvalid
        kCMAttachmentMode_ShouldNotPropagate kCMAttachmentMode_ShouldPropagate kCMBlockBufferAlwaysCopyDataFlag
        kCMBlockBufferAssureMemoryNowFlag kCMBlockBufferBadCustomBlockSourceErr kCMBlockBufferBadLengthParameterErr
        kCMBlockBufferBadOffsetParameterErr kCMBlockBufferBadPointerParameterErr kCMBlockBufferBlockAllocationFailedErr
        kCMBlockBufferCustomBlockSourceVersion kCMBlockBufferDontOptimizeDepthFlag kCMBlockBufferEmptyBBufErr
        kCMBlockBufferInsufficientSpaceErr kCMBlockBufferNoErr kCMBlockBufferPermitEmptyReferenceFlag
        kCMBlockBufferStructureAllocationFailedErr kCMBlockBufferUnallocatedBlockErr
        kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha kCMFormatDescriptionAlphaChannelMode_StraightAlpha
        kCMFormatDescriptionBridgeError_AllocationFailed kCMFormatDescriptionBridgeError_IncompatibleFormatDescription
        kCMFormatDescriptionBridgeError_InvalidFormatDescription kCMFormatDescriptionBridgeError_InvalidParameter
        kCMFormatDescriptionBridgeError_InvalidSerializedSampleDescription kCMFormatDescriptionBridgeError_InvalidSlice
        kCMFormatDescriptionBridgeError_UnsupportedSampleDescriptionFlavor kCMFormatDescriptionChromaLocation_Bottom
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
        kCMFormatDescriptionExtension_AuxiliaryTypeInfo kCMFormatDescriptionExtension_BitsPerComponent
        kCMFormatDescriptionExtension_BytesPerRow kCMFormatDescriptionExtension_ChromaLocationBottomField
        kCMFormatDescriptionExtension_ChromaLocationTopField kCMFormatDescriptionExtension_CleanAperture
        kCMFormatDescriptionExtension_ColorPrimaries kCMFormatDescriptionExtension_ContainsAlphaChannel
        kCMFormatDescriptionExtension_ContentColorVolume kCMFormatDescriptionExtension_ContentLightLevelInfo
        kCMFormatDescriptionExtension_ConvertedFromExternalSphericalTags kCMFormatDescriptionExtension_Depth
        kCMFormatDescriptionExtension_FieldCount kCMFormatDescriptionExtension_FieldDetail
        kCMFormatDescriptionExtension_FormatName kCMFormatDescriptionExtension_FullRangeVideo
        kCMFormatDescriptionExtension_GammaLevel kCMFormatDescriptionExtension_ICCProfile
        kCMFormatDescriptionExtension_LogTransferFunction kCMFormatDescriptionExtension_MasteringDisplayColorVolume
        kCMFormatDescriptionExtension_OriginalCompressionSettings kCMFormatDescriptionExtension_PixelAspectRatio
        kCMFormatDescriptionExtension_ProtectedContentOriginalFormat kCMFormatDescriptionExtension_RevisionLevel
        kCMFormatDescriptionExtension_SampleDescriptionExtensionAtoms kCMFormatDescriptionExtension_SpatialQuality
        kCMFormatDescriptionExtension_TemporalQuality kCMFormatDescriptionExtension_TransferFunction
        kCMFormatDescriptionExtension_Vendor kCMFormatDescriptionExtension_VerbatimISOSampleEntry
        kCMFormatDescriptionExtension_VerbatimImageDescription kCMFormatDescriptionExtension_VerbatimSampleDescription
        kCMFormatDescriptionExtension_Version kCMFormatDescriptionExtension_YCbCrMatrix
        kCMFormatDescriptionFieldDetail_SpatialFirstLineEarly kCMFormatDescriptionFieldDetail_SpatialFirstLineLate
        kCMFormatDescriptionFieldDetail_TemporalBottomFirst kCMFormatDescriptionFieldDetail_TemporalTopFirst
        kCMFormatDescriptionKey_CleanApertureHeight kCMFormatDescriptionKey_CleanApertureHeightRational
        kCMFormatDescriptionKey_CleanApertureHorizontalOffset
        kCMFormatDescriptionKey_CleanApertureHorizontalOffsetRational
        kCMFormatDescriptionKey_CleanApertureVerticalOffset kCMFormatDescriptionKey_CleanApertureVerticalOffsetRational
        kCMFormatDescriptionKey_CleanApertureWidth kCMFormatDescriptionKey_CleanApertureWidthRational
        kCMFormatDescriptionKey_PixelAspectRatioHorizontalSpacing
        kCMFormatDescriptionKey_PixelAspectRatioVerticalSpacing kCMFormatDescriptionLogTransferFunction_AppleLog
        kCMFormatDescriptionTransferFunction_ITU_R_2020 kCMFormatDescriptionTransferFunction_ITU_R_2100_HLG
        kCMFormatDescriptionTransferFunction_ITU_R_709_2 kCMFormatDescriptionTransferFunction_Linear
        kCMFormatDescriptionTransferFunction_SMPTE_240M_1995 kCMFormatDescriptionTransferFunction_SMPTE_ST_2084_PQ
        kCMFormatDescriptionTransferFunction_SMPTE_ST_428_1 kCMFormatDescriptionTransferFunction_UseGamma
        kCMFormatDescriptionTransferFunction_sRGB kCMFormatDescriptionVendor_Apple
        kCMFormatDescriptionYCbCrMatrix_ITU_R_2020 kCMFormatDescriptionYCbCrMatrix_ITU_R_601_4
        kCMFormatDescriptionYCbCrMatrix_ITU_R_709_2 kCMFormatDescriptionYCbCrMatrix_SMPTE_240M_1995
        kCMHEVCTemporalLevelInfoKey_ConstraintIndicatorFlags kCMHEVCTemporalLevelInfoKey_LevelIndex
        kCMHEVCTemporalLevelInfoKey_ProfileCompatibilityFlags kCMHEVCTemporalLevelInfoKey_ProfileIndex
        kCMHEVCTemporalLevelInfoKey_ProfileSpace kCMHEVCTemporalLevelInfoKey_TemporalLevel
        kCMHEVCTemporalLevelInfoKey_TierFlag kCMMediaType_Audio kCMMediaType_AuxiliaryPicture
        kCMMediaType_ClosedCaption kCMMediaType_Metadata kCMMediaType_Muxed kCMMediaType_Subtitle
        kCMMediaType_TaggedBufferGroup kCMMediaType_Text kCMMediaType_TimeCode kCMMediaType_Video
        kCMMetadataBaseDataType_BMP kCMMetadataBaseDataType_Float32 kCMMetadataBaseDataType_Float64
        kCMMetadataBaseDataType_GIF kCMMetadataBaseDataType_JPEG kCMMetadataBaseDataType_PNG
        kCMMetadataBaseDataType_RawData kCMMetadataBaseDataType_SInt16 kCMMetadataBaseDataType_SInt32
        kCMMetadataBaseDataType_SInt64 kCMMetadataBaseDataType_SInt8 kCMMetadataBaseDataType_UInt16
        kCMMetadataBaseDataType_UInt32 kCMMetadataBaseDataType_UInt64 kCMMetadataBaseDataType_UInt8
        kCMMetadataBaseDataType_UTF16 kCMMetadataBaseDataType_UTF8
        kCMMetadataFormatDescriptionMetadataSpecificationKey_DataType
        kCMMetadataFormatDescriptionMetadataSpecificationKey_ExtendedLanguageTag
        kCMMetadataFormatDescriptionMetadataSpecificationKey_Identifier kCMMetadataFormatType_Boxed
        kCMPersistentTrackID_Invalid kCMPixelFormat_16BE555 kCMPixelFormat_16BE565 kCMPixelFormat_16LE555
        kCMPixelFormat_16LE5551 kCMPixelFormat_16LE565 kCMPixelFormat_24RGB kCMPixelFormat_32ARGB kCMPixelFormat_32BGRA
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
        kCMSampleBufferDroppedFrameReasonInfo_CameraModeSwitch kCMSampleBufferDroppedFrameReason_Discontinuity
        kCMSampleBufferDroppedFrameReason_FrameWasLate kCMSampleBufferDroppedFrameReason_OutOfBuffers
        kCMSampleBufferError_AllocationFailed kCMSampleBufferError_AlreadyHasDataBuffer
        kCMSampleBufferError_ArrayTooSmall kCMSampleBufferError_BufferHasNoSampleSizes
        kCMSampleBufferError_BufferHasNoSampleTimingInfo kCMSampleBufferError_BufferNotReady
        kCMSampleBufferError_CannotSubdivide kCMSampleBufferError_DataCanceled kCMSampleBufferError_DataFailed
        kCMSampleBufferError_InvalidEntryCount kCMSampleBufferError_InvalidMediaFormat
        kCMSampleBufferError_InvalidMediaTypeForOperation kCMSampleBufferError_InvalidSampleData
        kCMSampleBufferError_Invalidated kCMSampleBufferError_RequiredParameterMissing
        kCMSampleBufferError_SampleIndexOutOfRange kCMSampleBufferError_SampleTimingInfoInvalid
        kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment kCMSampleBufferLensStabilizationInfo_Active
        kCMSampleBufferLensStabilizationInfo_Off kCMSampleBufferLensStabilizationInfo_OutOfRange
        kCMSampleBufferLensStabilizationInfo_Unavailable kCMSampleBufferNotificationParameter_OSStatus
        kCMSampleBufferNotification_DataBecameReady kCMSampleBufferNotification_DataFailed kCMTimeEpochKey
        kCMTimeFlagsKey kCMTimeIndefinite kCMTimeInvalid kCMTimeMappingInvalid kCMTimeMappingSourceKey
        kCMTimeMappingTargetKey kCMTimeMaxTimescale kCMTimeNegativeInfinity kCMTimePositiveInfinity
        kCMTimeRangeDurationKey kCMTimeRangeInvalid kCMTimeRangeStartKey kCMTimeRangeZero kCMTimeScaleKey
        kCMTimeValueKey kCMTimeZero kCMTimingInfoInvalid kCMVideoCodecType_422YpCbCr8 kCMVideoCodecType_AV1
        kCMVideoCodecType_Animation kCMVideoCodecType_AppleProRes422 kCMVideoCodecType_AppleProRes422HQ
        kCMVideoCodecType_AppleProRes422LT kCMVideoCodecType_AppleProRes422Proxy kCMVideoCodecType_AppleProRes4444
        kCMVideoCodecType_AppleProRes4444XQ kCMVideoCodecType_AppleProResRAW kCMVideoCodecType_AppleProResRAWHQ
        kCMVideoCodecType_Cinepak kCMVideoCodecType_DVCNTSC kCMVideoCodecType_DVCPAL kCMVideoCodecType_DVCPROHD1080i50
        kCMVideoCodecType_DVCPROHD1080i60 kCMVideoCodecType_DVCPROHD1080p25 kCMVideoCodecType_DVCPROHD1080p30
        kCMVideoCodecType_DVCPROHD720p50 kCMVideoCodecType_DVCPROHD720p60 kCMVideoCodecType_DVCPro50NTSC
        kCMVideoCodecType_DVCPro50PAL kCMVideoCodecType_DVCProPAL kCMVideoCodecType_DepthHEVC
        kCMVideoCodecType_DisparityHEVC kCMVideoCodecType_DolbyVisionHEVC kCMVideoCodecType_H263 kCMVideoCodecType_H264
        kCMVideoCodecType_HEVC kCMVideoCodecType_HEVCWithAlpha kCMVideoCodecType_JPEG kCMVideoCodecType_JPEG_OpenDML
        kCMVideoCodecType_JPEG_XL kCMVideoCodecType_MPEG1Video kCMVideoCodecType_MPEG2Video
        kCMVideoCodecType_MPEG4Video kCMVideoCodecType_SorensonVideo kCMVideoCodecType_SorensonVideo3
        kCMVideoCodecType_VP9 kCVBufferMovieTimeKey kCVBufferNonPropagatedAttachmentsKey
        kCVBufferPropagatedAttachmentsKey kCVBufferTimeScaleKey kCVBufferTimeValueKey
        kCVImageBufferAlphaChannelIsOpaque kCVImageBufferAlphaChannelModeKey
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
        kCVImageBufferDisplayMaskRectangleKey kCVImageBufferDisplayMaskRectangle_LeftEdgePointsKey
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
        kCVImageBufferYCbCrMatrix_SMPTE_240M_1995 kCVPixelBufferBytesPerRowAlignmentKey
        kCVPixelBufferCGBitmapContextCompatibilityKey kCVPixelBufferCGImageCompatibilityKey
        kCVPixelBufferExtendedPixelsBottomKey kCVPixelBufferExtendedPixelsLeftKey kCVPixelBufferExtendedPixelsRightKey
        kCVPixelBufferExtendedPixelsTopKey kCVPixelBufferHeightKey kCVPixelBufferIOSurfacePropertiesKey
        kCVPixelBufferIOSurfacePurgeableKey kCVPixelBufferMemoryAllocatorKey kCVPixelBufferMetalCompatibilityKey
        kCVPixelBufferOpenGLCompatibilityKey kCVPixelBufferOpenGLESCompatibilityKey
        kCVPixelBufferOpenGLESTextureCacheCompatibilityKey kCVPixelBufferOpenGLTextureCacheCompatibilityKey
        kCVPixelBufferPixelFormatTypeKey kCVPixelBufferPlaneAlignmentKey kCVPixelBufferPoolAllocationThresholdKey
        kCVPixelBufferPoolMaximumBufferAgeKey kCVPixelBufferPoolMinimumBufferCountKey
        kCVPixelBufferVersatileBayerKey_BayerPattern kCVPixelBufferWidthKey kCVPixelFormatBitsPerBlock
        kCVPixelFormatBitsPerComponent kCVPixelFormatBlackBlock kCVPixelFormatBlockHeight
        kCVPixelFormatBlockHorizontalAlignment kCVPixelFormatBlockVerticalAlignment kCVPixelFormatBlockWidth
        kCVPixelFormatCGBitmapContextCompatibility kCVPixelFormatCGBitmapInfo kCVPixelFormatCGImageCompatibility
        kCVPixelFormatCodecType kCVPixelFormatComponentRange kCVPixelFormatComponentRange_FullRange
        kCVPixelFormatComponentRange_VideoRange kCVPixelFormatComponentRange_WideRange kCVPixelFormatConstant
        kCVPixelFormatContainsAlpha kCVPixelFormatContainsGrayscale kCVPixelFormatContainsRGB
        kCVPixelFormatContainsSenselArray kCVPixelFormatContainsYCbCr kCVPixelFormatFourCC
        kCVPixelFormatHorizontalSubsampling kCVPixelFormatName kCVPixelFormatPlanes kCVPixelFormatType_128RGBAFloat
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
        kCVVersatileBayer_BayerPattern_RGGB kLinearPCMFormatFlagIsAlignedHigh kLinearPCMFormatFlagIsBigEndian
        kLinearPCMFormatFlagIsFloat kLinearPCMFormatFlagIsNonInterleaved kLinearPCMFormatFlagIsNonMixable
        kLinearPCMFormatFlagIsPacked kLinearPCMFormatFlagIsSignedInteger
        """

    /// Members of Apple's classes that do not exist here: class and member.
    static let missingMembers = """
        AVAsset.allMediaSelections AVAsset.availableMediaCharacteristicsWithMediaSelectionOptions
        AVAsset.findUnusedTrackID AVAsset.isCompatibleWithAirPlayVideo AVAsset.isCompatibleWithSavedPhotosAlbum
        AVAsset.mediaSelectionGroup AVAsset.preferredMediaSelection AVAsset.referenceRestrictions AVAsset.trackGroups
        AVAsset.unusedTrackID AVAssetExportSession.audioMix AVAssetExportSession.customVideoCompositor
        AVAssetExportSession.videoComposition AVAssetReader.AudioMixOutput AVAssetReader.CaptionValidationHandling
        AVAssetReader.VideoCompositionOutput AVAssetReader.assetReader AVAssetReaderOutput.CaptionAdaptor
        AVAssetTrack.Group AVAssetTrack.canProvideSampleCursors AVAssetTrack.makeSampleCursor
        AVAssetTrack.makeSampleCursorAtFirstSampleInDecodeOrder AVAssetTrack.makeSampleCursorAtLastSampleInDecodeOrder
        AVAssetWriterInput.TaggedPixelBufferGroupAdaptor
        AVAssetWriterInputPixelBufferAdaptor.assetWriterInputPixelBufferAdaptor
        AVCaptureDevice.TransportControlsPlaybackMode.notPlayingMode
        AVCaptureDevice.TransportControlsPlaybackMode.playingMode AVCaptureDeviceInput.deviceInput
        AVCaptureManualExposureBracketedStillImageSettings.ISO AVCaptureMovieFileOutput.setRecordsVideoOrientation
        AVCapturePhoto.CGImageRepresentation AVCapturePhotoBracketSettings.photoBracketSettings
        AVCapturePhotoOutput.DNGPhotoDataRepresentationForRawSampleBuffer
        AVCapturePhotoOutput.JPEGPhotoDataRepresentationForJPEGSampleBuffer AVCapturePhotoSettings.photoSettings
        AVCaptureSession.Preset.1280x720 AVCaptureSession.Preset.1920x1080 AVCaptureSession.Preset.3840x2160
        AVCaptureSession.Preset.640x480 AVCaptureSession.Preset.960x540 AVFileType.3GPP AVFileType.3GPP2 AVFileType.ac3
        AVFileType.ahap AVFileType.aifc AVFileType.aiff AVFileType.amr AVFileType.appleiTT AVFileType.avci
        AVFileType.coreAudioFormat AVFileType.dicom AVFileType.enhancedAC3 AVFileType.mpeg4 AVFileType.quickTimeAudio
        AVFileType.scc AVFileType.sunAU AVFileType.tiff AVFileType.wave AVMediaType.auxiliaryPicture AVMediaType.haptic
        AVMetadataExtraAttributeKey.avMetadataExtraAttributeBaseURIKey
        AVMetadataExtraAttributeKey.avMetadataExtraAttributeInfoKey
        AVMetadataExtraAttributeKey.avMetadataExtraAttributeValueURIKey
        AVMetadataIdentifier.quickTimeMetadataPresentationImmersiveMedia AVURLAsset.URL AVURLAsset.URLAssetWithURL
        AVURLAsset.assetCache AVURLAsset.audiovisualContentTypes AVURLAsset.audiovisualMIMETypes
        AVURLAsset.compatibleTrack AVURLAsset.findCompatibleTrack AVURLAsset.httpSessionIdentifier
        AVURLAsset.isPlayableExtendedMIMEType AVURLAsset.mayRequireContentKeysForMediaDataProcessing
        AVURLAsset.mediaExtensionProperties AVURLAsset.resourceLoader AVURLAsset.sidecarURL AVURLAsset.variants
        AVVideoCodecType.appleProRes422HQ AVVideoCodecType.appleProRes422LT AVVideoCodecType.appleProRes422Proxy
        AVVideoCodecType.appleProRes4444XQ AVVideoCodecType.appleProResRAW AVVideoCodecType.appleProResRAWHQ
        AVVideoCodecType.jpegxl CMAudioCodecType.kCMAudioCodecType_AAC_AudibleProtected
        CMAudioCodecType.kCMAudioCodecType_AAC_LCProtected CMSampleBuffer.InvalidateCallback
        CMTime.avCaptureExposureDurationCurrent PHAssetResource.UploadJob PHAssetResource.UploadJobAction
        PHAssetResource.UploadJobChangeRequest PHAssetResource.UploadJobState PHAssetResource.UploadJobType
        PHImageManager.requestPlayerItem PHPhotoLibrary.cloudIdentifierMappings PHPhotoLibrary.cloudIdentifiers
        PHPhotoLibrary.localIdentifierMappings PHPhotoLibrary.localIdentifiers
        """
}
