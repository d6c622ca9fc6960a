// Opens libyaml, or states which package to install.

internal import CYAML
internal import RoutableCore

enum YAMLLibrary {
    private static let reasonBytes = 256

    /// Opens libyaml once for the process.  The failure has the status `unsupported`.
    static func load(_ name: StaticString = "libyaml-0.so.2") throws(Failure) {
        let reason = UnsafeMutablePointer<CChar>.allocate(capacity: reasonBytes)
        defer { reason.deallocate() }
        // A StaticString ends with a NUL.
        let result = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount &+ 1) {
            cyaml_load($0, reason, reasonBytes)
        }
        if result != 0 {
            throw Failure(
                .unsupported,
                "YAML requires libyaml, which cannot be opened; install the package libyaml-0-2 (\(Bytes(cString: reason).printable))"
            )
        }
    }
}
