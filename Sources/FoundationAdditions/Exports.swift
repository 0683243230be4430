// On Apple's systems, Foundation imports the module with `@Observable`.
@_exported public import Observation
