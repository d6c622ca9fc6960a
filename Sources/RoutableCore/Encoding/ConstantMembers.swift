// The members of a body that have one value: they tell operations with the same method and path apart.

/// A member of a JSON object that must be present and has one value.
package struct ConstantMember: Sendable {
    package let name: Bytes
    /// As JSON without white space.
    package let value: Bytes

    package init(name: Bytes, value: Bytes) {
        self.name = name
        self.value = value
    }
}

/// What a schema says about the members of an object.
package struct ConstantMembers: Sendable {
    package var members: [ConstantMember] = []
    /// The names of other types that the value must have as well.
    package var types: [Bytes] = []

    package init() {}
}
