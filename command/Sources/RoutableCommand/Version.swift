// The version, as include/routable_values.h says it; Tests/command holds the two together.

enum Version {
    static let text = "0.1.0"
}
