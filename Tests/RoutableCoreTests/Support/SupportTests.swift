// Strings, base64, nearest names.

import TestSupport
import Testing

@testable import RoutableCore

@Suite("Support")
struct SupportTests {
    @Test("a text has a NUL behind it, however it was made", arguments: [0, 1, 15, 16, 31, 4096])
    func terminated(count: Int) throws {
        var bytes = [UInt8](repeating: 0x61, count: count)
        let whole = Bytes(bytes)
        let written = Text(capacity: count + 1) { start in
            for index in 0..<count { start[index] = 0x61 }
            start[count] = 0
            return count
        }
        for text in [Text(whole), whole.storage.withUnsafeBytes { Text($0) }, Text(sharing: &bytes), try #require(written)] {
            #expect(text.count == count && text.start[count] == 0 && text.bytes == whole && text.isEmpty == (count == 0))
            #expect(text.isSame(as: Text(whole)))
        }
        #expect(Text(capacity: 8) { _ in -1 } == nil)
    }

    @Test("a text stays as it is when the array that it shares is changed")
    func shared() {
        var bytes: [UInt8] = [1, 2, 3]
        let text = Text(sharing: &bytes)
        bytes.append(4)
        bytes[0] = 9
        #expect(text.bytes == Bytes([1, 2, 3]) && text.start[3] == 0 && bytes == [9, 2, 3, 4])
        var copy = text.bytes
        copy.append("x")
        #expect(text.bytes == Bytes([1, 2, 3]) && text.start[3] == 0)
    }

    @Test("a part of a text lies within it")
    func slices() {
        let text: Text = "hello"
        #expect(TextRange(text, 1..<4).map { Bytes($0.buffer) } == "ell")
        #expect(TextRange(text, 1..<6) == nil)
        #expect(TextRange(text, 5..<5)?.count == 0)
    }

    @Test(
        "the name that was meant",
        arguments: [
            ("resuorces", "resources"), ("Reed", "read"), ("x", nil), ("", nil), ("statsu", "status"),
        ] as [(String, String?)])
    func nearest(name: String, expected: String?) {
        let known: [Bytes] = ["read", "resources", "status"]
        #expect(NearestName.find(Bytes(name), among: known)?.string == expected)
    }

    @Test("base64 is strict and round trips")
    func base64() {
        for count in 0..<20 {
            let bytes = Bytes((0..<count).map { UInt8($0 * 37 % 256) })
            let text = bytes.storage.withUnsafeBytes { Base64.encode($0) }
            #expect(Base64.decode(text).bytes == bytes && Base64.decode(text).fault == nil)
        }
        #expect(Base64.encode(UnsafeRawBufferPointer(start: nil, count: 0)).isEmpty)
        for (text, fault) in [
            ("Zg", 2), ("Zg=", 3), ("Zg==Zg==", 4), ("Zh==", 1), ("Z===", 1), ("Zm8 ", 3), ("Zm9=", 2),
        ] {
            #expect(Base64.decode(Bytes(text: text)).fault == fault, "\(text)")
        }
    }
}
