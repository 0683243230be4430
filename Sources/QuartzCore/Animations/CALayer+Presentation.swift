import Foundation
import MediaTypes

extension CALayer {
    /// Returns a copy of the layer, and of its sublayers, with the values that animations give them now.
    ///
    /// - Note: Unlike Apple, it is the layer itself if that is not a `CALayer`, `CAShapeLayer` or `CATextLayer`, because
    ///   initializers of subclasses cannot be called by their type here.
    public func presentation() -> Self? {
        guard state.withLock({ $0.model }) == nil else { return self }
        let parent = superlayer
        let time = parent.map { $0.convertTime(CACurrentMediaTime(), from: nil) } ?? CACurrentMediaTime()
        return presentationLayer(at: time) as? Self ?? self
    }

    /// The layer with the values that the client set: this one, or that of a presentation layer.
    public func model() -> Self { state.withLock { $0.model } as? Self ?? self }

    /// Returns a copy of the tree at a time of the superlayer.
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

    /// The values of the layer at a time of its own; without animations if the time is nil.
    func presentedValues(at time: CFTimeInterval?) -> LayerValues {
        var values = modelValues
        guard let time else { return values }
        for added in values.state.animations { added.animation.apply(to: &values, at: time, added.timing) }
        return values
    }
}
