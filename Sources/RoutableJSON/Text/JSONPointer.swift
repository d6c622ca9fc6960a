// JSON pointers (RFC 6901): `/resources/user/can/0`.

package import RoutableCore

/// Operations on pointers that are strings.
package enum JSONPointer {
    /// Appends a token to `pointer`, with `~` and `/` escaped.
    package static func appending(_ token: Bytes, to pointer: Bytes) -> Bytes {
        var result = pointer
        result.storage.reserveCapacity(pointer.count &+ token.count &+ 1)
        result.append(UInt8(ascii: "/"))
        if !token.storage.contains(UInt8(ascii: "~")) && !token.storage.contains(UInt8(ascii: "/")) {
            result.append(token)
            return result
        }
        for byte in token.storage {
            switch byte {
            case UInt8(ascii: "~"): result.append("~0")
            case UInt8(ascii: "/"): result.append("~1")
            default: result.append(byte)
            }
        }
        return result
    }

    /// The tokens, unescaped; none for the whole document.
    package static func tokens(_ pointer: Bytes) -> [Bytes] {
        if pointer.storage.first != UInt8(ascii: "/") { return [] }
        return Bytes(pointer.storage.dropFirst()).split(on: UInt8(ascii: "/")).map(unescaped)
    }

    /// Decodes the escapes of a token: `~1` is `/`, `~0` is `~`.
    package static func unescaped(_ token: Bytes) -> Bytes {
        if !token.storage.contains(UInt8(ascii: "~")) { return token }
        var result = Bytes()
        var isEscape = false
        for byte in token.storage {
            if isEscape {
                result.append(byte == UInt8(ascii: "0") ? UInt8(ascii: "~") : UInt8(ascii: "/"))
                isEscape = false
            } else if byte == UInt8(ascii: "~") {
                isEscape = true
            } else {
                result.append(byte)
            }
        }
        return result
    }

    /// The index of an element; nil for a token that is none: leading zeros are not allowed.
    package static func index(_ token: Bytes) -> Int? {
        guard let first = token.storage.first, ASCII.isDigit(first), first != UInt8(ascii: "0") || token.count == 1 else {
            return nil
        }
        return Decimal.parse(token).flatMap { Int(exactly: $0) }
    }

    /// The value at the pointer with these tokens; if names are equal, the first member is used; nil if there is no such value.
    package static func target(_ tokens: [Bytes], in document: Value) -> Value? {
        var current = document
        for token in tokens {
            switch current {
            case .object(let members):
                guard let member = members.first(where: { $0.name == token }) else { return nil }
                current = member.value
            case .array(let elements):
                guard let index = index(token), index < elements.count else { return nil }
                current = elements[index]
            default: return nil
            }
        }
        return current
    }
}
