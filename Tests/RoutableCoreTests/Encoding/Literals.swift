// Values as Swift literals, for the tests of encodings.

import RoutableCore
import Testing

/// A value; an object keeps the order of its literal.
struct Literal: Sendable {
    let value: RoutableCore.Value

    var members: [RoutableCore.Value.Member] {
        if case .object(let members) = value { members } else { [] }
    }
}

extension Literal: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByStringLiteral, ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    init(integerLiteral integer: Int64) { value = .integer(integer) }
    init(floatLiteral real: Double) { value = .real(real) }
    init(booleanLiteral truth: Bool) { value = .boolean(truth) }
    init(stringLiteral text: String) { value = .text(Bytes(text)) }
    init(nilLiteral: ()) { value = .null }
    init(arrayLiteral elements: Literal...) { value = .array(elements.map(\.value)) }
    init(dictionaryLiteral members: (String, Literal)...) {
        value = .object(members.map { RoutableCore.Value.Member(name: Bytes($0.0), value: $0.1.value) })
    }
}

/// An encoding from the keys and values of a route document.
func encoding(_ words: KeyValuePairs<String, String>) throws -> FormEncoding {
    var encoding = FormEncoding()
    for (name, word) in words {
        if name == "first_index" {
            encoding.firstIndex = try #require(Int(word))
        } else {
            let option = try #require(
                FormEncoding.Option.allCases.first { Bytes(stringLiteral: $0.name).string == name })
            try encoding.choose(option, Bytes(word))
        }
    }
    return encoding
}
