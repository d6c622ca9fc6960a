// The arguments of a call, for `build` and `send`.

#if Command
import ArgumentParser
import RoutableCore
import RoutableDocuments

struct CallWords: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "ROUTE#OPERATION (user.status#create), the name of a standalone operation, or a method and a path (GET /users/ann). Not with --call.",
            valueName: "operation"),
        completion: .custom(Completion.operations))
    var operation: String?

    @Argument(help: ArgumentHelp("The ids, from left to right.", valueName: "id"))
    var ids: [String] = []

    @Option(
        name: .customLong("id"), parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An id by its name: user_id=ann.", valueName: "name=value"), completion: .custom(Completion.ids))
    var namedIds: [String] = []

    @Option(
        name: [.customShort("q"), .customLong("query")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A declared query parameter. With := the value is JSON: tags:='[\"a\"]'.", valueName: "name=value"),
        completion: .custom(Completion.query))
    var query: [String] = []

    @Option(
        name: [.customShort("p"), .customLong("parameter")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An undeclared parameter, which is written into the query or the body.", valueName: "name=value"))
    var parameters: [String] = []

    @Option(
        name: [.customShort("H"), .customLong("header")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A header. @FILE contains one header in each line, which keeps secrets out of the command line.",
            valueName: "name: value"),
        completion: .custom(Completion.headers))
    var headers: [String] = []

    @Option(
        parsing: .unconditionalSingleValue, help: ArgumentHelp("A cookie.", valueName: "name=value"),
        completion: .custom(Completion.cookies))
    var cookie: [String] = []

    @Option(
        name: [.customShort("d"), .customLong("data")], parsing: .unconditional,
        help: ArgumentHelp("The body as JSON. @FILE is the content of a file, and @- is standard input.", valueName: "json"))
    var data: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The body, sent unchanged. @FILE and @- as for -d.", valueName: "text"))
    var dataRaw: String?

    @Option(
        name: [.customShort("F"), .customLong("form")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "A member of the body. With @FILE or @FILE;type=TYPE it is the file, as a part of a multipart body. With := the value is JSON.",
            valueName: "name=value"))
    var form: [String] = []

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
                namedIds.isEmpty, cookie.isEmpty, form.isEmpty, contentType == nil
            else {
                throw ValidationError("--call contains the whole call, and cannot be combined with other arguments of a call")
            }
            let text = try Self.content(call)
            return try text.withBuffer { (buffer) throws(Failure) in try CallDocument.read(buffer) }
        }
        guard let operation else { throw ValidationError("an operation such as user.status#create, or --call, is required") }
        let target = CallTarget(router, ids.map { Bytes($0) }, try namedIds.map { try Self.member($0) })
        var result = try target.call(Bytes(operation))
        result.query += try query.map { try Self.member($0) }
        if !parameters.isEmpty {
            result.parameters = (result.parameters ?? []) + (try parameters.map { try Self.member($0) })
        }
        result.cookies = try cookie.map { try Self.member($0) }
        result.headers = try headerMembers()
        if [data != nil, dataRaw != nil, !form.isEmpty].filter({ $0 }).count > 1 {
            throw ValidationError("a request has only one body: use one of --data, --data-raw and --form")
        }
        if let data {
            let text = try Self.content(data)
            result.body = .value(try text.withBuffer { (buffer) throws(Failure) in try CallDocument.value(buffer) })
        }
        if let dataRaw { result.body = .bytes(try Self.content(dataRaw)) }
        if !form.isEmpty { try setForm(&result) }
        result.contentType = contentType.map { Bytes($0) }
        return result
    }

    /// `name=@file` and `name=@file;type=image/png` are files, all other arguments are members of the body.
    private func setForm(_ call: inout Call) throws {
        var members: [Value.Member] = []
        for word in form {
            let text = Bytes(word)
            guard let sign = text.storage.firstIndex(of: UInt8(ascii: "=")), sign > 0 else {
                throw ValidationError("'\(word)' does not have the form NAME=VALUE")
            }
            var path = text.storage[(sign + 1)...]
            guard path.first == UInt8(ascii: "@") else {
                members.append(try Self.member(word))
                continue
            }
            path = path.dropFirst()
            var type = Bytes()
            if let mark = Bytes(path).range(of: ";type=") {
                type = Bytes(Bytes(path).storage[(mark + 6)...])
                path = path.prefix(mark)
            }
            let file = Bytes(path)
            if file.isEmpty || file == "-" { throw ValidationError("'\(word)' does not name a file") }
            call.files.append(
                Multipart.Part(
                    name: Bytes(text.storage[..<sign]), content: StreamedBody.Piece(file: file), filename: file.lastComponent,
                    contentType: type))
        }
        if !members.isEmpty || call.files.isEmpty { call.body = .value(.object(members)) }
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
                throw ValidationError("a header must have the form NAME: VALUE")  // it can contain a secret, and is not printed
            }
            var value = line.storage[(colon + 1)...]
            while let first = value.first, first == 0x20 || first == 0x09 { value.removeFirst() }
            while let last = value.last, last == 0x20 || last == 0x09 || last == 0x0D { value.removeLast() }
            return .init(name: Bytes(line.storage[..<colon]), value: .text(Bytes(value)))
        }
    }

    /// `name=value` is a string, `name:=value` is JSON.
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
