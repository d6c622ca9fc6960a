// Writes the C header: names, then types, then functions, on the basis of include/routable_typed.h.

internal import RoutableCore

struct CHeader {
    let blueprint: Blueprint
    let prefix: String
    var code = CodeWriter()
    var scope = Scope()
    var renamings: [Renaming] = []
    var records: [String] = []
    var fields: [[String]] = []
    var resources: [String] = []
    var children: [[String]] = []
    /// The names of the operations of the resources in order, followed by the standalone operations.
    var actions: [[String]] = []
    var roots: [String] = []
    var free: [String] = []
    /// For each resource of an OpenAPI document, the names of its operations; nil for a name that the operation already has.
    var walks: [[String?]] = []
    var unions: [String] = []
    var choices: [String] = []
    /// For each union, the member for other JSON and the members of its options, and their constants.
    var options: [[String]] = []
    var tags: [[String]] = []
    /// For each choice, the constant for other strings, and the constants of its values.
    var values: [[String]] = []
    var wrappers: [CWrapper: String] = [:]
    var order: [CWrapper] = []
    var results: [Typing: String] = [:]
    var resultOrder: [Typing] = []
    /// The number of the operation that was written last.
    var number = 0

    static let width = 120

    static func text(_ blueprint: Blueprint, prefix: String?) -> String {
        var header = CHeader(blueprint, prefix)
        header.write()
        return header.code.text
    }

    private init(_ blueprint: Blueprint, _ prefix: String?) {
        self.blueprint = blueprint.withoutNUL
        var own = Naming.identifier(prefix ?? blueprint.title, .snake, start: "n")
        if Reserved.cPrefixes.contains(own) || Reserved.c.contains(own) {
            renamings.append(Renaming(original: own, identifier: own + "_api", why: "reserved"))
            own += "_api"
        }
        self.prefix = own
        takeNames()
    }

    // MARK: - The header

    private mutating func write() {
        head()
        apiSection()
        recordSection()
        resourceSection()
        for (index, resource) in blueprint.resources.enumerated() {
            if resource.actions.isEmpty { continue }
            rule("Operations of \(resource.name)")
            for (place, action) in resource.actions.enumerated() {
                write(
                    action, named: actions[index][place], at: resources[index] + (action.place == .member ? "" : "_set"),
                    of: resource.name)
            }
        }
        if !blueprint.actions.isEmpty {
            rule("Operations")
            for (index, action) in blueprint.actions.enumerated() { write(action, named: free[index], at: nil) }
        }
        writeWalks()
        code.lines(["#ifdef __cplusplus", "}", "#endif", "#endif"])
    }

    private mutating func head() {
        let upper = Self.upper("\(prefix)_routable_h")
        let title = blueprint.title
        code.line(
            "/* \(Texts.cComment(title)): made by `routable generate c` from \(Texts.cComment(blueprint.source)).  Do not edit it: generate it again."
        )
        for line in Texts.wrapped(Texts.cComment(blueprint.summary), width: Self.width - 6) { code.line(" * \(line)") }
        if !renamings.isEmpty {
            code.line(" *")
            code.line(" * Names that are reserved, or were taken:")
            for each in renamings {
                code.line(" *     \(Texts.cComment(each.identifier))  for \(Texts.cComment(each.original)) (\(each.why))")
            }
        }
        code.line(" */")
        code.lines([
            "#ifndef \(upper)", "#define \(upper)", "", "#include <routable_typed.h>", "", "#ifdef __cplusplus",
            "extern \"C\" {", "#endif", "",
        ])
    }

    mutating func rule(_ title: String) {
        code.line("/* --- \(Texts.cComment(title)) --- */")
        code.line()
    }

    mutating func comment(_ text: String, indent: String = "") {
        let lines = Texts.wrapped(Texts.cComment(text), width: Self.width - 7 - indent.utf8.count)
        guard let first = lines.first else { return }
        if lines.count == 1 { return code.line("\(indent)/* \(first) */") }
        code.line("\(indent)/* \(first)")
        for line in lines.dropFirst().dropLast() { code.line("\(indent) * \(line)") }
        code.line("\(indent) * \(lines[lines.count - 1]) */")
    }

    /// The declaration of a function, wrapped if it is too long.
    mutating func function(_ returns: String, _ name: String, _ parameters: [String]) {
        let start = "static inline " + Self.declaration(returns, name) + "("
        let all = parameters.isEmpty ? "void" : parameters.joined(separator: ", ")
        if start.utf8.count + all.utf8.count + 1 <= Self.width || parameters.isEmpty {
            code.line(start + all + ")")
        } else {
            code.line(start)
            var line = "   "
            for (index, parameter) in parameters.enumerated() {
                let piece = " " + parameter + (index + 1 < parameters.count ? "," : ")")
                if line.utf8.count + piece.utf8.count > Self.width && line != "   " {
                    code.line(line)
                    line = "   "
                }
                line += piece
            }
            code.line(line)
        }
        code.line("{")
    }
}

extension Blueprint {
    /// Names in the tables of C are terminated by NUL: members and parameters whose names contain a NUL are omitted.
    fileprivate var withoutNUL: Blueprint {
        var result = self
        for index in records.indices { result.records[index].fields.removeAll { $0.name.utf8.contains(0) } }
        for index in actions.indices { result.actions[index].parameters.removeAll { $0.name.utf8.contains(0) } }
        for resource in resources.indices {
            for index in resources[resource].actions.indices {
                result.resources[resource].actions[index].parameters.removeAll { $0.name.utf8.contains(0) }
            }
        }
        return result
    }
}
