// The version of the library, for `routable_version_string` and the User-Agent header of all languages.

package enum Version {
    /// `scripts/check_exports` compares it with the version of the headers.
    @inlinable package static var text: StaticString { "0.1.0" }
}
