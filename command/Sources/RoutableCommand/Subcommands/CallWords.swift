// The arguments that make a call, which `build` and `send` share.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct CallWords: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "ROUTE#OPERATION (user.status#create), or the name of a standalone operation. Not with --call.",
            valueName: "operation"))
    var operation: String?

    @Argument(help: ArgumentHelp("The ids, from left to right.", valueName: "id"))
    var ids: [String] = []

    @Option(
        name: .customLong("id"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An id by its name: user_id=ann.", valueName: "name=value"))
    var namedIds: [String] = []

    @Option(
        name: [.customShort("q"), .customLong("query")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A declared query parameter. With := the value is JSON: tags:='[\"a\"]'.", valueName: "name=value"))
    var query: [String] = []

    @Option(
        name: [.customShort("p"), .customLong("parameter")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An undeclared parameter, which is written into the query or the body.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header. @FILE contains one header in each line, which keeps secrets out of the command line.",
            valueName: "name: value"))
    var headers: [String] = []

    @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("A cookie.", valueName: "name=value"))
    var cookie: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("data")], parsing: .unconditional,
        help: ArgumentHelp("The body as JSON. @FILE is the content of a file, and @- is standard input.", valueName: "json"))
    var data: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The body, sent unchanged. @FILE and @- as for -d.", valueName: "text"))
    var dataRaw: String?

    @Option(help: ArgumentHelp("The media type of the body.", valueName: "type"))
    var contentType: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The whole call as JSON (docs/json-tier.md). @FILE and @- as for -d.", valueName: "json"))
    var call: String?

    func request(_ router: Router) throws -> Request {
        do { return try router.request(for: try call(router)) } catch let failure as Failure {
            throw failure.status == .file ? failure as any Error : Staged(failure: failure, ending: .call)
        }
    }

    private func call(_ router: Router) throws -> Call {
        if let call {
            guard operation == nil, headers.isEmpty, query.isEmpty, parameters.isEmpty, data == nil, dataRaw == nil,
                namedIds.isEmpty, cookie.isEmpty, contentType == nil
            else {
                throw ValidationError("--call contains the whole call, and cannot be combined with other arguments of a call")
            }
            let text = try Self.content(call)
            return try text.withBuffer { (buffer) throws(Failure) in try CallDocument.read(buffer) }
        }
        guard let operation else { throw ValidationError("an operation such as user.status#create, or --call, is required") }
        let (route, name) = Self.parts(Bytes(operation), router)
        var result = Call(operation: name)
        result.route = route
        if namedIds.isEmpty {
            result.ids = .positional(ids.map { .text(Bytes($0)) })
        } else {
            guard ids.isEmpty else { throw ValidationError("ids are given by position or with --id, not both") }
            result.ids = .named(try namedIds.map { try Self.member($0) })
        }
        result.query = try query.map { try Self.member($0) }
        if !parameters.isEmpty { result.parameters = try parameters.map { try Self.member($0) } }
        result.cookies = try cookie.map { try Self.member($0) }
        result.headers = try headerMembers()
        if data != nil && dataRaw != nil { throw ValidationError("a request has only one body: use --data or --data-raw") }
        if let data {
            let text = try Self.content(data)
            result.body = .value(try text.withBuffer { (buffer) throws(Failure) in try CallDocument.value(buffer) })
        }
        if let dataRaw { result.body = .bytes(try Self.content(dataRaw)) }
        result.contentType = contentType.map { Bytes($0) }
        return result
    }

    /// The name of a standalone operation may have a # itself.
    private static func parts(_ text: Bytes, _ router: Router) -> (route: Bytes, operation: Bytes) {
        guard router.operation(named: text) == nil, let mark = text.storage.lastIndex(of: UInt8(ascii: "#")) else {
            return (Bytes(), text)
        }
        return (Bytes(text.storage[..<mark]), Bytes(text.storage[(mark + 1)...]))
    }

    private func headerMembers() throws -> [Value.Member] {
        var lines: [Bytes] = []
        for header in headers {
            if header.first == "@" {
                lines += try Self.content(header).split(on: 0x0A).filter { !$0.isEmpty }
            } else {
                lines.append(Bytes(header))
            }
        }
        return try lines.map { line in
            guard let colon = line.storage.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
                throw ValidationError("a header must have the form NAME: VALUE")  // it may hold a secret, and is not quoted
            }
            var value = line.storage[(colon + 1)...]
            while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
            while let last = value.last, last == 0x20 || last == 0x09 || last == 0x0D { value.removeLast() }
            return .init(name: Bytes(line.storage[..<colon]), value: .text(Bytes(value)))
        }
    }

    /// `name=value` is text, `name:=value` JSON.
    private static func member(_ word: String) throws -> Value.Member {
        let text = Bytes(word)
        guard let sign = text.storage.firstIndex(of: UInt8(ascii: "=")), sign > 0 else {
            throw ValidationError("'\(word)' does not have the form NAME=VALUE")
        }
        let value = Bytes(text.storage[(sign + 1)...])
        if sign > 1, text.storage[sign - 1] == UInt8(ascii: ":") {
            do throws(Failure) {
                let json = try value.withBuffer { (buffer) throws(Failure) in try CallDocument.value(buffer) }
                return .init(name: Bytes(text.storage[..<(sign - 1)]), value: json)
            } catch { throw ValidationError("'\(word)': the value after := is not JSON: \(error.message.string)") }
        }
        return .init(name: Bytes(text.storage[..<sign]), value: .text(value))
    }

    private static func content(_ word: String) throws(Failure) -> Bytes {
        guard word.first == "@" else { return Bytes(word) }
        return try File.read(String(word.dropFirst()), limit: Limits.formBytes)
    }
}
#endif
