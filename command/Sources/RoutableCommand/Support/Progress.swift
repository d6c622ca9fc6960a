// A line on the terminal while there is something to wait for.

import Glibc
import RoutableCore

/// Shown on standard error, from half a second on.
final class Progress {
    private let isShown: Bool
    private let start = Progress.milliseconds
    private var isOnScreen = false

    init(isShown: Bool) { self.isShown = isShown }

    /// How long to wait between two looks.
    var interval: Int64 { isShown ? 100 : 1000 }

    func show() {
        let elapsed = Self.milliseconds - start
        guard isShown, elapsed >= 500 else { return }
        isOnScreen = true
        Output.say("\r\u{1B}[K\(Int(elapsed / 1000)).\(Int(elapsed % 1000 / 100)) s, waiting for the answer")
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
