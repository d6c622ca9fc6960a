// SHA-256 (FIPS 180-4), for the challenge of PKCE.

internal import CSystem

package enum SHA256 {
    /// The 32 bytes of the digest.
    package static func digest(_ text: Bytes) -> Bytes {
        var digest = [UInt8](repeating: 0, count: 32)
        digest.withUnsafeMutableBufferPointer { digest in
            guard let place = digest.baseAddress else { return }
            text.storage.withUnsafeBufferPointer { csystem_sha256($0.baseAddress, $0.count, place) }
        }
        return Bytes(digest)
    }
}
