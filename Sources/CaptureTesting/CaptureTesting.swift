@_exported public import CaptureSimulation

@_exported public import struct CaptureHAL.Misuse
@_exported public import struct CaptureHAL.PromptAnswer
// `import CaptureTesting` imports simulated systems, and only those types of lower-level modules that tests use. Other
// types, such as `Scenario` and `FocusRange`, could have the same names as types of the app under test.
@_exported public import class CaptureHAL.SimClock
@_exported public import class MediaStorage.SimStorage
@_exported public import struct SimDevices.FrameMarker
@_exported public import struct SimDevices.HandShake
@_exported public import enum SimDevices.SimFault
@_exported public import class SimDevices.SimHost
@_exported public import enum SimDevices.SimScene
@_exported public import enum SimDevices.SimSound
@_exported public import struct SimDevices.ToneProbe
