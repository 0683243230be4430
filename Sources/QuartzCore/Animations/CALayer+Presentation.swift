import Foundation
import MediaTypes

extension CALayer {
    /// Returns a copy of the layer and its sublayers with the current values of their animations.
    ///
    /// - Note: Unlike Apple, layers of other classes than `CALayer`, `CAShapeLayer` and `CATextLayer` return
    ///   themselves, because initializers of subclasses cannot be called dynamically here.
    public func presentation() -> Self? {
        guard state.withLock({ $0.model }) == nil else { return self }
        let parent = superlayer
        let time = parent.map { $0.convertTime(CACurrentMediaTime(), from: nil) } ?? CACurrentMediaTime()
        return presentationLayer(at: time) as? Self ?? self
    }

    /// Returns the layer with the values that the client set: the original of a presentation layer, otherwise this
    /// layer.
    public func model() -> Self { state.withLock { $0.model } as? Self ?? self }

    /// Returns a copy of the layer and its sublayers at a time of the superlayer.
    private func presentationLayer(at time: CFTimeInterval) -> CALayer {
        let copy = makePresentationLayer()
        let position = state.withLock { $0.timing }.position(at: time)
        var values = presentedValues(at: position?.time)
        if position == nil { values.state.style.isHidden = true }
        copy.setPresentationValues(values)
        copy.state.withLock { state in
            state.timing = values.state.timing
            state.model = self
        }
        guard let position else { return copy }
        for layer in sublayers ?? [] { copy.addSublayer(layer.presentationLayer(at: position.time)) }
        copy.mask = mask?.presentationLayer(at: position.time)
        return copy
    }

    /// Returns the values of the layer at a time in its own time space; without animations if the time is nil.
    func presentedValues(at time: CFTimeInterval?) -> LayerValues {
        var values = modelValues
        guard let time else { return values }
        for added in values.state.animations { added.animation.apply(to: &values, at: time, added.timing) }
        return values
    }
}
