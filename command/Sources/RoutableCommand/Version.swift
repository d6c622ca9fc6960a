// The version, as include/routable.h says it; scripts/check_exports holds the two together.

enum Version {
    static let text = "0.1.0"
}
