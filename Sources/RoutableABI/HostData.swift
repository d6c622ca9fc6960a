// The user data of callbacks: valid as long as a closure may call one, and then released once.

internal import CRoutable

/// User data that is released once, when the last closure that uses it is released.
final class HostData: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?
    private let release: routable_release_fn?

    init(_ pointer: UnsafeMutableRawPointer?, _ release: routable_release_fn?) {
        self.pointer = pointer
        self.release = release
    }

    deinit { release?(pointer) }
}
