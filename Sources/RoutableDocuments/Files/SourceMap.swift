// The position in the files of a description for each part of the text that the readers read.

package import RoutableCore
package import RoutableJSON

/// Maps offsets of a string to files, so that errors and warnings contain the file, and the pointer, the line and the column in it.
package struct SourceMap {
    /// One file.
    struct Source {
        /// The name of the file in messages.
        let name: Bytes
        let tape: JSONTape
        /// nil for JSON.
        let places: YAMLPlaces?
    }

    /// A part of the text that was copied from a file.
    struct Part {
        let output: Int
        let source: Int
        let offset: Int
    }

    let sources: [Source]
    let parts: [Part]

    init(sources: [Source], parts: [Part]) {
        self.sources = sources
        self.parts = parts
    }

    /// The map of a single document in YAML.
    package init(document: JSONTape, _ places: YAMLPlaces) {
        self.init(
            sources: [Source(name: Bytes(), tape: document, places: places)],
            parts: [Part(output: 0, source: 0, offset: 0)])
    }

    /// A position in a file.
    package struct Place {
        /// The index of the file; 0 for the document that was opened.
        package let source: Int
        package let name: Bytes
        package let pointer: Bytes?
        /// The offset in a JSON file; nil for YAML.
        package let offset: Int?
        package let line: Int
        package let column: Int
    }

    /// The position of an offset of the text.
    package func place(of offset: Int) -> Place? {
        var low = 0
        var high = parts.count
        while low < high {
            let middle = (low &+ high) >> 1
            if parts[middle].output <= offset { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0, sources.indices.contains(parts[low &- 1].source) else { return nil }
        let part = parts[low &- 1]
        return place(part.source, part.offset &+ offset &- part.output)
    }

    func place(_ number: Int, _ offset: Int) -> Place? {
        guard sources.indices.contains(number) else { return nil }
        let source = sources[number]
        let pointer = source.tape.node(at: offset).map { source.tape.pointer(of: $0) }
        if let places = source.places {
            let place = places.place(of: offset) ?? (0, 0)
            return Place(
                source: number, name: source.name, pointer: pointer, offset: nil, line: place.line, column: place.column)
        }
        let position = TextPosition(offset, in: source.tape.text.buffer)
        return Place(
            source: number, name: source.name, pointer: pointer, offset: position.offset, line: position.line,
            column: position.column)
    }

    /// The failure with the position in its file instead of that in the text.
    package func located(_ failure: Failure) -> Failure {
        guard let offset = failure.fields.offset, let place = place(of: offset) else { return failure }
        return place.located(failure, replacesPointer: failure.fields.pointer != nil)
    }
}

extension SourceMap.Place {
    /// The beginning of a warning: the pointer, and for another file before it the name, the line and the column.
    var prefix: Bytes {
        let pointer = self.pointer ?? Bytes()
        return source == 0 ? "#\(pointer)" : "\(name.shown):\(line):\(column)#\(pointer)"
    }

    func located(_ failure: Failure, replacesPointer: Bool = true) -> Failure {
        failure.with {
            $0.offset = offset
            $0.line = line
            $0.column = column
            if replacesPointer, let pointer { $0.pointer = pointer }
            if source != 0 {
                $0.isInFile = true
                $0.message = "\(name.shown): \($0.message)"
            }
        }
    }
}

extension Bytes {
    /// The complete name of a file in messages, with control bytes replaced by `?`.
    package var shown: Bytes { Bytes(storage.map { ASCII.isControl($0) ? UInt8(ascii: "?") : $0 }) }
}
