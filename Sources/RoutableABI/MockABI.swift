// Mocks (routable_mock.h).

public import CRoutable
internal import RoutableClient
internal import RoutableCore
internal import RoutableMock
internal import RoutableService

@_cdecl("routable_mock_new") @implementation
public func routable_mock_new(
    _ router: OpaquePointer?, _ options: UnsafePointer<routable_mock_options>?,
    _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let router = try Handle.planned(router)
        let given = try RoutableABI.options(options, routable_mock_options(), "options")
        let anonymous = UInt32(ROUTABLE_MOCK_ANONYMOUS)
        try check(flags: given.flags, within: anonymous, "options.flags")
        var made = MockOptions()
        made.seed = given.seed
        made.basePath = try ReceiveOptions.basePath(given.base_path)
        made.idPointer = optionalName(given.id_pointer) ?? Bytes()
        made.requiresCredentials = given.flags & anonymous == 0
        if let changed = given.changed {
            let data = given.user_data
            made.journal = { (changes) throws(Failure) in
                let texts = changes.map { (path: Text($0.path), json: Text($0.json ?? Bytes())) }
                // This check must be last, so that no change of a request that fails is reported.
                try Memory.check()
                for text in texts {
                    let status = changed(routable_str(text.path), routable_str(text.json), data)
                    if status != ROUTABLE_OK {
                        throw Failure(
                            .callback, "options.changed has returned \(Int(status.rawValue)) for a change of the store")
                    }
                }
                withExtendedLifetime(texts) {}
            }
        }
        try made.check()
        try Handle.give(Mock(router, made), out)
    }
}

@_cdecl("routable_mock_free") @implementation
public func routable_mock_free(_ mock: OpaquePointer?) { Handle.free(mock, Mock.self) }

@_cdecl("routable_mock_answer") @implementation
public func routable_mock_answer(_ handle: OpaquePointer?, _ mock: UnsafeMutableRawPointer?) {
    _ = attemptChange(nil) { () throws(Failure) in
        let exchange = try Handle.required(handle, TransportExchange.self, "exchange")
        defer { Handle.free(handle, TransportExchange.self) }
        guard let mock = mock.map({ Handle.object(OpaquePointer($0), Mock.self) }) else {
            try exchange.reply(TransportReply(.null("user_data")))
            return
        }
        try mock.answer(exchange)
    }
}

@_cdecl("routable_mock_respond") @implementation
public func routable_mock_respond(
    _ mock: OpaquePointer?, _ incoming: UnsafePointer<routable_incoming>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ curlCode: UnsafeMutablePointer<Int32>?, _ delay: UnsafeMutablePointer<Int64>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let out = try required(out, "out")
        let response = try Handle.required(mock, Mock.self, "mock").respond(try Incoming(incoming))
        // From here on, failed allocations are ignored: the request has already changed the store.
        out.pointee = Handle.make(response.reply)
        curlCode?.pointee = response.curlCode
        delay?.pointee = response.delayMilliseconds
    }
}

@_cdecl("routable_mock_put") @implementation
public func routable_mock_put(
    _ mock: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ json: UnsafePointer<CChar>?, _ length: Int,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let mock = try Handle.required(mock, Mock.self, "mock")
        try mock.put(try nameText(path, "path"), json: Bytes(try input(json, length, "json")))
    }
}

@_cdecl("routable_mock_problems") @implementation
public func routable_mock_problems(
    _ mock: OpaquePointer?, _ out: UnsafeMutablePointer<routable_string>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try give(try Handle.required(mock, Mock.self, "mock").problems(), out)
    }
}

@_cdecl("routable_mock_count") @implementation
public func routable_mock_count(_ mock: OpaquePointer?) -> Int { mock.map { Handle.object($0, Mock.self).count } ?? 0 }

@_cdecl("routable_mock_reset") @implementation
public func routable_mock_reset(_ mock: OpaquePointer?) { mock.map { Handle.object($0, Mock.self).reset() } }

@_cdecl("routable_mock_add_fault") @implementation
public func routable_mock_add_fault(
    _ mock: OpaquePointer?, _ pointer: UnsafePointer<routable_mock_fault>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let mock = try Handle.required(mock, Mock.self, "mock")
        guard pointer != nil else { throw .null("fault") }
        let given = try options(pointer, routable_mock_fault(), "fault")
        var fault = MockFault()
        fault.route = optionalName(given.route)
        fault.operation = optionalName(given.operation)
        fault.times = given.times < 0 ? nil : given.times == 0 ? 1 : Int(given.times)
        fault.rate = given.rate == 0 ? 1_000_000 : Int(given.rate)
        fault.status = given.http_status
        fault.retryAfter = given.retry_after
        fault.curlCode = given.curl_code
        fault.delayMilliseconds = given.delay_ms
        try check(flags: given.wrong_body, within: 1, "fault.wrong_body")
        fault.isWrong = given.wrong_body != 0
        try mock.add(fault)
    }
}
