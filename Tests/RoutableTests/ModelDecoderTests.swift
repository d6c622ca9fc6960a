// ModelDecoder and JSONDecoder return the same values, and errors of the same kind at the same place.

import Foundation
import Routable
import Testing

/// An error reduced to its kind, its key and its path; nil for the value.
private func outcome<Model: Decodable>(_ decode: () throws -> Model) -> String {
    do { return "\(try decode())" } catch {
        guard let error = error as? DecodingError else { return "another error: \(error)" }
        func path(_ context: DecodingError.Context) -> String { context.codingPath.map(\.stringValue).joined(separator: "/") }
        return switch error {
        case .keyNotFound(let key, let context): "keyNotFound \(key.stringValue) at \(path(context))"
        case .typeMismatch(let type, let context): "typeMismatch \(type) at \(path(context))"
        case .valueNotFound(let type, let context): "valueNotFound \(type) at \(path(context))"
        case .dataCorrupted(let context): "dataCorrupted at \(path(context))"
        @unknown default: "unknown"
        }
    }
}

private func compare<Model: Decodable>(
    _ type: Model.Type, _ json: String, _ options: (JSONDecoder) -> Void = { _ in }, at place: SourceLocation = #_sourceLocation
) {
    let decoder = JSONDecoder()
    options(decoder)
    let data = Data(json.utf8)
    let expected = outcome { try decoder.decode(type, from: data) }
    let own = outcome { try ModelDecoder(decoder).decode(type, from: data) }
    // JSONDecoder states no place in some errors of dates and of Data.
    if expected.hasSuffix(" at "), own.hasPrefix(expected) { return }
    #expect(own == expected, "\(type) from \(json)", sourceLocation: place)
}

private struct Point: Codable { var x: Int, y: Double?, name: String }
private struct Line: Codable { var points: [Point], closed: Bool, tags: [String: Int]? }
private struct Tree: Codable { var value: Int, children: [Tree]? }
private enum Color: String, Codable { case red, green }
private enum Shape: Codable { case circle(radius: Double), square(Int) }
private struct Times: Codable { var at: Date }
private struct Snake: Codable { var oneTwo: Int, _threeFour: String?, plain: [String: Int]? }

private class Base: Codable { var id: Int }
private final class Derived: Base {
    var more: String
    private enum Keys: String, CodingKey { case more }
    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        more = try container.decode(String.self, forKey: .more)
        try super.init(from: try container.superDecoder())
    }
}
extension Derived: CustomStringConvertible { var description: String { "\(id) \(more)" } }

/// Reads elements one by one, with nil and nested containers.
private struct Mixed: Decodable {
    var seen: [String] = []
    init(from decoder: any Decoder) throws {
        var all = try decoder.unkeyedContainer()
        seen.append("\(all.count ?? -1)")
        if try all.decodeNil() { seen.append("nil") }
        seen.append("\(try all.decode(Int.self)) \(all.currentIndex)")
        var inner = try all.nestedUnkeyedContainer()
        while !inner.isAtEnd { seen.append(try inner.decode(String.self)) }
        let keyed = try all.nestedContainer(keyedBy: Key.self)
        seen += keyed.allKeys.map(\.stringValue).sorted()
        seen.append("\(try keyed.decodeIfPresent(Int.self, forKey: Key(stringValue: "none")) ?? 0)")
        _ = try all.decode(Int.self)
    }
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

@Suite("ModelDecoder decodes as JSONDecoder does") struct ModelDecoderTests {
    static let scalars = [
        "0", "-0", "1", "-1", "127", "128", "255", "256", "-129", "2147483648", "9223372036854775807", "9223372036854775808",
        "-9223372036854775808", "18446744073709551615", "18446744073709551616", "1.0", "1.5", "1e2", "1E+2", "-1.5e-3", "0.1",
        "123456789012345678901234567890", "3.4028235e38", "1.7976931348623157e308", "true", "false", "null", "\"\"", "\"tea\"",
        #""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "\"é\"", "[]", "[1]", "{}", #"{"a":1}"#, " 1 ", "\n[ 1 , 2 ]\n",
    ]

    @Test(arguments: scalars) func scalar(_ json: String) {
        compare(Bool.self, json)
        compare(String.self, json)
        compare(Double.self, json)
        compare(Float.self, json)
        compare(Int.self, json)
        compare(Int8.self, json)
        compare(Int16.self, json)
        compare(Int32.self, json)
        compare(Int64.self, json)
        compare(UInt.self, json)
        compare(UInt8.self, json)
        compare(UInt16.self, json)
        compare(UInt32.self, json)
        compare(UInt64.self, json)
        compare(Decimal.self, json)
        compare(Int?.self, json)
        compare([Int].self, json)
        compare([String: Int].self, json)
        compare(Data.self, json)
        compare(URL.self, json)
        compare(Color.self, json)
        compare(Date.self, json)
        compare(UUID.self, json)
    }

    @Test func models() {
        compare(Point.self, #"{"x":1,"y":2,"name":"a"}"#)
        compare(Point.self, #"{"name":"a","x":1}"#)
        compare(Point.self, #"{"x":1,"y":null,"name":"a","more":[{"x":2}]}"#)
        compare(Point.self, #"{"n\u0061me":"a","x":1}"#)
        compare(Point.self, #"{"x":1}"#)
        compare(Point.self, #"{"x":"1","name":"a"}"#)
        compare(Point.self, #"{"x":null,"name":"a"}"#)
        compare(Point.self, #"{"x":1,"y":"no","name":"a"}"#)
        compare(Point.self, "[]")
        compare(Point.self, "null")
        compare(Line.self, #"{"closed":true,"points":[{"x":1,"name":"a"},{"name":"b","x":2}],"tags":{"a":1}}"#)
        compare(Line.self, #"{"closed":true,"points":[{"x":1,"name":"a"},{"name":"b"}]}"#)
        compare(Line.self, #"{"closed":true,"points":[{"x":1,"name":"a"},{"name":3,"x":1}]}"#)
        compare(Line.self, #"{"closed":true,"points":[],"tags":{"a":"b"}}"#)
        compare(Tree.self, #"{"value":1,"children":[{"value":2,"children":[]},{"value":3}]}"#)
        compare(Tree.self, #"{"value":1,"children":[{"value":2,"children":[{}]}]}"#)
        compare(Color.self, #""red""#)
        compare(Color.self, #""blue""#)
        compare([Color].self, #"["red","blue"]"#)
        compare(Shape.self, #"{"circle":{"radius":1.5}}"#)
        compare(Shape.self, #"{"square":{"_0":2}}"#)
        compare(Shape.self, #"{"circle":{},"square":{}}"#)
        compare(Shape.self, "{}")
        compare(Derived.self, #"{"more":"a","super":{"id":1}}"#)
        compare(Derived.self, #"{"more":"a"}"#)
        compare(Mixed.self, #"[null,1,["a","b"],{"k":1,"j":2},3]"#)
        compare(Mixed.self, #"[1,["a"],{},3]"#)
        compare(Mixed.self, #"[1,["a"],{}]"#)
        compare(Mixed.self, #"[1,["a"],[]]"#)
        compare(Mixed.self, "[]")
        compare([Int: String].self, #"{"1":"a"}"#)
        compare([Int?].self, "[1,null,3]")
        compare([[Int]].self, "[[1],[],[2,3]]")
        compare([URL].self, #"["https://a.example/b?c","http://["]"#)
    }

    @Test func strategies() {
        for json in [#"{"at":"2026-11-23T12:00:00Z"}"#, #"{"at":"tea"}"#, #"{"at":5.5}"#, #"{"at":null}"#, "{}"] {
            compare(Times.self, json)
            compare(Times.self, json) { $0.dateDecodingStrategy = .iso8601 }
            compare(Times.self, json) { $0.dateDecodingStrategy = .secondsSince1970 }
            compare(Times.self, json) { $0.dateDecodingStrategy = .millisecondsSince1970 }
            compare(Times.self, json) {
                $0.dateDecodingStrategy = .custom { Date(timeIntervalSince1970: Double(try String(from: $0).count)) }
            }
            compare(Times.self, json) {
                let formatter = DateFormatter()
                formatter.dateFormat = "yyyy-MM-dd'T'HH:mm:ssX"
                formatter.locale = Locale(identifier: "en_US_POSIX")
                $0.dateDecodingStrategy = .formatted(formatter)
            }
        }
        for json in [#""dGVh""#, #""?""#, "[1,2]", "[256]"] {
            compare(Data.self, json)
            compare(Data.self, json) { $0.dataDecodingStrategy = .deferredToData }
            compare(Data.self, json) { $0.dataDecodingStrategy = .custom { Data(try String(from: $0).utf8) } }
        }
        for json in ["\"+\"", "\"-\"", "\"?\"", "\"tea\"", "1.5"] {
            let strings = JSONDecoder.NonConformingFloatDecodingStrategy.convertFromString(
                positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            compare(Double.self, json) { $0.nonConformingFloatDecodingStrategy = strings }
            compare(Float.self, json) { $0.nonConformingFloatDecodingStrategy = strings }
        }
    }

    @Test func keys() {
        for json in [
            #"{"one_two":1,"_three_four":"a","plain":{"x_y":1}}"#, #"{"oneTwo":1}"#, #"{"one__two":1}"#, #"{"ONE_TWO":1}"#,
            #"{"one_two":"a"}"#, "{}",
        ] {
            compare(Snake.self, json) { $0.keyDecodingStrategy = .convertFromSnakeCase }
            compare(Snake.self, json) {
                $0.keyDecodingStrategy = .custom { path in
                    path.last!.stringValue == "ONE_TWO" ? Key("oneTwo") : path.last!
                }
            }
        }
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "[1", "[1,", "[1,]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{'a':1}",
        "01", "+1",
        ".5", "1.", "1e", "-", "tru", "nul", "True", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "\"\n\"", "1 2",
        "[1]]", "NaN",
        "Infinity", "// a\n1", "[1 2]", "\"a\" \"b\"", "{\"a\" 1}",
    ])
    func malformed(_ json: String) {
        #expect(outcome { try ModelDecoder().decode(JSONAny.self, from: Data(json.utf8)) } == "dataCorrupted at ")
        #expect(outcome { try ModelDecoder().decode([Int].self, from: Data(json.utf8)) } == "dataCorrupted at ")
        // JSONDecoder accepts a comma before the end of a container.
        if ["[1,]", "{\"a\":1,}"].contains(json) { return }
        #expect(throws: (any Error).self) { try JSONDecoder().decode(JSONAny.self, from: Data(json.utf8)) }
    }

    /// Visits every value.
    private struct JSONAny: Decodable, CustomStringConvertible {
        var description = ""
        init(from decoder: any Decoder) throws {
            if let members = try? [String: JSONAny](from: decoder) {
                description = "\(members.sorted { $0.key < $1.key })"
            } else if let elements = try? [JSONAny](from: decoder) {
                description = "\(elements)"
            } else {
                let one = try decoder.singleValueContainer()
                if one.decodeNil() {
                    description = "null"
                } else if let truth = try? one.decode(Bool.self) {
                    description = "\(truth)"
                } else if let number = try? one.decode(Double.self) {
                    description = "\(number)"
                } else {
                    description = try one.decode(String.self)
                }
            }
        }
    }

    @Test func userInfoReachesTheModel() throws {
        struct Informed: Decodable {
            var word: String
            init(from decoder: any Decoder) throws {
                word = decoder.userInfo[CodingUserInfoKey(rawValue: "word")!] as? String ?? ""
            }
        }
        var decoder = ModelDecoder()
        decoder.userInfo[CodingUserInfoKey(rawValue: "word")!] = "tea"
        #expect(try decoder.decode([Informed].self, from: Data("[1]".utf8))[0].word == "tea")
    }

    @Test("of equal keys the last is valid, as in the checks of bodies") func equalKeys() throws {
        let value = try ModelDecoder().decode(Point.self, from: Data(#"{"x":1,"name":"a","x":2,"n\u0061me":"b"}"#.utf8))
        #expect(value.x == 2 && value.name == "b")
    }

    @Test func aMarkAtTheStartIsSkipped() throws {
        #expect(try ModelDecoder().decode([Int].self, from: Data([0xEF, 0xBB, 0xBF] + Array("[1]".utf8))) == [1])
    }

    @Test func anyOrderOfMembersIsFound() throws {
        let names = (0..<100).map { "k\($0)" }
        let json = "{" + names.map { "\"\($0)\":\($0.dropFirst())" }.joined(separator: ",") + "}"
        struct Backwards: Decodable {
            var sum = 0
            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: Key.self)
                for number in (0..<100).reversed() { sum += try container.decode(Int.self, forKey: Key("k\(number)")) }
                if container.contains(Key("none")) { sum = 0 }
                sum += try container.decode(Int.self, forKey: Key("k50"))
            }
        }
        #expect(try ModelDecoder().decode(Backwards.self, from: Data(json.utf8)).sum == 4950 + 50)
    }
}
