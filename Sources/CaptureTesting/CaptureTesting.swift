// What `import CaptureTesting` brings beside assertions: simulated systems, scenarios, devices and their protocols.
@_exported public import CaptureHAL
@_exported public import CaptureScenarios
@_exported public import CaptureSimulation
@_exported public import SimDevices
