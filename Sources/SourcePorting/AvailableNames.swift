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
        AVAssetImageGeneratorCompletionHandler AVAssetReader AVAssetReaderOutput AVAssetReaderTrackOutput
        AVAssetSegmentReport AVAssetSegmentReportSampleInformation AVAssetSegmentTrackReport AVAssetSegmentType
        AVAssetTrack AVAssetTrackSegment AVAssetWriter AVAssetWriterDelegate AVAssetWriterInput
        AVAssetWriterInputMetadataAdaptor AVAssetWriterInputPassDescription AVAssetWriterInputPixelBufferAdaptor
        AVAsyncProperty AVAsynchronousKeyValueLoading AVAudioBitRateStrategy_Constant
        AVAudioBitRateStrategy_LongTermAverage AVAudioBitRateStrategy_Variable
        AVAudioBitRateStrategy_VariableConstrained AVAuthorizationStatus AVCameraCalibrationData AVCaptureAudioChannel
        AVCaptureAudioDataOutput AVCaptureAudioDataOutputSampleBufferDelegate AVCaptureAudioFileOutput
        AVCaptureColorSpace AVCaptureConnection AVCaptureDataOutputSynchronizer AVCaptureDataOutputSynchronizerDelegate
        AVCaptureDepthDataOutput AVCaptureDepthDataOutputDelegate AVCaptureDevice AVCaptureDeviceInput
        AVCaptureFileOutput AVCaptureFileOutputDelegate AVCaptureFileOutputRecordingDelegate AVCaptureInput
        AVCaptureMetadataOutput AVCaptureMetadataOutputObjectsDelegate AVCaptureMovieFileOutput
        AVCaptureMultiCamSession AVCaptureOutput AVCapturePhoto AVCapturePhotoCaptureDelegate AVCapturePhotoOutput
        AVCapturePhotoSettings AVCaptureResolvedPhotoSettings AVCaptureSession AVCaptureSessionErrorKey
        AVCaptureSessionInterruptionReasonKey AVCaptureSessionInterruptionSystemPressureStateKey
        AVCaptureSynchronizedData AVCaptureSynchronizedDataCollection AVCaptureSynchronizedDepthData
        AVCaptureSynchronizedMetadataObjectData AVCaptureSynchronizedSampleBufferData AVCaptureVideoDataOutput
        AVCaptureVideoDataOutputSampleBufferDelegate AVCaptureVideoOrientation AVCaptureVideoPreviewLayer
        AVCaptureVideoStabilizationMode AVChannelLayoutKey AVDepthData AVEncoderAudioQualityKey
        AVEncoderBitDepthHintKey AVEncoderBitRateKey AVEncoderBitRatePerChannelKey AVEncoderBitRateStrategyKey AVError
        AVErrorDeviceKey AVErrorFileSizeKey AVErrorRecordingSuccessfullyFinishedKey AVErrorTimeKey AVFileType
        AVFileTypeProfile AVFormatIDKey AVFoundationErrorDomain AVFrameRateRange AVKeyValueStatus AVLayerVideoGravity
        AVLinearPCMBitDepthKey AVLinearPCMIsBigEndianKey AVLinearPCMIsFloatKey AVLinearPCMIsNonInterleaved
        AVMediaCharacteristic AVMediaType AVMetadataExtraAttributeKey AVMetadataFaceObject AVMetadataFormat
        AVMetadataGroup AVMetadataIdentifier AVMetadataItem AVMetadataItemFilter AVMetadataKey AVMetadataKeySpace
        AVMetadataMachineReadableCodeObject AVMetadataObject AVMutableMetadataItem AVMutableTimedMetadataGroup
        AVNumberOfChannelsKey AVOutputSettingsAssistant AVOutputSettingsPreset AVPartialAsyncProperty
        AVQueuedSampleBufferRenderingStatus AVSampleBufferDisplayLayer AVSampleRateConverterAudioQualityKey
        AVSampleRateKey AVTimedMetadataGroup AVURLAsset AVURLAssetOverrideMIMETypeKey
        AVURLAssetPreferPreciseDurationAndTimingKey AVURLAssetReferenceRestrictionsKey AVVideoAllowFrameReorderingKey
        AVVideoAllowWideColorKey AVVideoAverageBitRateKey AVVideoAverageNonDroppableFrameRateKey
        AVVideoCleanApertureHeightKey AVVideoCleanApertureHorizontalOffsetKey AVVideoCleanApertureKey
        AVVideoCleanApertureVerticalOffsetKey AVVideoCleanApertureWidthKey AVVideoCodecKey AVVideoCodecType
        AVVideoColorPrimariesKey AVVideoColorPrimaries_EBU_3213 AVVideoColorPrimaries_ITU_R_2020
        AVVideoColorPrimaries_ITU_R_709_2 AVVideoColorPrimaries_P3_D65 AVVideoColorPrimaries_SMPTE_C
        AVVideoColorPropertiesKey AVVideoCompressionPropertiesKey AVVideoDecompressionPropertiesKey
        AVVideoEncoderSpecificationKey AVVideoExpectedSourceFrameRateKey AVVideoH264EntropyModeCABAC
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
        AVVideoYCbCrMatrix_ITU_R_709_2 AVVideoYCbCrMatrix_SMPTE_240M_1995 AVZoomRange AssetURLInitializable AudioBuffer
        AudioBufferList AudioChannelBitmap AudioChannelDescription AudioChannelFlags AudioChannelLabel
        AudioChannelLayout AudioChannelLayoutTag AudioChannelLayoutTag_GetNumberOfChannels AudioChunk AudioFormatFlags
        AudioFormatID AudioFormatListItem AudioStreamBasicDescription AudioStreamFormat AudioStreamPacketDescription
        Authorization AuthorizationState CACornerMask CACurrentMediaTime CALayer CALayerContentsGravity
        CALayerCornerCurve CATransform3D CATransform3DConcat CATransform3DEqualToTransform
        CATransform3DGetAffineTransform CATransform3DIdentity CATransform3DIsAffine CATransform3DIsIdentity
        CATransform3DMakeAffineTransform CATransform3DMakeRotation CATransform3DMakeScale CATransform3DMakeTranslation
        CATransform3DRotate CATransform3DScale CATransform3DTranslate CFAllocator CFArray CFBoolean CFData CFDictionary
        CFIndex CFNumber CFString CFTimeInterval CFTypeID CFTypeRef CFURL CGAffineTransform CGBitmapInfo CGColor
        CGDataProvider CGImage CGImageAlphaInfo CGImagePropertyOrientation CIContext CIContextOption CIImage CLLocation
        CLLocationAccuracy CLLocationCoordinate2D CLLocationCoordinate2DIsValid CLLocationCoordinate2DMake
        CLLocationDegrees CLLocationDirection CLLocationDistance CLLocationSpeed CMAttachmentBearer
        CMAttachmentBearerAttachments CMAttachmentBearerProtocol CMAttachmentMode CMAudioCodecType
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
        CameraCalibration CaptureClock CaptureSystem CapturedSamples ClockTimer ClockWorker ColorResponse ControlMode
        ControlRange ControlValue DepthConfiguration DepthFrame DepthStreamFormat DetectedFace DeviceChange
        DeviceCondition DeviceControl DeviceDescriptor DeviceError DeviceKind DeviceMedia DeviceOrientation
        DevicePosition DeviceStream DeviceTransport DispatchSerialQueue DroppedFrame FocusRange FourCharCode FrameDepth
        FrameDurationRange FrameSettings HardwareDevice HardwareHost HostClock InterruptionReason Interruptions
        KeyValueObserving LensDescriptor Misuse MisuseHandler NSKeyValueChange NSKeyValueObservation
        NSKeyValueObservedChange NSKeyValueObservingOptions OSStatus OSType ObservedProperties ObserverToken OpenDevice
        OrientationSensor PHAccessLevel PHAsset PHAssetChangeRequest PHAssetCollection PHAssetCollectionChangeRequest
        PHAssetCollectionSubtype PHAssetCollectionType PHAssetCreationRequest PHAssetMediaSubtype PHAssetMediaType
        PHAssetResource PHAssetResourceCreationOptions PHAssetResourceDataRequestID PHAssetResourceManager
        PHAssetResourceRequestOptions PHAssetResourceType PHAuthorizationStatus PHChange PHChangeRequest PHCollection
        PHFetchOptions PHFetchResult PHFetchResultChangeDetails PHImageCancelledKey PHImageContentMode PHImageErrorKey
        PHImageManager PHImageManagerMaximumSize PHImageRequestID PHImageRequestOptions
        PHImageRequestOptionsDeliveryMode PHImageRequestOptionsResizeMode PHImageRequestOptionsVersion
        PHImageResultIsDegradedKey PHImageResultIsInCloudKey PHImageResultRequestIDKey
        PHInvalidAssetResourceDataRequestID PHInvalidImageRequestID PHLocalIdentifiersErrorKey PHObject
        PHObjectChangeDetails PHObjectPlaceholder PHPhotoLibrary PHPhotoLibraryChangeObserver PHPhotosError
        PHPhotosErrorDomain PromptAnswer ProtectedResource SimClock StreamConfiguration StreamEvent StreamFormat
        StreamReceiver SystemPressure UIDevice UIDeviceOrientation UIImage UIInterfaceOrientation UTType
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
        kCLLocationCoordinate2DInvalid kCMAttachmentMode_ShouldNotPropagate kCMAttachmentMode_ShouldPropagate
        kCMBlockBufferAlwaysCopyDataFlag kCMBlockBufferAssureMemoryNowFlag kCMBlockBufferBadCustomBlockSourceErr
        kCMBlockBufferBadLengthParameterErr kCMBlockBufferBadOffsetParameterErr kCMBlockBufferBadPointerParameterErr
        kCMBlockBufferBlockAllocationFailedErr kCMBlockBufferCustomBlockSourceVersion
        kCMBlockBufferDontOptimizeDepthFlag kCMBlockBufferEmptyBBufErr kCMBlockBufferInsufficientSpaceErr
        kCMBlockBufferNoErr kCMBlockBufferPermitEmptyReferenceFlag kCMBlockBufferStructureAllocationFailedErr
        kCMBlockBufferUnallocatedBlockErr kCMFormatDescriptionAlphaChannelMode_PremultipliedAlpha
        kCMFormatDescriptionAlphaChannelMode_StraightAlpha kCMFormatDescriptionBridgeError_AllocationFailed
        kCMFormatDescriptionBridgeError_IncompatibleFormatDescription
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
        AVAsset.unusedTrackID AVAssetExportSession.allowsParallelizedExport AVAssetExportSession.audioMix
        AVAssetExportSession.audioTimePitchAlgorithm AVAssetExportSession.audioTrackGroupHandling
        AVAssetExportSession.canPerformMultiplePassesOverSourceMediaData AVAssetExportSession.customVideoCompositor
        AVAssetExportSession.determineCompatibility AVAssetExportSession.determineCompatibleFileTypes
        AVAssetExportSession.estimateMaximumDuration AVAssetExportSession.estimateOutputFileLength
        AVAssetExportSession.estimatedOutputFileLength AVAssetExportSession.fileLengthLimit
        AVAssetExportSession.maxDuration AVAssetExportSession.videoComposition AVAssetImageGenerator.DynamicRangePolicy
        AVAssetImageGenerator.assetImageGenerator AVAssetImageGenerator.dynamicRangePolicy AVAssetReader.AudioMixOutput
        AVAssetReader.CaptionValidationHandling AVAssetReader.SampleReferenceOutput
        AVAssetReader.VideoCompositionOutput AVAssetReader.assetReader AVAssetReaderOutput.CaptionAdaptor
        AVAssetReaderOutput.MetadataAdaptor AVAssetReaderTrackOutput.assetReaderTrackOutput AVAssetTrack.Group
        AVAssetTrack.GroupOutputHandling AVAssetTrack.canProvideSampleCursors AVAssetTrack.makeSampleCursor
        AVAssetTrack.makeSampleCursorAtFirstSampleInDecodeOrder AVAssetTrack.makeSampleCursorAtLastSampleInDecodeOrder
        AVAssetWriter.inputGroups AVAssetWriterInput.MediaDataLocation AVAssetWriterInput.TaggedPixelBufferGroupAdaptor
        AVAssetWriterInput.addTrackAssociation AVAssetWriterInput.canAddTrackAssociation
        AVAssetWriterInput.mediaDataLocation AVAssetWriterInput.sampleReferenceBaseURL
        AVAssetWriterInputMetadataAdaptor.assetWriterInputMetadataAdaptor
        AVAssetWriterInputPixelBufferAdaptor.assetWriterInputPixelBufferAdaptor
        AVCaptureAudioDataOutput.spatialAudioChannelLayoutTag AVCaptureConnection.isVideoFieldModeSupported
        AVCaptureConnection.isVideoMaxFrameDurationSupported AVCaptureConnection.videoFieldMode
        AVCaptureConnection.videoMaxFrameDuration AVCaptureDevice.DeviceType.builtInDuoCamera
        AVCaptureDevice.DeviceType.deskViewCamera AVCaptureDevice.DiscoverySession.discoverySession
        AVCaptureDevice.Format.defaultSimulatedAperture
        AVCaptureDevice.Format.geometricDistortionCorrectedVideoFieldOfView
        AVCaptureDevice.Format.isAutoVideoFrameRateSupported AVCaptureDevice.Format.isBackgroundReplacementSupported
        AVCaptureDevice.Format.isCameraLensSmudgeDetectionSupported AVCaptureDevice.Format.isCenterStageSupported
        AVCaptureDevice.Format.isCinematicVideoCaptureSupported AVCaptureDevice.Format.isEdgeLightSupported
        AVCaptureDevice.Format.isHighPhotoQualitySupported AVCaptureDevice.Format.isPortraitEffectSupported
        AVCaptureDevice.Format.isPortraitEffectsMatteStillImageDeliverySupported
        AVCaptureDevice.Format.isSmartFramingSupported AVCaptureDevice.Format.isStudioLightSupported
        AVCaptureDevice.Format.maxSimulatedAperture AVCaptureDevice.Format.minSimulatedAperture
        AVCaptureDevice.Format.reactionEffectsSupported AVCaptureDevice.Format.secondaryNativeResolutionZoomFactors
        AVCaptureDevice.Format.supportedDynamicAspectRatios
        AVCaptureDevice.Format.supportedVideoZoomFactorsForDepthDataDelivery
        AVCaptureDevice.Format.systemRecommendedExposureBiasRange
        AVCaptureDevice.Format.systemRecommendedVideoZoomRange AVCaptureDevice.Format.unsupportedCaptureOutputClasses
        AVCaptureDevice.Format.videoField AVCaptureDevice.Format.videoFrameRateRangeForBackgroundReplacement
        AVCaptureDevice.Format.videoFrameRateRangeForCenterStage
        AVCaptureDevice.Format.videoFrameRateRangeForCinematicVideo
        AVCaptureDevice.Format.videoFrameRateRangeForPortraitEffect
        AVCaptureDevice.Format.videoFrameRateRangeForReactionEffectsInProgress
        AVCaptureDevice.Format.videoFrameRateRangeForStudioLight
        AVCaptureDevice.Format.videoMaxZoomFactorForCenterStage
        AVCaptureDevice.Format.videoMaxZoomFactorForCinematicVideo
        AVCaptureDevice.Format.videoMinZoomFactorForCenterStage
        AVCaptureDevice.Format.videoMinZoomFactorForCinematicVideo AVCaptureDevice.ISO
        AVCaptureDevice.TransportControlsPlaybackMode AVCaptureDevice.TransportControlsSpeed
        AVCaptureDevice.WhiteBalanceTemperatureAndTintValues.cloudy
        AVCaptureDevice.WhiteBalanceTemperatureAndTintValues.daylight
        AVCaptureDevice.WhiteBalanceTemperatureAndTintValues.fluorescent
        AVCaptureDevice.WhiteBalanceTemperatureAndTintValues.shadow
        AVCaptureDevice.WhiteBalanceTemperatureAndTintValues.tungsten AVCaptureDevice.activeInputSource
        AVCaptureDevice.activeMicrophoneMode AVCaptureDevice.activePrimaryConstituentDevice
        AVCaptureDevice.availableReactionTypes AVCaptureDevice.cameraLensSmudgeDetectionInterval
        AVCaptureDevice.cameraLensSmudgeDetectionStatus AVCaptureDevice.canPerformReactionEffects
        AVCaptureDevice.centerStageControlMode AVCaptureDevice.centerStageRectOfInterest
        AVCaptureDevice.cinematicVideoCaptureSceneMonitoringStatuses AVCaptureDevice.companionDeskViewCamera
        AVCaptureDevice.dynamicAspectRatio AVCaptureDevice.dynamicDimensions AVCaptureDevice.exposureRectOfInterest
        AVCaptureDevice.focusRectOfInterest AVCaptureDevice.grayWorldDeviceWhiteBalanceGains
        AVCaptureDevice.inputSources AVCaptureDevice.isAutoVideoFrameRateEnabled
        AVCaptureDevice.isBackgroundReplacementActive AVCaptureDevice.isBackgroundReplacementEnabled
        AVCaptureDevice.isCameraLensSmudgeDetectionEnabled AVCaptureDevice.isCenterStageActive
        AVCaptureDevice.isCenterStageEnabled AVCaptureDevice.isCenterStageRectOfInterestSupported
        AVCaptureDevice.isEdgeLightActive AVCaptureDevice.isEdgeLightEnabled
        AVCaptureDevice.isExposureRectOfInterestSupported AVCaptureDevice.isFocusRectOfInterestSupported
        AVCaptureDevice.isFollowingExternalSyncDevice AVCaptureDevice.isPortraitEffectActive
        AVCaptureDevice.isPortraitEffectEnabled AVCaptureDevice.isStudioLightActive
        AVCaptureDevice.isStudioLightEnabled AVCaptureDevice.isVideoFrameDurationLocked
        AVCaptureDevice.minExposureRectOfInterestSize AVCaptureDevice.minFocusRectOfInterestSize
        AVCaptureDevice.minSupportedExternalSyncFrameDuration AVCaptureDevice.minSupportedLockedVideoFrameDuration
        AVCaptureDevice.performEffect AVCaptureDevice.preferredMicrophoneMode
        AVCaptureDevice.reactionEffectGesturesEnabled AVCaptureDevice.reactionEffectsEnabled
        AVCaptureDevice.reactionEffectsInProgress AVCaptureDevice.setCameraLensSmudgeDetectionEnabled
        AVCaptureDevice.setCinematicVideoFixedFocus AVCaptureDevice.setCinematicVideoTrackingFocus
        AVCaptureDevice.setDynamicAspectRatio AVCaptureDevice.setTransportControlsPlaybackMode
        AVCaptureDevice.showSystemUserInterface AVCaptureDevice.smartFramingMonitor
        AVCaptureDevice.spatialCaptureDiscomfortReasons AVCaptureDevice.supportsAVCaptureSessionPreset
        AVCaptureDevice.transportControlsPlaybackMode AVCaptureDevice.transportControlsSpeed
        AVCaptureDevice.transportControlsSupported AVCaptureDeviceInput.Source
        AVCaptureDeviceInput.activeExternalSyncVideoFrameDuration AVCaptureDeviceInput.activeLockedVideoFrameDuration
        AVCaptureDeviceInput.deviceInput AVCaptureDeviceInput.externalSyncDevice
        AVCaptureDeviceInput.followExternalSyncDevice AVCaptureDeviceInput.isAudioZoomEnabled
        AVCaptureDeviceInput.isAudioZoomSupported AVCaptureDeviceInput.isCinematicVideoCaptureEnabled
        AVCaptureDeviceInput.isExternalSyncSupported AVCaptureDeviceInput.isLockedVideoFrameDurationSupported
        AVCaptureDeviceInput.isMultichannelAudioModeSupported AVCaptureDeviceInput.isWindNoiseRemovalEnabled
        AVCaptureDeviceInput.isWindNoiseRemovalSupported AVCaptureDeviceInput.multichannelAudioMode
        AVCaptureDeviceInput.simulatedAperture AVCaptureDeviceInput.unfollowExternalSyncDevice
        AVCaptureFileOutputDelegate.captureOutputShouldProvideSampleAccurateRecordingStart
        AVCaptureMetadataOutput.requiredMetadataObjectTypesForCinematicVideoCapture
        AVCaptureMovieFileOutput.isPrimaryConstituentDeviceSwitchingBehaviorForRecordingEnabled
        AVCaptureMovieFileOutput.primaryConstituentDeviceRestrictedSwitchingBehaviorConditionsForRecording
        AVCaptureMovieFileOutput.primaryConstituentDeviceSwitchingBehaviorForRecording
        AVCaptureOutput.isDeferredStartEnabled AVCaptureOutput.isDeferredStartSupported
        AVCaptureOutput.metadataOutputRect AVCaptureOutput.rect AVCapturePhoto.BracketSettings
        AVCapturePhoto.CGImageRepresentation AVCapturePhoto.FileDataRepresentationCustomizer
        AVCapturePhoto.bracketSettings AVCapturePhoto.constantColorCenterWeightedMeanConfidenceLevel
        AVCapturePhoto.constantColorConfidenceMap AVCapturePhoto.isConstantColorFallbackPhoto
        AVCapturePhoto.lensStabilizationStatus AVCapturePhoto.portraitEffectsMatte
        AVCapturePhoto.previewCGImageRepresentation AVCapturePhoto.previewPixelBuffer
        AVCapturePhoto.semanticSegmentationMatte AVCapturePhoto.sequenceCount AVCapturePhotoOutput.CaptureReadiness
        AVCapturePhotoOutput.DNGPhotoDataRepresentationForRawSampleBuffer
        AVCapturePhotoOutput.JPEGPhotoDataRepresentationForJPEGSampleBuffer AVCapturePhotoOutput.ReadinessCoordinator
        AVCapturePhotoOutput.ReadinessCoordinatorDelegate AVCapturePhotoOutput.availableLivePhotoVideoCodecTypes
        AVCapturePhotoOutput.availableRawPhotoCodecTypes AVCapturePhotoOutput.availableRawPhotoFileTypes
        AVCapturePhotoOutput.availableRawPhotoPixelFormatTypes
        AVCapturePhotoOutput.availableSemanticSegmentationMatteTypes AVCapturePhotoOutput.captureReadiness
        AVCapturePhotoOutput.enabledSemanticSegmentationMatteTypes AVCapturePhotoOutput.isAppleProRAWEnabled
        AVCapturePhotoOutput.isAppleProRAWPixelFormat AVCapturePhotoOutput.isAppleProRAWSupported
        AVCapturePhotoOutput.isAutoDeferredPhotoDeliveryEnabled
        AVCapturePhotoOutput.isAutoDeferredPhotoDeliverySupported AVCapturePhotoOutput.isAutoRedEyeReductionSupported
        AVCapturePhotoOutput.isBayerRAWPixelFormat AVCapturePhotoOutput.isCameraCalibrationDataDeliverySupported
        AVCapturePhotoOutput.isCameraSensorOrientationCompensationEnabled
        AVCapturePhotoOutput.isCameraSensorOrientationCompensationSupported AVCapturePhotoOutput.isConstantColorEnabled
        AVCapturePhotoOutput.isConstantColorSupported AVCapturePhotoOutput.isContentAwareDistortionCorrectionEnabled
        AVCapturePhotoOutput.isContentAwareDistortionCorrectionSupported
        AVCapturePhotoOutput.isDualCameraDualPhotoDeliveryEnabled
        AVCapturePhotoOutput.isDualCameraDualPhotoDeliverySupported AVCapturePhotoOutput.isDualCameraFusionSupported
        AVCapturePhotoOutput.isFastCapturePrioritizationEnabled
        AVCapturePhotoOutput.isFastCapturePrioritizationSupported
        AVCapturePhotoOutput.isLensStabilizationDuringBracketedCaptureSupported
        AVCapturePhotoOutput.isLivePhotoAutoTrimmingEnabled AVCapturePhotoOutput.isLivePhotoCaptureEnabled
        AVCapturePhotoOutput.isLivePhotoCaptureSupported AVCapturePhotoOutput.isLivePhotoCaptureSuspended
        AVCapturePhotoOutput.isPortraitEffectsMatteDeliveryEnabled
        AVCapturePhotoOutput.isPortraitEffectsMatteDeliverySupported AVCapturePhotoOutput.isResponsiveCaptureEnabled
        AVCapturePhotoOutput.isResponsiveCaptureSupported AVCapturePhotoOutput.isShutterSoundSuppressionSupported
        AVCapturePhotoOutput.isStillImageStabilizationScene AVCapturePhotoOutput.isStillImageStabilizationSupported
        AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliveryEnabled
        AVCapturePhotoOutput.isVirtualDeviceConstituentPhotoDeliverySupported
        AVCapturePhotoOutput.isVirtualDeviceFusionSupported AVCapturePhotoOutput.isZeroShutterLagEnabled
        AVCapturePhotoOutput.isZeroShutterLagSupported AVCapturePhotoOutput.maxBracketedCapturePhotoCount
        AVCapturePhotoOutput.preservesLivePhotoCaptureSuspendedOnSessionStop
        AVCapturePhotoOutput.supportedPhotoCodecTypes AVCapturePhotoOutput.supportedPhotoPixelFormatTypes
        AVCapturePhotoOutput.supportedRawPhotoCodecTypes AVCapturePhotoOutput.supportedRawPhotoPixelFormatTypes
        AVCapturePhotoSettings.availableEmbeddedThumbnailPhotoCodecTypes
        AVCapturePhotoSettings.availablePreviewPhotoPixelFormatTypes
        AVCapturePhotoSettings.availableRawEmbeddedThumbnailPhotoCodecTypes
        AVCapturePhotoSettings.embeddedThumbnailPhotoFormat AVCapturePhotoSettings.embedsPortraitEffectsMatteInPhoto
        AVCapturePhotoSettings.embedsSemanticSegmentationMattesInPhoto
        AVCapturePhotoSettings.isAutoContentAwareDistortionCorrectionEnabled
        AVCapturePhotoSettings.isAutoDualCameraFusionEnabled
        AVCapturePhotoSettings.isAutoStillImageStabilizationEnabled
        AVCapturePhotoSettings.isAutoVirtualDeviceFusionEnabled
        AVCapturePhotoSettings.isCameraCalibrationDataDeliveryEnabled
        AVCapturePhotoSettings.isConstantColorFallbackPhotoDeliveryEnabled
        AVCapturePhotoSettings.isShutterSoundSuppressionEnabled AVCapturePhotoSettings.livePhotoMovieFileURL
        AVCapturePhotoSettings.livePhotoMovieMetadata AVCapturePhotoSettings.livePhotoVideoCodecType
        AVCapturePhotoSettings.photoSettings AVCapturePhotoSettings.processedFileType
        AVCapturePhotoSettings.rawEmbeddedThumbnailPhotoFormat AVCapturePhotoSettings.rawFileFormat
        AVCapturePhotoSettings.rawFileType AVCapturePhotoSettings.rawPhotoPixelFormatType
        AVCapturePhotoSettings.virtualDeviceConstituentPhotoDeliveryEnabledDevices
        AVCaptureResolvedPhotoSettings.deferredPhotoProxyDimensions
        AVCaptureResolvedPhotoSettings.embeddedThumbnailDimensions
        AVCaptureResolvedPhotoSettings.isDualCameraFusionEnabled
        AVCaptureResolvedPhotoSettings.isRedEyeReductionEnabled
        AVCaptureResolvedPhotoSettings.isStillImageStabilizationEnabled
        AVCaptureResolvedPhotoSettings.isVirtualDeviceFusionEnabled
        AVCaptureResolvedPhotoSettings.livePhotoMovieDimensions AVCaptureResolvedPhotoSettings.photoProcessingTimeRange
        AVCaptureResolvedPhotoSettings.portraitEffectsMatteDimensions AVCaptureResolvedPhotoSettings.previewDimensions
        AVCaptureResolvedPhotoSettings.rawEmbeddedThumbnailDimensions AVCaptureResolvedPhotoSettings.rawPhotoDimensions
        AVCaptureSession.ControlsDelegate AVCaptureSession.DeferredStartDelegate AVCaptureSession.Preset.1280x720
        AVCaptureSession.Preset.1920x1080 AVCaptureSession.Preset.320x240 AVCaptureSession.Preset.352x288
        AVCaptureSession.Preset.3840x2160 AVCaptureSession.Preset.640x480 AVCaptureSession.Preset.960x540
        AVCaptureSession.addControl AVCaptureSession.automaticallyRunsDeferredStart AVCaptureSession.canAddControl
        AVCaptureSession.configuresApplicationAudioSessionForBluetoothHighQualityRecording
        AVCaptureSession.controlsDelegate AVCaptureSession.controlsDelegateCallbackQueue
        AVCaptureSession.deferredStartDelegate AVCaptureSession.deferredStartDelegateCallbackQueue
        AVCaptureSession.isManualDeferredStartSupported AVCaptureSession.maxControlsCount
        AVCaptureSession.removeControl AVCaptureSession.runDeferredStartWhenNeeded AVCaptureSession.setControlsDelegate
        AVCaptureSession.setDeferredStartDelegate AVCaptureSession.supportsControls
        AVCaptureVideoDataOutput.availableVideoCVPixelFormatTypes
        AVCaptureVideoDataOutput.preparesCellularRadioForNetworkConnection
        AVCaptureVideoDataOutput.preservesDynamicHDRMetadata AVCaptureVideoDataOutput.recommendedMovieMetadata
        AVCaptureVideoPreviewLayer.captureDevicePoint AVCaptureVideoPreviewLayer.layer AVFileType.3GPP AVFileType.3GPP2
        AVFileType.ac3 AVFileType.ahap AVFileType.aifc AVFileType.aiff AVFileType.amr AVFileType.appleiTT
        AVFileType.avci AVFileType.coreAudioFormat AVFileType.dicom AVFileType.enhancedAC3 AVFileType.mpeg4
        AVFileType.quickTimeAudio AVFileType.scc AVFileType.sunAU AVFileType.tiff AVFileType.wave
        AVMediaType.auxiliaryPicture AVMediaType.haptic AVMetadataExtraAttributeKey.avMetadataExtraAttributeBaseURIKey
        AVMetadataExtraAttributeKey.avMetadataExtraAttributeInfoKey
        AVMetadataExtraAttributeKey.avMetadataExtraAttributeValueURIKey AVMetadataIdentifier.icyMetadataStreamTitle
        AVMetadataIdentifier.icyMetadataStreamURL AVMetadataIdentifier.id3MetadataAlbumSortOrder
        AVMetadataIdentifier.id3MetadataAlbumTitle AVMetadataIdentifier.id3MetadataAttachedPicture
        AVMetadataIdentifier.id3MetadataAudioEncryption AVMetadataIdentifier.id3MetadataAudioSeekPointIndex
        AVMetadataIdentifier.id3MetadataBand AVMetadataIdentifier.id3MetadataBeatsPerMinute
        AVMetadataIdentifier.id3MetadataComments AVMetadataIdentifier.id3MetadataCommercial
        AVMetadataIdentifier.id3MetadataCommercialInformation AVMetadataIdentifier.id3MetadataCommerical
        AVMetadataIdentifier.id3MetadataComposer AVMetadataIdentifier.id3MetadataConductor
        AVMetadataIdentifier.id3MetadataContentGroupDescription AVMetadataIdentifier.id3MetadataContentType
        AVMetadataIdentifier.id3MetadataCopyright AVMetadataIdentifier.id3MetadataCopyrightInformation
        AVMetadataIdentifier.id3MetadataDate AVMetadataIdentifier.id3MetadataEncodedBy
        AVMetadataIdentifier.id3MetadataEncodedWith AVMetadataIdentifier.id3MetadataEncodingTime
        AVMetadataIdentifier.id3MetadataEncryption AVMetadataIdentifier.id3MetadataEqualization
        AVMetadataIdentifier.id3MetadataEqualization2 AVMetadataIdentifier.id3MetadataEventTimingCodes
        AVMetadataIdentifier.id3MetadataFileOwner AVMetadataIdentifier.id3MetadataFileType
        AVMetadataIdentifier.id3MetadataGeneralEncapsulatedObject AVMetadataIdentifier.id3MetadataGroupIdentifier
        AVMetadataIdentifier.id3MetadataInitialKey AVMetadataIdentifier.id3MetadataInternationalStandardRecordingCode
        AVMetadataIdentifier.id3MetadataInternetRadioStationName
        AVMetadataIdentifier.id3MetadataInternetRadioStationOwner
        AVMetadataIdentifier.id3MetadataInvolvedPeopleList_v23 AVMetadataIdentifier.id3MetadataInvolvedPeopleList_v24
        AVMetadataIdentifier.id3MetadataLanguage AVMetadataIdentifier.id3MetadataLeadPerformer
        AVMetadataIdentifier.id3MetadataLength AVMetadataIdentifier.id3MetadataLink
        AVMetadataIdentifier.id3MetadataLyricist AVMetadataIdentifier.id3MetadataMPEGLocationLookupTable
        AVMetadataIdentifier.id3MetadataMediaType AVMetadataIdentifier.id3MetadataModifiedBy
        AVMetadataIdentifier.id3MetadataMood AVMetadataIdentifier.id3MetadataMusicCDIdentifier
        AVMetadataIdentifier.id3MetadataMusicianCreditsList AVMetadataIdentifier.id3MetadataOfficialArtistWebpage
        AVMetadataIdentifier.id3MetadataOfficialAudioFileWebpage
        AVMetadataIdentifier.id3MetadataOfficialAudioSourceWebpage
        AVMetadataIdentifier.id3MetadataOfficialInternetRadioStationHomepage
        AVMetadataIdentifier.id3MetadataOfficialPublisherWebpage AVMetadataIdentifier.id3MetadataOriginalAlbumTitle
        AVMetadataIdentifier.id3MetadataOriginalArtist AVMetadataIdentifier.id3MetadataOriginalFilename
        AVMetadataIdentifier.id3MetadataOriginalLyricist AVMetadataIdentifier.id3MetadataOriginalReleaseTime
        AVMetadataIdentifier.id3MetadataOriginalReleaseYear AVMetadataIdentifier.id3MetadataOwnership
        AVMetadataIdentifier.id3MetadataPartOfASet AVMetadataIdentifier.id3MetadataPayment
        AVMetadataIdentifier.id3MetadataPerformerSortOrder AVMetadataIdentifier.id3MetadataPlayCounter
        AVMetadataIdentifier.id3MetadataPlaylistDelay AVMetadataIdentifier.id3MetadataPopularimeter
        AVMetadataIdentifier.id3MetadataPositionSynchronization AVMetadataIdentifier.id3MetadataPrivate
        AVMetadataIdentifier.id3MetadataProducedNotice AVMetadataIdentifier.id3MetadataPublisher
        AVMetadataIdentifier.id3MetadataRecommendedBufferSize AVMetadataIdentifier.id3MetadataRecordingDates
        AVMetadataIdentifier.id3MetadataRecordingTime AVMetadataIdentifier.id3MetadataRelativeVolumeAdjustment
        AVMetadataIdentifier.id3MetadataRelativeVolumeAdjustment2 AVMetadataIdentifier.id3MetadataReleaseTime
        AVMetadataIdentifier.id3MetadataReverb AVMetadataIdentifier.id3MetadataSeek
        AVMetadataIdentifier.id3MetadataSetSubtitle AVMetadataIdentifier.id3MetadataSignature
        AVMetadataIdentifier.id3MetadataSize AVMetadataIdentifier.id3MetadataSubTitle
        AVMetadataIdentifier.id3MetadataSynchronizedLyric AVMetadataIdentifier.id3MetadataSynchronizedTempoCodes
        AVMetadataIdentifier.id3MetadataTaggingTime AVMetadataIdentifier.id3MetadataTermsOfUse
        AVMetadataIdentifier.id3MetadataTime AVMetadataIdentifier.id3MetadataTitleDescription
        AVMetadataIdentifier.id3MetadataTitleSortOrder AVMetadataIdentifier.id3MetadataTrackNumber
        AVMetadataIdentifier.id3MetadataUniqueFileIdentifier AVMetadataIdentifier.id3MetadataUnsynchronizedLyric
        AVMetadataIdentifier.id3MetadataUserText AVMetadataIdentifier.id3MetadataUserURL
        AVMetadataIdentifier.id3MetadataYear AVMetadataIdentifier.quickTimeMetadataAIMEData
        AVMetadataIdentifier.quickTimeMetadataCameraISOSensitivity
        AVMetadataIdentifier.quickTimeMetadataCameraLensIrisFNumber
        AVMetadataIdentifier.quickTimeMetadataCameraShutterSpeedAngle
        AVMetadataIdentifier.quickTimeMetadataCameraShutterSpeedTime
        AVMetadataIdentifier.quickTimeMetadataCameraWhiteBalance
        AVMetadataIdentifier.quickTimeMetadataPresentationImmersiveMedia
        AVMetadataIdentifier.quickTimeMetadataWhiteBalanceByCCTColorMatrices
        AVMetadataIdentifier.quickTimeMetadataWhiteBalanceByCCTWhiteBalanceFactors AVMetadataItem.ValueRequest
        AVMetadataItemFilter.metadataItemFilterForSharing AVMetadataKey.avMetadataID3MetadataKeyAlbumSortOrder
        AVMetadataKey.avMetadataID3MetadataKeyAlbumTitle AVMetadataKey.avMetadataID3MetadataKeyAttachedPicture
        AVMetadataKey.avMetadataID3MetadataKeyAudioEncryption AVMetadataKey.avMetadataID3MetadataKeyAudioSeekPointIndex
        AVMetadataKey.avMetadataID3MetadataKeyBand AVMetadataKey.avMetadataID3MetadataKeyBeatsPerMinute
        AVMetadataKey.avMetadataID3MetadataKeyComments AVMetadataKey.avMetadataID3MetadataKeyCommercial
        AVMetadataKey.avMetadataID3MetadataKeyCommercialInformation AVMetadataKey.avMetadataID3MetadataKeyCommerical
        AVMetadataKey.avMetadataID3MetadataKeyComposer AVMetadataKey.avMetadataID3MetadataKeyConductor
        AVMetadataKey.avMetadataID3MetadataKeyContentGroupDescription AVMetadataKey.avMetadataID3MetadataKeyContentType
        AVMetadataKey.avMetadataID3MetadataKeyCopyright AVMetadataKey.avMetadataID3MetadataKeyCopyrightInformation
        AVMetadataKey.avMetadataID3MetadataKeyDate AVMetadataKey.avMetadataID3MetadataKeyEncodedBy
        AVMetadataKey.avMetadataID3MetadataKeyEncodedWith AVMetadataKey.avMetadataID3MetadataKeyEncodingTime
        AVMetadataKey.avMetadataID3MetadataKeyEncryption AVMetadataKey.avMetadataID3MetadataKeyEqualization
        AVMetadataKey.avMetadataID3MetadataKeyEqualization2 AVMetadataKey.avMetadataID3MetadataKeyEventTimingCodes
        AVMetadataKey.avMetadataID3MetadataKeyFileOwner AVMetadataKey.avMetadataID3MetadataKeyFileType
        AVMetadataKey.avMetadataID3MetadataKeyGeneralEncapsulatedObject
        AVMetadataKey.avMetadataID3MetadataKeyGroupIdentifier AVMetadataKey.avMetadataID3MetadataKeyInitialKey
        AVMetadataKey.avMetadataID3MetadataKeyInternationalStandardRecordingCode
        AVMetadataKey.avMetadataID3MetadataKeyInternetRadioStationName
        AVMetadataKey.avMetadataID3MetadataKeyInternetRadioStationOwner
        AVMetadataKey.avMetadataID3MetadataKeyInvolvedPeopleList_v23
        AVMetadataKey.avMetadataID3MetadataKeyInvolvedPeopleList_v24 AVMetadataKey.avMetadataID3MetadataKeyLanguage
        AVMetadataKey.avMetadataID3MetadataKeyLeadPerformer AVMetadataKey.avMetadataID3MetadataKeyLength
        AVMetadataKey.avMetadataID3MetadataKeyLink AVMetadataKey.avMetadataID3MetadataKeyLyricist
        AVMetadataKey.avMetadataID3MetadataKeyMPEGLocationLookupTable AVMetadataKey.avMetadataID3MetadataKeyMediaType
        AVMetadataKey.avMetadataID3MetadataKeyModifiedBy AVMetadataKey.avMetadataID3MetadataKeyMood
        AVMetadataKey.avMetadataID3MetadataKeyMusicCDIdentifier
        AVMetadataKey.avMetadataID3MetadataKeyMusicianCreditsList
        AVMetadataKey.avMetadataID3MetadataKeyOfficialArtistWebpage
        AVMetadataKey.avMetadataID3MetadataKeyOfficialAudioFileWebpage
        AVMetadataKey.avMetadataID3MetadataKeyOfficialAudioSourceWebpage
        AVMetadataKey.avMetadataID3MetadataKeyOfficialInternetRadioStationHomepage
        AVMetadataKey.avMetadataID3MetadataKeyOfficialPublisherWebpage
        AVMetadataKey.avMetadataID3MetadataKeyOriginalAlbumTitle AVMetadataKey.avMetadataID3MetadataKeyOriginalArtist
        AVMetadataKey.avMetadataID3MetadataKeyOriginalFilename AVMetadataKey.avMetadataID3MetadataKeyOriginalLyricist
        AVMetadataKey.avMetadataID3MetadataKeyOriginalReleaseTime
        AVMetadataKey.avMetadataID3MetadataKeyOriginalReleaseYear AVMetadataKey.avMetadataID3MetadataKeyOwnership
        AVMetadataKey.avMetadataID3MetadataKeyPartOfASet AVMetadataKey.avMetadataID3MetadataKeyPayment
        AVMetadataKey.avMetadataID3MetadataKeyPerformerSortOrder AVMetadataKey.avMetadataID3MetadataKeyPlayCounter
        AVMetadataKey.avMetadataID3MetadataKeyPlaylistDelay AVMetadataKey.avMetadataID3MetadataKeyPopularimeter
        AVMetadataKey.avMetadataID3MetadataKeyPositionSynchronization AVMetadataKey.avMetadataID3MetadataKeyPrivate
        AVMetadataKey.avMetadataID3MetadataKeyProducedNotice AVMetadataKey.avMetadataID3MetadataKeyPublisher
        AVMetadataKey.avMetadataID3MetadataKeyRecommendedBufferSize
        AVMetadataKey.avMetadataID3MetadataKeyRecordingDates AVMetadataKey.avMetadataID3MetadataKeyRecordingTime
        AVMetadataKey.avMetadataID3MetadataKeyRelativeVolumeAdjustment
        AVMetadataKey.avMetadataID3MetadataKeyRelativeVolumeAdjustment2
        AVMetadataKey.avMetadataID3MetadataKeyReleaseTime AVMetadataKey.avMetadataID3MetadataKeyReverb
        AVMetadataKey.avMetadataID3MetadataKeySeek AVMetadataKey.avMetadataID3MetadataKeySetSubtitle
        AVMetadataKey.avMetadataID3MetadataKeySignature AVMetadataKey.avMetadataID3MetadataKeySize
        AVMetadataKey.avMetadataID3MetadataKeySubTitle AVMetadataKey.avMetadataID3MetadataKeySynchronizedLyric
        AVMetadataKey.avMetadataID3MetadataKeySynchronizedTempoCodes AVMetadataKey.avMetadataID3MetadataKeyTaggingTime
        AVMetadataKey.avMetadataID3MetadataKeyTermsOfUse AVMetadataKey.avMetadataID3MetadataKeyTime
        AVMetadataKey.avMetadataID3MetadataKeyTitleDescription AVMetadataKey.avMetadataID3MetadataKeyTitleSortOrder
        AVMetadataKey.avMetadataID3MetadataKeyTrackNumber AVMetadataKey.avMetadataID3MetadataKeyUniqueFileIdentifier
        AVMetadataKey.avMetadataID3MetadataKeyUnsynchronizedLyric AVMetadataKey.avMetadataID3MetadataKeyUserText
        AVMetadataKey.avMetadataID3MetadataKeyUserURL AVMetadataKey.avMetadataID3MetadataKeyYear
        AVMetadataKey.avMetadataIcyMetadataKeyStreamTitle AVMetadataKey.avMetadataIcyMetadataKeyStreamURL
        AVMetadataKey.avMetadataQuickTimeMetadataKeyCameraISOSensitivity
        AVMetadataKey.avMetadataQuickTimeMetadataKeyCameraLensIrisFNumber
        AVMetadataKey.avMetadataQuickTimeMetadataKeyCameraShutterSpeedAngle
        AVMetadataKey.avMetadataQuickTimeMetadataKeyCameraShutterSpeedTime
        AVMetadataKey.avMetadataQuickTimeMetadataKeyCameraWhiteBalance
        AVMetadataKey.avMetadataQuickTimeMetadataKeyWhiteBalanceByCCTColorMatrices
        AVMetadataKey.avMetadataQuickTimeMetadataKeyWhiteBalanceByCCTWhiteBalanceFactors
        AVMetadataObject.ObjectType.aztecCode AVMetadataObject.ObjectType.catHead
        AVMetadataObject.ObjectType.codabarCode AVMetadataObject.ObjectType.code128Code
        AVMetadataObject.ObjectType.code39Code AVMetadataObject.ObjectType.code39Mod43Code
        AVMetadataObject.ObjectType.code93Code AVMetadataObject.ObjectType.dataMatrixCode
        AVMetadataObject.ObjectType.dogHead AVMetadataObject.ObjectType.ean13Code AVMetadataObject.ObjectType.ean8Code
        AVMetadataObject.ObjectType.gs1DataBarCode AVMetadataObject.ObjectType.gs1DataBarExpandedCode
        AVMetadataObject.ObjectType.gs1DataBarLimitedCode AVMetadataObject.ObjectType.humanFullBody
        AVMetadataObject.ObjectType.interleaved2of5Code AVMetadataObject.ObjectType.itf14Code
        AVMetadataObject.ObjectType.microPDF417Code AVMetadataObject.ObjectType.microQRCode
        AVMetadataObject.ObjectType.pdf417Code AVMetadataObject.ObjectType.qrCode AVMetadataObject.ObjectType.upceCode
        AVMetadataObject.cinematicVideoFocusMode AVMetadataObject.groupID AVMetadataObject.isFixedFocus
        AVMetadataObject.objectID AVMutableMetadataItem.metadataItem AVURLAsset.URL AVURLAsset.URLAssetWithURL
        AVURLAsset.assetCache AVURLAsset.audiovisualContentTypes AVURLAsset.audiovisualMIMETypes
        AVURLAsset.compatibleTrack AVURLAsset.findCompatibleTrack AVURLAsset.httpSessionIdentifier
        AVURLAsset.isPlayableExtendedMIMEType AVURLAsset.mayRequireContentKeysForMediaDataProcessing
        AVURLAsset.mediaExtensionProperties AVURLAsset.resourceLoader AVURLAsset.sidecarURL AVURLAsset.variants
        AVVideoCodecType.appleProRes422HQ AVVideoCodecType.appleProRes422LT AVVideoCodecType.appleProRes422Proxy
        AVVideoCodecType.appleProRes4444XQ AVVideoCodecType.appleProResRAW AVVideoCodecType.appleProResRAWHQ
        AVVideoCodecType.jpegxl CMAudioCodecType.kCMAudioCodecType_AAC_AudibleProtected
        CMAudioCodecType.kCMAudioCodecType_AAC_LCProtected CMSampleBuffer.InvalidateCallback
        CMTime.avCaptureExposureDurationCurrent PHAsset.adjustmentFormatIdentifier PHAsset.burstIdentifier
        PHAsset.burstSelectionTypes PHAsset.canPerformEditOperation PHAsset.cancelContentEditingInputRequest
        PHAsset.contentType PHAsset.fetchKeyAssets PHAsset.hasAdjustments PHAsset.isSyncFailureHidden PHAsset.location
        PHAsset.playbackStyle PHAsset.representsBurst PHAsset.requestContentEditingInput PHAsset.sourceType
        PHAssetChangeRequest.changeRequest PHAssetChangeRequest.contentEditingOutput
        PHAssetChangeRequest.revertAssetContentToOriginal PHAssetCollection.approximateLocation
        PHAssetCollection.fetchMoments PHAssetCollection.localizedLocationNames
        PHAssetCollection.transientAssetCollection PHAssetCollectionChangeRequest.insertAssets
        PHAssetCollectionChangeRequest.moveAssets PHAssetCollectionChangeRequest.replaceAssets
        PHAssetCollectionSubtype.albumCloudShared PHAssetCollectionSubtype.albumImported
        PHAssetCollectionSubtype.albumMyPhotoStream PHAssetCollectionSubtype.albumSyncedAlbum
        PHAssetCollectionSubtype.albumSyncedEvent PHAssetCollectionSubtype.albumSyncedFaces
        PHAssetCollectionSubtype.smartAlbumAnimated PHAssetCollectionSubtype.smartAlbumBursts
        PHAssetCollectionSubtype.smartAlbumCinematic PHAssetCollectionSubtype.smartAlbumDepthEffect
        PHAssetCollectionSubtype.smartAlbumGeneric PHAssetCollectionSubtype.smartAlbumLivePhotos
        PHAssetCollectionSubtype.smartAlbumLongExposures PHAssetCollectionSubtype.smartAlbumPanoramas
        PHAssetCollectionSubtype.smartAlbumRAW PHAssetCollectionSubtype.smartAlbumRecentlyAdded
        PHAssetCollectionSubtype.smartAlbumScreenRecordings PHAssetCollectionSubtype.smartAlbumScreenshots
        PHAssetCollectionSubtype.smartAlbumSelfPortraits PHAssetCollectionSubtype.smartAlbumSlomoVideos
        PHAssetCollectionSubtype.smartAlbumSpatial PHAssetCollectionSubtype.smartAlbumTimelapses
        PHAssetCollectionSubtype.smartAlbumUnableToUpload PHAssetCollectionType.moment
        PHAssetCreationRequest.creationRequest PHAssetCreationRequest.creationRequestForAsset
        PHAssetResource.ProgressHandler PHAssetResource.UploadJob PHAssetResource.UploadJobAction
        PHAssetResource.UploadJobChangeRequest PHAssetResource.UploadJobState PHAssetResource.UploadJobType
        PHAssetResourceManager.defaultManager PHChange.enumerateMoves PHCollection.EditOperation PHCollection.List
        PHCollection.ListChangeRequest PHCollection.ListSubtype PHCollection.ListType PHCollection.fetchCollections
        PHCollection.fetchTopLevelUserCollections PHFetchOptions.includeAllBurstAssets
        PHFetchOptions.includeAssetSourceTypes PHImageManager.requestAVAsset PHImageManager.requestExportSession
        PHImageManager.requestImageData PHImageManager.requestLivePhoto PHImageManager.requestPlayerItem
        PHImageRequestOptions.allowSecondaryDegradedImage PHImageRequestOptions.normalizedCropRect
        PHPhotoLibrary.AvailabilityObserver PHPhotoLibrary.cloudIdentifierMappings PHPhotoLibrary.cloudIdentifiers
        PHPhotoLibrary.currentChangeToken PHPhotoLibrary.fetchPersistentChangesSinceToken
        PHPhotoLibrary.localIdentifierMappings PHPhotoLibrary.localIdentifiers PHPhotoLibrary.sharedPhotoLibrary
        PHPhotoLibrary.unregisterAvailabilityObserver
        """
}
