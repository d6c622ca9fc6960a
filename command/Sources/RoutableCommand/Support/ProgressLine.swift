// Shows the progress of a transfer on the terminal.

import Glibc
import RoutableCore

/// A line on standard error, shown after half a second.
final class ProgressLine {
    let isShown: Bool
    private let start = ProgressLine.milliseconds
    private var isOnScreen = false
    /// The last progress that the transfer reported.
    var progress = TransferProgress()

    init(isShown: Bool) { self.isShown = isShown }

    /// The interval between two updates, in milliseconds.
    var interval: Int64 { isShown ? 100 : 1000 }

    func show() {
        let elapsed = Self.milliseconds - start
        guard isShown, elapsed >= 500 else { return }
        isOnScreen = true
        Output.say("\r\u{1B}[K\(Int(elapsed / 1000)).\(Int(elapsed % 1000 / 100)) s, \(state)")
    }

    private var state: Bytes {
        if progress.received > 0 {
            let share: Bytes =
                progress.toReceive > 0
                ? " of \(Self.size(progress.toReceive)), \(Int(progress.received * 100 / progress.toReceive)) %" : Bytes()
            return "\(Self.size(progress.received))\(share)"
        }
        if progress.toSend > 0 && progress.sent < progress.toSend {
            return "\(Self.size(progress.sent)) of \(Self.size(progress.toSend)) sent"
        }
        return "waiting for the response"
    }

    /// `1.5 MB`
    private static func size(_ count: Int64) -> Bytes {
        if count < 1000 { return "\(Int(count)) bytes" }
        var units = ["kB", "MB", "GB", "TB"] as [Bytes]
        var tenths = count / 100
        while tenths >= 10_000, units.count > 1 {
            tenths /= 1000
            units.removeFirst()
        }
        return "\(Int(tenths / 10)).\(Int(tenths % 10)) \(units[0])"  // proof: one unit is left at least.
    }

    func clear() {
        if isOnScreen { Output.say("\r\u{1B}[K") }
        isOnScreen = false
    }

    private static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
