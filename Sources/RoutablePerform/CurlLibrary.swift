// Opens libcurl, or states which package to install.

internal import CCurl
import RoutableCore

enum CurlLibrary {
    private static let reasonBytes = 256

    /// Opens libcurl once for the process.  The failure has the status `noCurl`.
    static func load(_ name: StaticString = "libcurl.so.4") throws(Failure) {
        let reason = UnsafeMutablePointer<CChar>.allocate(capacity: reasonBytes)
        defer { reason.deallocate() }
        // A StaticString ends with a NUL.
        let result = name.utf8Start.withMemoryRebound(to: CChar.self, capacity: name.utf8CodeUnitCount &+ 1) {
            ccurl_load($0, reason, reasonBytes)
        }
        if result != 0 {
            throw Failure(
                .noCurl,
                "libcurl cannot be opened; install the package libcurl4 (\(Bytes(cString: reason).printable))")
        }
    }
}
