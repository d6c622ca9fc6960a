// Random descriptions and random paths with few names, so that many of them match.

@testable import RoutableCore

struct RandomRoutes {
    var generator: SeededGenerator

    private static let literals = [
        "x", "y", "z", "new", "1", "v1", "x.json", "longer-than-sixteen-bytes", "é", "a b", "eight888",
    ]
    private static let texts = [
        "x", "y", "z", "new", "1", "23", "-4", "v1", "v1.json", "x.json", "a-b", "a-b-c", "a--b", "x-1", "1.5", "true", "é",
        "%C3%A9", "%78", "n%65w", "a%20b", "a b", "%2e", "%2F", "%zz", "%", "0c7e6a40-1111-4222-8333-944455556666",
        "2020-01-31",
        "longer-than-sixteen-bytes", "longer-than-sixteen-byteS", "eight888", "eight889", "", "\u{1}",
    ]
    private static let names = ["a", "b", "c", "d", "e"]

    private mutating func scalar() -> Scalar {
        var result = Scalar()
        switch generator.below(12) {
        case 0: result = Scalar(.integer)
        case 1:
            result = Scalar(.integer)
            result.minimum = 2
        case 2: result.values = ["x", "1", "new"]
        case 3: result.format = .uuid
        case 4: result = Scalar(.boolean)
        case 5:
            result.minimumLength = 2
            result.maximumLength = 3
        case 6: result.pattern = try? Pattern.compile("[a-z]+")
        case 7: result.format = .date
        default: break
        }
        return result
    }

    private mutating func template(_ names: inout [ParameterDescription], depth: Int) -> Bytes {
        var text = ""
        func name() -> String {
            let name = "p\(names.count)"
            names.append(ParameterDescription(name: Bytes(name), location: .path, isRequired: true))
            return name
        }
        for level in 0..<depth {
            text += "/"
            switch generator.below(14) {
            case 0...5: text += generator.pick(Self.literals)
            case 6: text += "{\(name())}.json"
            case 7: text += "v{\(name())}"
            case 8: text += "{\(name())}-{\(name())}"
            case 9 where level == depth - 1 && generator.chance(50):
                return finish(text + "{\(name())*}", &names)
            case 9: text += "{\(name())...}"
            default: text += "{\(name())}"
            }
        }
        if generator.chance(8) && !text.hasSuffix("*}") { text += "/" }
        return finish(text, &names)
    }

    private mutating func finish(_ text: String, _ names: inout [ParameterDescription]) -> Bytes {
        for index in names.indices where generator.chance(40) { names[index].scalar = scalar() }
        // A whole segment that can be empty; for any other value, the description would be refused.
        for index in names.indices where generator.chance(6) {
            names[index].allowsEmpty =
                names[index].scalar.kind == .string && text.contains("/{\(names[index].name)}")
                && !text.contains("{\(names[index].name)}-") && !text.contains("{\(names[index].name)}.")
        }
        return Bytes(text.isEmpty ? "/" : text)
    }

    private mutating func operation(_ name: String, _ place: Place, depth: Int) -> OperationDescription {
        var ids: [ParameterDescription] = []
        let path = template(&ids, depth: depth)
        var result = OperationDescription(
            name: Bytes(name), method: generator.pick(["GET", "POST", "PUT", "PROPPATCH", "PROPPATCHED"]), path: path,
            place: place)
        result.ids = ids
        if generator.chance(30) { result.priority = generator.below(3) }
        return result
    }

    mutating func description() -> RouterDescription {
        var result = RouterDescription()
        let count = generator.below(5)
        for index in 0..<count {
            var resource = ResourceDescription(
                name: Bytes(Self.names[index]), path: Bytes(generator.pick(["x", "y", "z", "x/y", "v1", "new/1", "eight888"])))
            if generator.chance(20) { resource.path = "" }
            resource.ids = (0..<(generator.chance(25) ? 2 + generator.below(2) : 1)).map { index in
                var id = ParameterDescription(id: Bytes(generator.chance(12) ? "i\(index)..." : "i\(index)"))
                id.scalar = scalar()
                id.allowsEmpty = generator.chance(8) && !id.takesSegments && id.scalar.kind == .string
                return id
            }
            resource.capabilities = Capabilities(rawValue: UInt32(generator.below(64)))
            resource.isNested = generator.chance(25)
            resource.isShallow = generator.chance(25)
            resource.children = Self.names[..<count].filter { _ in generator.chance(35) }.map { Bytes($0) }
            for extra in 0..<generator.below(3) {
                let place: Place = generator.chance(50) ? .member : .collection
                resource.operations.append(operation("extra\(extra)", place, depth: generator.below(3)))
            }
            result.resources.append(resource)
        }
        for index in 0..<(generator.below(6) + (count == 0 ? 1 : 0)) {
            result.operations.append(operation("free\(index)", .root, depth: generator.below(5)))
        }
        return result
    }

    /// A path of random segments, or one that follows the patterns of an operation.
    mutating func path(_ router: Router) -> [UInt8] {
        var path = ""
        if generator.chance(25) || router.resources.isEmpty && router.operations.isEmpty {
            for _ in 0..<generator.below(7) { path += "/" + generator.pick(Self.texts) }
        } else if generator.chance(40), let operation = router.operations.randomElement(using: &generator) {
            path = along(operation.template)
        } else if !router.resources.isEmpty {
            var resource = generator.pick(router.resources)
            for step in 0..<(1 + generator.below(4)) {
                for segment in resource.segments { path += "/" + segment.string }
                let isLast = step == 3 || resource.children.isEmpty || generator.chance(35)
                if isLast {
                    guard let operation = resource.operations.randomElement(using: &generator) else { break }
                    for id in resource.ids(to: operation.description.place) { path += along(id.description) }
                    path += along(operation.template)
                    break
                }
                for id in resource.ids { path += along(id.description) }
                resource = router.resources[generator.pick(resource.children)]
            }
        }
        if generator.chance(5) { path += "/" }
        return Array(path.utf8)
    }

    private mutating func along(_ id: ParameterDescription) -> String {
        if id.allowsEmpty && generator.chance(30) { return "/" }
        let count = id.takesSegments ? 1 + generator.below(3) : 1
        return (0..<count).map { _ in "/" + generator.pick(Self.texts) }.joined()
    }

    private mutating func along(_ template: Template) -> String {
        var path = ""
        for segment in template.segments {
            path += "/"
            for piece in segment.pieces {
                switch piece {
                case .literal(let text): path += text.string
                case .parameter: path += generator.pick(Self.texts)
                case .catchAll: path += generator.pick(Self.texts) + "/" + generator.pick(Self.texts)
                }
            }
        }
        return template.hasTrailingSlash ? path + "/" : path
    }

    /// A value for an id, sometimes a hostile one.
    mutating func value() -> Bytes {
        switch generator.below(12) {
        case 10: return Bytes(generator.pick(["x/y", "1/x/new", "y/x/1", "new/1/x/x", "a/b/c", "x/x/x/x", "%2F/x"]))
        case 11 where generator.chance(30): return ""
        case 0:
            return Bytes(
                generator.pick(["a/b", "..", ".", "?", "#x", "a?b=c", "%2F", "\r\nX: y", "a\u{0}b", "//", "%", "é/ü"]))
        case 1: return Bytes((0..<(1 + generator.below(6))).map { _ in UInt8(generator.below(128)) })
        case 2: return Bytes(generator.pick(Self.literals))
        default: return Bytes(generator.pick(["x", "y", "1", "23", "-4", "true", "ab", "new", "x.json", "2020-01-31"]))
        }
    }
}
