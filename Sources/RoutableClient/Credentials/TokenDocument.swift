// Reads the response to a refresh: a token, its lifetime, and the token for the next refresh.

package import RoutableCore
internal import RoutableJSON

package enum TokenDocument {
    /// More is no token.
    private static let maximumTokenBytes = 64 << 10

    /// Reads a token from the answer of a token endpoint (RFC 6749 section 5), or of a document's own operation.
    ///
    /// - Throws: `credential` when it refuses or brings no token; no message has a secret in it.
    package static func read(_ answer: Answer, _ scheme: AuthScheme) throws(Failure) -> Token {
        if answer.status < 200 || answer.status > 299 {
            throw failure(scheme, "the service responded with \(answer.status)\(reason(answer.body))") {
                $0.httpStatus = answer.status
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
            // Some services write the number as a text.
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

    /// `: invalid_grant`, if the answer has such a word (RFC 6749 section 5.2).
    private static func reason(_ body: Text) -> Bytes {
        guard let document = try? JSONDocument.read(body.buffer), let error = find("/error", document.view), error.kind == .text
        else { return Bytes() }
        let word = error.content
        let isWord = word.count <= 40 && word.storage.allSatisfy { ASCII.isIdentifier($0) }
        withExtendedLifetime(document) {}
        return isWord ? ": \(word)" : Bytes()
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
