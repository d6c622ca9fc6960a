// Reads the response to a refresh: a token, its lifetime, and the token for the next refresh.

package import RoutableCore
internal import RoutableJSON

package enum TokenDocument {
    /// Maximum length of a token.
    private static let maximumTokenBytes = 64 << 10

    /// Reads a token from the response of a token endpoint (RFC 6749 section 5) or of the refresh operation of a document.
    ///
    /// - Parameter secrets: secrets of the request, which are masked in the response of a failure.
    /// - Throws: `credential` if the service refuses or the response has no token; the message contains no secret.
    package static func read(_ answer: Answer, _ scheme: AuthScheme, _ secrets: [Bytes] = []) throws(Failure) -> Token {
        if answer.status < 200 || answer.status > 299 {
            throw failure(scheme, "the service responded with \(answer.status)\(reason(answer.body))") {
                $0.httpStatus = answer.status
                $0.response = shown(answer, secrets)
            }
        }
        let document: JSONDocument
        do { document = try JSONDocument.read(answer.body.buffer) } catch {
            throw failure(scheme, "the response is not JSON")
        }
        defer { withExtendedLifetime(document) {} }
        let root = document.view
        guard let found = find(scheme.tokenPointer, root), found.kind == .text, case let text = found.content, !text.isEmpty,
            text.count <= maximumTokenBytes, HeaderField.isValidValue(text)
        else { throw failure(scheme, "the response has no token at \(scheme.tokenPointer.printable)") }
        if scheme.kind == .oauth2, let kind = find("/token_type", root), kind.kind == .text,
            case let word = kind.content, !word.storage.withUnsafeBytes({ $0.isName("bearer") })
        {
            throw failure(scheme, "the token is of the type \(word.printable); Bearer is expected")
        }
        var token = Token(text)
        if let life = find(scheme.lifetimePointer, root) {
            // Some services write the number as a string.
            let seconds = life.kind == .text ? Decimal.parse(life.content).map { Double($0) } : numberOf(life)
            if let seconds, seconds >= 0, seconds < 4_000_000_000 {
                token.lifetimeMilliseconds = Int64(seconds * 1000)  // proof: below 2^42.
            }
        }
        if let refresh = find(scheme.refreshTokenPointer, root), refresh.kind == .text, case let word = refresh.content,
            !word.isEmpty,
            word.count <= maximumTokenBytes
        {
            token.refresh = word
        }
        return token
    }

    private static func numberOf(_ view: JSONView) -> Double? {
        let number = view.number
        return (view.kind == .integer || view.kind == .real) && number.isFinite ? number : nil
    }

    /// `: invalid_grant`, if the response has an error code.
    private static func reason(_ body: Text) -> Bytes {
        let word = word(body)
        return word.isEmpty ? word : ": \(word)"
    }

    /// The response of the service with the secrets of the request masked.
    package static func shown(_ answer: Answer, _ secrets: [Bytes]) -> Response {
        var answer = answer
        if let body = masked(answer.body.bytes, secrets) { answer.body = Text(body) }
        return Response(answer, .raw, .empty)
    }

    private static let mask: Bytes = "***"
    /// Maximum length of a body that is searched for secrets; a longer one is omitted.
    private static let maximumShownBytes = 64 << 10
    /// Maximum length of the prefix of a secret that is searched for.
    private static let maximumSearchedBytes = 512

    /// The string with each secret masked; nil if it contains none.
    private static func masked(_ text: Bytes, _ secrets: [Bytes]) -> Bytes? {
        if text.count > maximumShownBytes { return Bytes(text.storage[..<0]) }
        var result = text
        var isChanged = false
        for secret in secrets where secret.count >= 4 {
            let isLong = secret.count > maximumSearchedBytes
            let searched = isLong ? Bytes(secret.storage[..<maximumSearchedBytes]) : secret
            guard let found = result.replacing(searched, with: mask) else { continue }
            if isLong { return mask }
            result = found
            isChanged = true
        }
        return isChanged ? result : nil
    }

    /// The error code of an error response (RFC 6749 section 5.2); empty if there is none.
    package static func word(_ body: Text) -> Bytes {
        guard let document = try? JSONDocument.read(body.buffer), let error = find("/error", document.view), error.kind == .text
        else { return Bytes() }
        let word = error.content
        withExtendedLifetime(document) {}
        return word.count <= 40 && word.storage.allSatisfy { ASCII.isIdentifier($0) } ? word : Bytes()
    }

    private static func failure(
        _ scheme: AuthScheme, _ why: Bytes, _ complete: (inout Failure.Fields) -> Void = { _ in }
    ) -> Failure {
        Failure(.credential, "the credential \"\(scheme.name.printable)\" could not be refreshed: \(why)") {
            $0.parameter = scheme.name
            complete(&$0)
        }
    }

    private static func find(_ pointer: Bytes, _ root: JSONView) -> JSONView? { root.find(pointer)?.value }
}

extension Rejections {
    /// Whether a response with that body rejects the token.
    package func rejects(_ status: Int32, _ body: Text) -> Bool {
        let document = try? JSONDocument.read(body.buffer)
        defer { withExtendedLifetime(document) {} }
        return rules.contains { rule in
            if rule.status != 0 && rule.status != status { return false }
            guard let code = rule.code else { return true }
            guard let found = document?.view.find(code.pointer)?.value else { return false }
            switch found.kind {
            case .text: return found.content == code.value
            case .integer: return Bytes(found.source) == code.value
            default: return false
            }
        }
    }
}
