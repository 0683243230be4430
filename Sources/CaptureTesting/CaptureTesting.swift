@_exported public import CaptureSimulation

@_exported public import struct CaptureHAL.Misuse
@_exported public import struct CaptureHAL.PromptAnswer
// `import CaptureTesting` imports simulated systems, and only those types of the modules below that tests name: other
// names, such as `Scenario` and `FocusRange`, would make the names of an app's own types ambiguous in its tests.
@_exported public import class CaptureHAL.SimClock
@_exported public import class MediaStorage.SimStorage
@_exported public import struct SimDevices.FrameMarker
@_exported public import struct SimDevices.HandShake
@_exported public import enum SimDevices.SimFault
@_exported public import class SimDevices.SimHost
@_exported public import enum SimDevices.SimScene
@_exported public import enum SimDevices.SimSound
@_exported public import struct SimDevices.ToneProbe
