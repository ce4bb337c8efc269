import Foundation
import Sodium
import Testing

@Suite struct HexTests {
    @Test(arguments: [([], ""), ([0], "00"), ([0xde, 0xad, 0x0f, 0xff], "dead0fff")] as [([UInt8], String)])
    func bytesAndTextAreEachOther(bytes: [UInt8], text: String) {
        #expect(Hex.encode(bytes) == text)
        #expect(Hex.decode(text) == bytes)
        #expect(Hex.decode(text.uppercased()) == bytes)
    }

    @Test(arguments: ["0", "abc", "0g", "00 11", "00:11", " 00", "00\n", "00\0", "é0"])
    func otherTextIsRefused(text: String) {
        #expect(Hex.decode(text) == nil)
    }
}

@Suite struct Base64URLTests {
    /// RFC 4648, section 10, without the padding, and the two characters that URLs have of their own.
    @Test(arguments: [
        ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ("foobar", "Zm9vYmFy"), ("??>", "Pz8-"), ("???", "Pz8_"),
    ])
    func bytesAndTextAreEachOther(bytes: String, text: String) {
        #expect(Base64URL.encode(Array(bytes.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(bytes.utf8))
    }

    @Test(arguments: 0..<70)
    func everyLengthSurvivesTheRoundTrip(count: Int) {
        let bytes = RandomBytes.make(count)
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
        #expect(Base64URL.encode(bytes) == foundationText(of: bytes))
    }

    @Test(arguments: ["Z", "Zg==", "Zh", "Zm9vZ", "Pz8+", "Pz8/", "Zg ", " Zg", "Z\ng", "Zg\0", "Zm8é"])
    func otherTextIsRefused(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    private func foundationText(of bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }
}
