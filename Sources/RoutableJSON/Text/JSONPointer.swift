// JSON pointers (RFC 6901): `/resources/user/can/0`.

internal import RoutableCore

/// Pointers as text.
enum JSONPointer {
    /// `pointer` with one more token: `~` and `/` are escaped.
    static func appending(_ token: Bytes, to pointer: Bytes) -> Bytes {
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
    static func tokens(_ pointer: Bytes) -> [Bytes] {
        if pointer.storage.first != UInt8(ascii: "/") { return [] }
        return Bytes(pointer.storage.dropFirst()).split(on: UInt8(ascii: "/")).map(unescaped)
    }

    private static func unescaped(_ token: Bytes) -> Bytes {
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
}
