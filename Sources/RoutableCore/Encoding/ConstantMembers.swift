// The members of a body with a single allowed value, which distinguish operations with the same method and path.

/// A member of a JSON object that must be present and has one value.
package struct ConstantMember: Sendable {
    package let name: Bytes
    /// The value as JSON without white space.
    package let value: Bytes

    package init(name: Bytes, value: Bytes) {
        self.name = name
        self.value = value
    }
}

/// The constants of a schema.
package struct ConstantMembers: Sendable {
    package var members: [ConstantMember] = []
    /// The names of other types for which the value must also be valid.
    package var types: [Bytes] = []

    package init() {}
}
