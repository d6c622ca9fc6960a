// The examples of a document: of media types and responses, and of schemas.

internal import RoutableCore
internal import RoutableJSON

extension JSONTape {
    /// The value that a pointer leads to; nil for none.
    func target(of pointer: Bytes) -> TapeNode? {
        var current = root
        for token in JSONPointer.tokens(pointer) {
            guard let next = current.isObject ? current.member(named: token) : current.element(token) else { return nil }
            current = next
        }
        return current
    }

    /// A value as the document has it.
    func source(of node: TapeNode) -> Bytes {
        Bytes(UnsafeRawBufferPointer(rebasing: text.buffer[range(of: node)]))
    }

    /// A value without the references to other places of the same document.
    fileprivate func followed(_ node: TapeNode) -> TapeNode {
        var node = node
        for _ in 0..<8 {
            guard let reference = node.member("$ref")?.string, reference.hasPrefix("#/"),
                let next = target(of: URIReference.decoded(Bytes(reference.storage[1...])))
            else { break }
            node = next
        }
        return node
    }
}

extension OpenAPISchemas {
    /// The examples of a media type, of a response of Swagger 2.0, or of a schema.
    func examples(of type: Int) -> [DocumentExample] {
        guard let (tape, start) = place(of: type) else { return [] }
        let node = tape.followed(start)
        var found: [DocumentExample] = []
        func add(_ value: TapeNode) {
            found.append(DocumentExample(pointer: tape.pointer(of: value), json: tape.source(of: value)))
        }
        if let example = node.member("example") { add(example) }
        guard let examples = node.member("examples").map({ tape.followed($0) }) else { return found }
        var children = examples.children
        while let child = children.read() {
            if !examples.isObject {
                add(child.value)
            } else if child.name.storage.contains(UInt8(ascii: "/")) {
                if BodyMedia(child.name).isJSON { add(child.value) }
            } else {
                let named = tape.followed(child.value)
                if let value = named.member("value") ?? named.member("dataValue") { add(value) }
            }
        }
        return found
    }
}
