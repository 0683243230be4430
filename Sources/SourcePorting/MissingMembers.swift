/// Members of classes of UIKit, Core Animation, Core Image and Foundation that apps use and Linux does not have.
///
/// `AvailableNames.missingMembers` lists those of AVFoundation, Core Media and Photos.
enum MissingMembers {
    /// The members of each class, without those of its superclasses.
    static let all: [String: Set<String>] = lists.mapValues {
        Set($0.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The superclasses of Apple's classes whose members are in the tables.
    static let superclasses: [String: String] = [
        "AVCaptureVideoPreviewLayer": "CALayer",
        "AVMutableComposition": "AVComposition",
        "AVMutableCompositionTrack": "AVCompositionTrack",
        "AVMutableVideoComposition": "AVVideoComposition",
        "AVPlayerLayer": "CALayer",
        "AVQueuePlayer": "AVPlayer",
        "CAGradientLayer": "CALayer",
        "CAShapeLayer": "CALayer",
        "CATextLayer": "CALayer",
        "NSMutableAttributedString": "NSAttributedString",
        "UIAlertController": "UIViewController",
        "UIButton": "UIControl",
        "UIControl": "UIView",
        "UIImageView": "UIView",
        "UILabel": "UIView",
        "UILongPressGestureRecognizer": "UIGestureRecognizer",
        "UIPanGestureRecognizer": "UIGestureRecognizer",
        "UIPinchGestureRecognizer": "UIGestureRecognizer",
        "UISwipeGestureRecognizer": "UIGestureRecognizer",
        "UITapGestureRecognizer": "UIGestureRecognizer",
        "UIVisualEffectView": "UIView",
        "UIWindow": "UIView",
    ]

    /// Members in the tables that other classes of this package have.
    static let ambiguous: Set = [
        "accessibilityIdentifier", "animationDuration", "autoresizingMask", "availableModes", "backgroundColor",
        "cgImage",
        "colorSpace", "depthData", "foregroundColor", "interfaceOrientation", "isEnabled", "isHighlighted", "isOpaque",
        "portraitEffectsMatte", "sendAction", "snapshotView", "strokeColor", "supportedInterfaceOrientations",
        "tintColor", "traitCollection", "workingColorSpace", "workingFormat",
    ]

    private static let lists: [String: String] = [
        "AVAudioConverter": """
        applicableEncodeBitRates applicableEncodeSampleRates availableEncodeBitRates
        availableEncodeChannelLayoutTags availableEncodeSampleRates bitRate bitRateStrategy
        """,
        "Bundle": """
        loadNibNamed
        """,
        "CALayer": """
        actions allowsEdgeAntialiasing anchorPointZ autoresizingMask backgroundFilters compositingFilter
        constraints contentsCenter drawsAsynchronously edgeAntialiasingMask filters isDoubleSided layoutManager
        magnificationFilter minificationFilter needsDisplayOnBoundsChange preferredFrameSize rasterizationScale
        scroll scrollRectToVisible shadowPath sublayerTransform toneMapMode visibleRect
        wantsExtendedDynamicRangeContent
        """,
        "CIContext": """
        calculateHDRStats clearCaches depthBlurEffectFilter draw heif10Representation heifRepresentation
        inputImageMaximumSize jpegRepresentation openEXRRepresentation outputImageMaximumSize pngRepresentation
        prepareRender reclaimResources startTask tiffRepresentation workingColorSpace workingFormat
        writeHEIFRepresentation writeJPEGRepresentation writePNGRepresentation writeTIFFRepresentation
        """,
        "CIImage": """
        applyingFilter applyingGainMap applyingGaussianBlur autoAdjustmentFilters calculateRegionOfInterest
        cgImage clamped clampedToExtent colorSpace composited contentHeadroom convertingWorkingSpaceToLab
        depthData insertingIntermediate matchedFromWorkingSpace matchedToWorkingSpace orientationTransform
        portraitEffectsMatte premultiplyingAlpha properties regionOfInterest samplingLinear samplingNearest
        settingAlphaOne settingProperties unpremultiplyingAlpha url
        """,
        "NSAttributedString": """
        boundingRect draw size
        """,
        "NSAttributedString.Key": """
        attachment backgroundColor baselineOffset expansion font foregroundColor kern ligature link obliqueness
        paragraphStyle shadow strikethroughColor strikethroughStyle strokeColor strokeWidth tracking
        underlineColor underlineStyle
        """,
        "NSString": """
        boundingRect draw size
        """,
        "UIAlertController": """
        addTextField popoverPresentationController severity textFields
        """,
        "UIApplication": """
        backgroundRefreshStatus beginIgnoringInteractionEvents endIgnoringInteractionEvents
        isIgnoringInteractionEvents isNetworkActivityIndicatorVisible isProtectedDataAvailable
        isStatusBarHidden openSessions perform preferredContentSizeCategory registerForRemoteNotifications
        requestSceneSessionActivation sendAction sendEvent setAlternateIconName shortcutItems statusBarFrame
        statusBarStyle supportedInterfaceOrientations supportsMultipleScenes userInterfaceLayoutDirection
        """,
        "UIBezierPath": """
        flatness getLineDash reversing
        """,
        "UIButton": """
        adjustsImageWhenDisabled adjustsImageWhenHighlighted attributedTitle automaticallyUpdatesConfiguration
        changesSelectionAsPrimaryAction configuration configurationUpdateHandler currentAttributedTitle
        imageEdgeInsets isPointerInteractionEnabled menu role setAttributedTitle
        setPreferredSymbolConfiguration setTitleShadowColor showsMenuAsPrimaryAction showsTouchWhenHighlighted
        subtitleLabel titleEdgeInsets
        """,
        "UIColor": """
        accessibilityName ciColor getHue getRed getWhite resolvedColor
        """,
        "UIControl": """
        allControlEvents allTargets beginTracking cancelTracking contentHorizontalAlignment
        contentVerticalAlignment continueTracking endTracking isTouchInside isTracking
        """,
        "UIDevice": """
        batteryLevel batteryState isBatteryMonitoringEnabled isProximityMonitoringEnabled playInputClick
        proximityState
        """,
        "UIFont": """
        buttonFontSize capHeight familyName familyNames fontDescriptor fontName fontNames italicSystemFont
        leading monospacedSystemFont preferredFont smallSystemFontSize xHeight
        """,
        "UIGestureRecognizer": """
        allowedPressTypes allowedTouchTypes buttonMask delaysTouchesBegan delaysTouchesEnded ignore
        modifierFlags requiresExclusiveTouchType reset shouldReceive shouldRequireFailure
        touchesBegan
        """,
        "UIImage": """
        alignmentRectInsets animatedImage animatedImageNamed byPreparingForDisplay byPreparingThumbnail
        capInsets configuration drawAsPattern duration heicData imageAsset
        imageFlippedForRightToLeftLayoutDirection imageRendererFormat images prepareForDisplay prepareThumbnail
        preparingForDisplay preparingThumbnail resizableImage symbolConfiguration traitCollection
        withAlignmentRectInsets withBaselineOffset withHorizontallyFlippedOrientation
        """,
        "UIImageView": """
        addSymbolEffect adjustsImageWhenAncestorFocused animationDuration animationImages animationRepeatCount
        highlightedAnimationImages isAnimating preferredSymbolConfiguration startAnimating stopAnimating
        """,
        "UILabel": """
        adjustsFontForContentSizeCategory allowsDefaultTighteningForTruncation attributedText
        baselineAdjustment highlightedTextColor isEnabled isHighlighted lineBreakMode lineBreakStrategy
        preferredMaxLayoutWidth textRect
        """,
        "UILayoutGuide": """
        bottomAnchor centerXAnchor centerYAnchor heightAnchor leadingAnchor leftAnchor rightAnchor topAnchor
        trailingAnchor widthAnchor
        """,
        "UIPanGestureRecognizer": """
        allowedScrollTypesMask
        """,
        "UIScreen": """
        availableModes calibratedLatency coordinateSpace currentMode displayLink fixedCoordinateSpace
        focusedItem isCaptured mirrored overscanCompensation preferredMode screens snapshotView traitCollection
        wantsSoftwareDimming
        """,
        "UITapGestureRecognizer": """
        buttonMaskRequired
        """,
        "UIView": """
        accessibilityHint accessibilityIdentifier accessibilityLabel accessibilityTraits accessibilityValue
        addConstraint addConstraints addInteraction addLayoutGuide addMotionEffect autoresizesSubviews
        becomeFirstResponder bottomAnchor canBecomeFocused centerXAnchor centerYAnchor
        clearsContextBeforeDrawing constraints contentScaleFactor contentStretch didMoveToWindow
        directionalLayoutMargins effectiveUserInterfaceLayoutDirection endEditing exchangeSubview
        firstBaselineAnchor focusGroupIdentifier heightAnchor inputAccessoryView interactions
        invalidateIntrinsicContentSize isAccessibilityElement isExclusiveTouch isFirstResponder isFocused
        isOpaque keyboardLayoutGuide lastBaselineAnchor layoutGuides layoutMargins layoutMarginsDidChange
        layoutMarginsGuide leadingAnchor leftAnchor mask motionEffects nextFocusedView
        overrideUserInterfaceStyle preservesSuperviewLayoutMargins pressesBegan readableContentGuide
        removeConstraint removeConstraints resignFirstResponder resizableSnapshotView restorationIdentifier
        rightAnchor safeAreaInsetsDidChange semanticContentAttribute setContentCompressionResistancePriority
        setContentHuggingPriority setNeedsUpdateConstraints systemLayoutSizeFitting tintAdjustmentMode
        topAnchor touchesBegan touchesEnded touchesMoved trailingAnchor traitCollectionDidChange transform3D
        updateConstraints updateConstraintsIfNeeded userActivity widthAnchor
        """,
        "UIViewController": """
        additionalSafeAreaInsets automaticallyAdjustsScrollViewInsets bottomLayoutGuide childForStatusBarHidden
        childForStatusBarStyle contentScrollView definesPresentationContext edgesForExtendedLayout
        editButtonItem extendedLayoutIncludesOpaqueBars hidesBottomBarWhenPushed interfaceOrientation
        isBeingDismissed isBeingPresented isEditing isModalInPresentation isMovingFromParent isMovingToParent
        keyCommands modalPresentationCapturesStatusBarAppearance modalPresentationStyle modalTransitionStyle
        navigationController navigationItem nibBundle nibName overrideUserInterfaceStyle performSegue
        popoverPresentationController preferredContentSize preferredStatusBarStyle
        preferredStatusBarUpdateAnimation prefersHomeIndicatorAutoHidden prepare presentationController
        providesPresentationContextTransitionStyle restorationIdentifier screenEdgesDeferringSystemGestures
        setEditing setNeedsUpdateOfHomeIndicatorAutoHidden setNeedsUpdateOfSupportedInterfaceOrientations
        setToolbarItems sheetPresentationController shouldPerformSegue show showDetailViewController
        splitViewController storyboard tabBarController tabBarItem toolbarItems topLayoutGuide
        transitionCoordinator transitioningDelegate viewLayoutMarginsDidChange viewSafeAreaInsetsDidChange
        viewWillTransition willTransition
        """,
        "UIWindow": """
        becomeKey canResizeToFitContent resignKey sendEvent windowLevel
        """,
        "UIWindowScene": """
        coordinateSpace effectiveGeometry isFullScreen requestGeometryUpdate screenshotService sizeRestrictions
        statusBarManager titlebar traitCollection
        """,
    ]
}
