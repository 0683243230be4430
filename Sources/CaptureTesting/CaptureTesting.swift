// `import CaptureTesting` also imports simulated systems, scenarios, simulated devices and the device protocols.
@_exported public import CaptureHAL
@_exported public import CaptureScenarios
@_exported public import CaptureSimulation
@_exported public import SimDevices
