@_exported public import CaptureHAL
@_exported public import Scenario
@_exported public import SimDevices
