// A login with a code that the user enters on another device (RFC 8628).

internal import CSystem
package import RoutableCore
internal import RoutableJSON
internal import RoutablePerform

/// The code and the URL for the user.
package struct DeviceCode: Sendable {
    package var userCode = Text.empty
    package var url = Text.empty
    /// The URL that contains the code, for a QR code; empty for none.
    package var completeURL = Text.empty
    package var lifetimeMilliseconds: Int64 = 0
    package var intervalMilliseconds: Int64 = 0

    package init() {}
}

struct DeviceState {
    /// The device code; empty before the login begins and after it has ended.
    var code = Bytes()
    var interval: Int64 = 0
    /// The time at which the next request is allowed, and the time at which the code expires.
    var next: Int64 = 0
    var end: Int64 = 0
}

extension Login {
    private static let minimumInterval: Int64 = 1000
    private static let maximumInterval: Int64 = 600_000
    private static let maximumTextBytes = 2048

    /// Requests a code from the service.  A further call begins a new login.
    ///
    /// - Throws: `argument` without a device URL; `credential` for a refusal; the failures of performing.
    package func beginDevice() throws(Failure) -> DeviceCode {
        if deviceURL.isEmpty { throw failure("the description names no device URL: set it, or the issuer", .argument) }
        if values.tokenURLBytes.isEmpty {
            throw failure("the description names no token URL: set it, or the issuer", .argument)
        }
        device = DeviceState()
        var form: [(Bytes, Bytes)] = []
        if !values.scopeBytes.isEmpty { form.append(("scope", values.scopeBytes)) }
        // RFC 8628 section 3.1: the client id is a parameter, even if a header authenticates the client.
        if !values.clientSecretBytes.isEmpty && !values.sendsSecretInBody { form.append(("client_id", values.clientIdBytes)) }
        let answer = try client.answer(
            TokenRequest.exchange(deviceURL, form: form + TokenRequest.targets(scheme, values), values), scheme)
        if answer.status < 200 || answer.status > 299 {
            let word = TokenDocument.word(answer.body)
            throw failure(
                "the service responded with \(Int(answer.status)) to the request for a code\(word.isEmpty ? "" : ": \(word)" as Bytes)"
            ).with {
                $0.httpStatus = answer.status
                $0.response = TokenDocument.shown(answer, values.secrets)
            }
        }
        guard let document = try? JSONDocument.read(answer.body.buffer) else {
            throw failure("the response to the request for a code is not JSON")
        }
        defer { withExtendedLifetime(document) {} }
        func text(_ pointer: Bytes) -> Bytes {
            guard let found = document.view.find(pointer)?.value, found.kind == .text, case let text = found.content,
                text.count <= Self.maximumTextBytes, HeaderField.isValidValue(text)
            else { return Bytes() }
            return text
        }
        func seconds(_ pointer: Bytes, _ usual: Int64) -> Int64 {
            guard let found = document.view.find(pointer)?.value, found.kind == .integer || found.kind == .real,
                found.number >= 0, found.number < 4_000_000
            else { return usual }
            return Int64(found.number * 1000)  // proof: below 2^33.
        }
        func url(_ pointer: Bytes) -> Bytes {
            let url = text(pointer)
            return EndpointURL.isSecure(url) == nil ? Bytes() : url
        }
        // Services that are older than the standard have "url".
        let place = url("/verification_uri").isEmpty ? url("/verification_url") : url("/verification_uri")
        let code = text("/device_code")
        guard !code.isEmpty, !text("/user_code").isEmpty, !place.isEmpty else {
            throw failure("the response to the request for a code lacks device_code, user_code or verification_uri")
        }
        let now = csystem_monotonic_ms()
        let interval = max(Self.minimumInterval, min(seconds("/interval", 5000), Self.maximumInterval))
        let lifetime = seconds("/expires_in", 600_000)
        device = DeviceState(code: code, interval: interval, next: now &+ interval, end: now &+ lifetime)
        var shown = DeviceCode()
        shown.userCode = Text(text("/user_code"))
        shown.url = Text(place)
        shown.completeURL = Text(url("/verification_uri_complete"))
        shown.lifetimeMilliseconds = lifetime
        shown.intervalMilliseconds = interval
        return shown
    }

    /// Requests the token once, unless the interval of the service has not yet elapsed.
    ///
    /// - Returns: nil if the credential is set; otherwise the delay in milliseconds until the next call.
    /// - Throws: `credential` for a refusal and for an expired code, which end the login; the failures of performing.
    package func poll() throws(Failure) -> Int64? {
        if device.code.isEmpty { throw failure("it has not begun, or has ended: begin it again", .argument) }
        let now = csystem_monotonic_ms()
        if now >= device.end {
            device.code = Bytes()
            throw failure("the code has expired before the user entered it")
        }
        if now < device.next { return device.next &- now }
        device.next = now &+ device.interval
        let grant = TokenRequest.Grant("urn:ietf:params:oauth:grant-type:device_code", [("device_code", device.code)])
        let answer = try client.answer(TokenRequest.exchange(values.tokenURLBytes, grant, values), scheme)
        if answer.status >= 400 {
            let word = TokenDocument.word(answer.body)
            if word == "slow_down" { device.interval = min(device.interval &+ 5000, Self.maximumInterval) }
            if word == "slow_down" || word == "authorization_pending" {
                device.next = csystem_monotonic_ms() &+ device.interval
                return device.interval
            }
        }
        let code = device.code
        device.code = Bytes()
        try accept(answer, [code])
        return nil
    }
}
