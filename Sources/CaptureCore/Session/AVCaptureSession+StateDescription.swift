import CaptureHAL

extension AVCaptureSession: StateDescribing {
    package var stateDescription: String {
        let (run, isOpen, current, committed) = state.withLock {
            ($0.run, $0.transaction.isOpen, $0.current, $0.configuration)
        }
        let activity =
            if let interruption = run.interruption {
                "is interrupted (\(interruption))"
            } else if run.isRunning {
                "runs"
            } else {
                run.isStarted ? "is started and does not run" : "was not started"
            }
        var text =
            "\(type(of: self)) \(activity), with \(committed.inputs.count) inputs and \(committed.outputs.count) outputs"
        if isOpen {
            text += """
                ; beginConfiguration without commitConfiguration: with it, \(current.inputs.count) inputs and \
                \(current.outputs.count) outputs
                """
        }
        return text
    }
}

extension AVCaptureSession: ReferenceHolding {
    package var heldObjects: [AnyObject] {
        let configuration = state.withLock { $0.current }
        return configuration.inputs + configuration.outputs + [system]
    }
}
