// The version, as in include/routable_values.h; Tests/command compares them.

enum Version {
    static let text = "0.1.0"
}
