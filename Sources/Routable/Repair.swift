// Decodes a response that deviates from its description, if its type can represent the response.
//
// Some services send null, an absent value, or another type of scalar where the description forbids it.  A model with an optional member
// can represent this as nil.  The response lists the deviation.

internal import Foundation
internal import RoutableCore
internal import RoutableDocuments

enum Repair {
    /// The value, with nil for each optional member whose value has another type; nil if the type cannot represent the body.
    ///
    /// The value at the coding path of each decoding error is replaced by null, or else its nearest ancestor, so that no other decoder or model
    /// is necessary.
    static func decode<Output: Decodable>(
        _ type: Output.Type, _ body: Text, _ response: Response, _ decoder: JSONDecoder?, _ first: any Error
    ) -> Output? {
        if response.deviations.isEmpty { return nil }
        guard var value = try? ValueDocument.read(body.bytes) else { return nil }
        if value.isNull, let none = (type as? any ExpressibleByNilLiteral.Type)?.init(nilLiteral: ()) as? Output { return none }
        var error = first
        for _ in 0..<(2 * Deviation.maximum) {
            guard var place = Answers.context(error)?.codingPath else { return nil }
            while !place.isEmpty && !value.clear(place[...]) { place.removeLast() }
            if place.isEmpty { return nil }
            guard let text = try? ValueDocument.write(value) else { return nil }
            do { return try text.storage.withUnsafeBytes { try Answers.read(type, $0, decoder) } } catch let next {
                error = next
            }
        }
        return nil
    }
}

extension RoutableCore.Value {
    /// Replaces the value at the path by null.  Returns false if there is no value, or it is already null.
    fileprivate mutating func clear(_ place: ArraySlice<any CodingKey>) -> Bool {
        guard let key = place.first else {
            if isNull { return false }
            self = .null
            return true
        }
        switch self {
        case .array(var elements):
            guard let index = key.intValue, elements.indices.contains(index), elements[index].clear(place.dropFirst()) else {
                return false
            }
            self = .array(elements)
        case .object(var members):
            let name = Bytes(key.stringValue)
            guard let index = members.firstIndex(where: { $0.name == name }), members[index].value.clear(place.dropFirst())
            else { return false }
            self = .object(members)
        default: return false
        }
        return true
    }
}
