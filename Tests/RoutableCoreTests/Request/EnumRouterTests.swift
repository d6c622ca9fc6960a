// docs/statements.md, E, E1-E6: the enum router of article 001, as standalone operations.

import RoutableCore
import Testing

private func router(_ change: (inout OperationDescription) -> Void = { _ in }) throws -> Router {
    var description = RouterDescription()
    description.name = "demo"
    description.base = "https://h/api"
    func add(_ name: Bytes, _ method: Bytes, _ path: Bytes, _ type: Scalar.Kind? = nil) {
        var operation = OperationDescription(name: name, method: method, path: path, place: .root)
        if let type {
            var id = ParameterDescription(name: "number", location: .path, isRequired: true)
            id.scalar = Scalar(type)
            operation.ids = [id]
        }
        change(&operation)
        description.operations.append(operation)
    }
    add("generalPost", "POST", "generalPostPath")
    add("getUserData", "GET", "getUserDataPath/{number}", .integer)
    add("deleteSomething", "DELETE", "deleteSomethingPath/{number}", .integer)
    add("root", "GET", "")
    return try Router.open(description)
}

@Suite("The enum router of article 001")
struct EnumRouterTests {
    @Test("E1: one function yields verb, URL and parameters, or throws")
    func E1_one_function() throws {
        var call = Call(operation: "generalPost")
        call.parameters = [Value.Member(name: "token", value: .text("abc"))]
        let router = try router()
        #expect(line(call, router) == "POST https://h/api/generalPostPath token=abc")
        call.operation = "generalPots"
        #expect(line(call, router).hasPrefix("unknown: no standalone operation \"generalPots\"; did you mean \"generalPost\"?"))
    }

    @Test("E2: paths with a number, and no path at all")
    func E2_paths() throws {
        var call = Call(operation: "getUserData")
        call.ids = .positional([.integer(5)])
        #expect(line(call, try router()) == "GET https://h/api/getUserDataPath/5")
        call.operation = "deleteSomething"
        call.ids = .positional([.integer(7)])
        #expect(line(call, try router()) == "DELETE https://h/api/deleteSomethingPath/7")
        #expect(line(Call(operation: "root"), try router()) == "GET https://h/api")
    }

    @Test("E3: each operation carries verb, parameters, URL and encoding")
    func E3_encoding() throws {
        var call = Call(operation: "generalPost")
        call.parameters = [Value.Member(name: "token", value: .text("abc"))]
        var encoding = FormEncoding()
        encoding.destination = .query
        let router = try router { $0.encoding = encoding }
        #expect(line(call, router) == "POST https://h/api/generalPostPath?token=abc")
    }

    @Test("E4: parameters in the query and a body set afterwards coexist")
    func E4_body_afterwards() throws {
        var call = Call(operation: "getUserData")
        call.ids = .positional([.integer(5)])
        call.parameters = [Value.Member(name: "token", value: .text("abc"))]
        let request = try router().request(for: call)
        try request.setBody("x", contentType: "text/plain")
        #expect(request.url.bytes == "https://h/api/getUserDataPath/5?token=abc")
        #expect(request.body?.bytes == "x")
    }

    @Test("E5: without parameters nothing is encoded")
    func E5_nothing() throws {
        let request = try router().request(for: Call(operation: "generalPost"))
        #expect(request.url.bytes == "https://h/api/generalPostPath")
        #expect(request.body == nil)
        #expect(request.headers.isEmpty)
    }

    @Test(
        "E6: integers print in plain decimal",
        arguments: [
            (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"), (0, "0"), (-1, "-1"),
            (1_000_000, "1000000"),
        ])
    func E6_integers(number: Int64, text: String) throws {
        var call = Call(operation: "getUserData")
        call.ids = .positional([.integer(number)])
        #expect(line(call, try router()) == "GET https://h/api/getUserDataPath/\(text)")
    }
}
