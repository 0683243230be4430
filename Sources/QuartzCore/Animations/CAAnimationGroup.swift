/// Animations that begin together and end with the group.
open class CAAnimationGroup: CAAnimation {
    open var animations: [CAAnimation]?

    override func copyValues(of other: CAAnimation) {
        super.copyValues(of: other)
        if let other = other as? CAAnimationGroup { animations = other.animations }
    }
}
