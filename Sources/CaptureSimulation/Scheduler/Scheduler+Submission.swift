import CWorld
import CaptureHAL
import MediaTypes

/// Submission of work to the scheduler.
extension Scheduler {
    /// Adds an item.
    func submit(_ item: WorkItem) {
        monitor.update { add(item, to: &$0) }
    }

    /// Adds an item at a time of its world's clock, in nanoseconds.
    func submit(_ item: WorkItem, at due: Int64) {
        let task = cworld_current_task()
        monitor.update { state in
            item.due = due
            if item.world.order.recordsCalls { item.callStack = .unwound() }
            item.isDelayOfTest = task != nil && task == state.bodyTask?.pointer
            state.delayedItems[ObjectIdentifier(item)] = item
        }
        item.world.clock.schedule(at: CMTime(nanoseconds: due)) { [self] in
            monitor.update { state in
                guard let item = state.delayedItems.removeValue(forKey: ObjectIdentifier(item)) else { return }
                item.due = nil
                // The limit in real time applies to the rest of the wait.
                if item.isDelayOfTest { state.suspension?.start = cworld_real_time() }
                add(item, to: &state)
            }
        }
    }

    /// Adds an item, or discards it if its world is closed.
    func add(_ item: WorkItem, to state: inout State) {
        guard item.world.isOpen else {
            leaveGroup(of: item, &state)
            return
        }
        state.work.add(item)
    }

    /// Submits an item when a group is empty: now, or when it is left.
    func notify(_ item: WorkItem, of group: UnsafeMutableRawPointer) {
        let notification = PendingNotification(item: item, group: RetainedObject(group))
        monitor.update { state in
            item.number = state.work.nextNumber()
            state.pendingNotifications[group, default: []].append(notification)
            submitNotifications(of: group, &state)
        }
    }

    /// Submits the items that wait for a group, in the order of the calls of `notify`, if it is empty.
    func submitNotifications(of group: UnsafeMutableRawPointer, _ state: inout State) {
        guard let notifications = state.pendingNotifications[group], cworld_try(CWORLD_GROUP, group) == 0 else {
            return
        }
        state.pendingNotifications[group] = nil
        for notification in notifications { add(notification.item, to: &state) }
    }

    /// Leaves the group of an item that has ended or is discarded.
    func leaveGroup(of item: WorkItem, _ state: inout State) {
        guard let group = item.group?.pointer else { return }
        cworld_group_leave(group)
        submitNotifications(of: group, &state)
    }
}
