// Splits headers that are lists, such as Accept and If-Match.

/// The elements of a header that is a list (RFC 9110 section 5.6.1).
package enum ListElements {
    /// Calls a function with each element that is not empty, without the white space around it.  A comma between quotes is part of an
    /// element.
    ///
    /// - Parameter escapes: whether a backslash between quotes escapes a quote.
    package static func each(_ header: Bytes, escapes: Bool, _ use: (Bytes) -> Void) {
        let bytes = header.storage
        var (start, place, isQuoted) = (0, 0, false)
        while place <= bytes.count {
            let byte = place < bytes.count ? bytes[place] : UInt8(ascii: ",")
            if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else if byte == UInt8(ascii: "\\") && isQuoted && escapes && place &+ 1 < bytes.count {
                place &+= 1
            } else if byte == UInt8(ascii: ",") && !isQuoted || place >= bytes.count {
                let element = Bytes(bytes[start..<min(place, bytes.count)]).trimmedOfBlanks
                if !element.isEmpty { use(element) }
                start = place &+ 1
            }
            place &+= 1
        }
    }
}
