// The files of a description: the document that is opened, and those that its references lead to, each read once.

package import RoutableCore
internal import RoutableJSON

/// The source of the files of a description.
package struct DocumentSource {
    /// Returns the bytes of a file; nil if it does not exist, `limit` if it is larger than the argument.
    typealias Load = (_ key: Bytes, _ limit: Int) throws(Failure) -> Bytes?

    let load: Load
    /// The key of the document itself: its path below the folder, or its URI.
    let document: Bytes
    /// The prefix of the key of a file in messages.
    let prefix: Bytes
    /// Whether the source is a folder, whose files have paths; otherwise it is a function of the program, which receives every URI.
    let isFolder: Bool

    /// Files below the folder of the document, or below `folder`.
    ///
    /// - Throws: `file`; `argument` if the document is not in `folder`.
    package static func folder(of path: Bytes, folder: Bytes? = nil) throws(Failure) -> DocumentSource {
        let opened = try DocumentFolder.open(of: path, folder: folder)
        return DocumentSource(
            load: { (key: Bytes, limit: Int) throws(Failure) -> Bytes? in try opened.read(key, limit: limit) },
            document: opened.document, prefix: opened.prefix, isFolder: true)
    }

    /// Documents that a function returns by their URIs; nil for those that do not exist.
    package static func loader(
        uri: Bytes, _ load: @escaping (_ uri: Bytes) throws(Failure) -> Bytes?
    ) -> DocumentSource {
        DocumentSource(
            load: { (key: Bytes, limit: Int) throws(Failure) -> Bytes? in
                guard let bytes = try load(key) else { return nil }
                if bytes.count > limit {
                    throw Failure(.limit, "the files of the document have more than the maximum number of bytes")
                }
                return bytes
            }, document: uri, prefix: Bytes(), isFolder: false)
    }
}

/// One file, with the changes to apply to it.
final class DocumentFile {
    let key: Bytes
    let name: Bytes
    let tape: JSONTape
    let places: YAMLPlaces?
    /// The number of references between files that lead from the document to this file.
    let depth: Int
    /// For each word of the tape, the set of kinds as which it was visited.
    var visited: [UInt32]
    var edits = KeyedValues<Int, DocumentEdit>()
    /// The words of the edits in order, set when all edits are known.
    var order: [UInt32] = []
    private var members = KeyedValues<Int, [Bytes: UInt32]>()
    private var anchors: [Bytes: UInt32]?

    private init(
        _ key: Bytes, _ name: Bytes, _ tape: JSONTape, _ places: YAMLPlaces?, depth: Int, _ visited: consuming [UInt32]
    ) {
        self.key = key
        self.name = name
        self.tape = tape
        self.places = places
        self.depth = depth
        self.visited = visited
    }

    /// This is a function and not an `init`, because in Embedded Swift an object whose `init` throws is not deallocated.
    static func make(
        _ key: Bytes, _ name: Bytes, _ tape: JSONTape, _ places: YAMLPlaces?, depth: Int
    ) throws(Failure) -> DocumentFile {
        var visited: [UInt32] = []
        let count = Int(tape.root.next)
        try Memory.reserve(&visited, count)
        visited.append(contentsOf: repeatElement(0, count: count))
        return DocumentFile(key, name, tape, places, depth: depth, visited)
    }

    func node(_ word: UInt32) -> TapeNode { TapeNode(text: tape.text.start, words: tape.words, index: word) }

    /// The member with this name; a large object is searched with an index that is created once.
    func member(_ name: Bytes, of object: TapeNode) -> TapeNode? {
        if object.next &- object.index < 200 { return object.member(named: name) }
        let place = members.place(of: Int(object.index), adding: [:])
        if members.values[place].isEmpty {
            var children = object.children
            while let child = children.read() { members.values[place][child.name] = child.value.index }
        }
        return members.values[place][name].map(node)
    }

    /// The schema with this `$anchor`.
    func anchored(_ name: Bytes) -> TapeNode? {
        if anchors == nil {
            var found: [Bytes: UInt32] = [:]
            var waiting = [tape.root]
            while let next = waiting.popLast() {
                if let anchor = next.member("$anchor"), anchor.kind == .text, found[anchor.string] == nil {
                    found[anchor.string] = next.index
                }
                var children = next.children
                while let child = children.read() {
                    if child.value.isObject || child.value.kind == .array { waiting.append(child.value) }
                }
            }
            anchors = found
        }
        return anchors?[name].map(node)
    }
}

/// A change of one value of a file.
enum DocumentEdit {
    /// A reference becomes one to a component, by the number of the target.
    case component(Int)
    /// A reference to the document that is opened becomes a reference within it.
    case fragment(Bytes)
    /// An object with a reference is replaced by the target of the reference.
    case inline(file: Int, word: UInt32)
    /// A key is renamed.
    case renamed(StaticString)
    /// Further members are added to an object.
    case additions(Int)
}

/// Paths of files in references.
enum DocumentPath {
    /// The path with `.` and `..` resolved against the folder of another file; nil if it leaves the folder of the document.
    static func resolved(_ reference: Bytes, from file: Bytes) -> Bytes? {
        if reference.storage.first == UInt8(ascii: "/") { return nil }
        var segments = file.split(on: UInt8(ascii: "/"))
        segments.removeLast()  // proof: a split has at least one piece.
        for piece in reference.split(on: UInt8(ascii: "/")) {
            if piece == "." || piece.isEmpty { continue }
            if piece != ".." {
                segments.append(piece)
            } else if segments.popLast() == nil {
                return nil
            }
        }
        return segments.joined(by: "/")
    }
}
