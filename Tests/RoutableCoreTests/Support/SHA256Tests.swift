// The vectors of FIPS 180-4 and of RFC 7636, appendix B.

import Testing

@testable import RoutableCore

@Suite("SHA-256")
struct SHA256Tests {
    @Test(
        "digests",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
        ])
    func digests(_ text: String, _ expected: String) {
        let digits = Array("0123456789abcdef".utf8)
        let got = SHA256.digest(Bytes(text)).storage.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
        #expect(String(decoding: got, as: UTF8.self) == expected)
    }

    @Test("the challenge of a verifier")
    func challenge() {
        let verifier: Bytes = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        #expect(Base64.encodeForURL(SHA256.digest(verifier)).string == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }
}
