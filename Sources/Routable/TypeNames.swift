// The default names of resources and APIs: the names of their types, in snake case.
//
// Only in the product: a declaration for `make ROUTES=` is compiled without reflection and must declare its names.

internal import Foundation
public import RoutableCore

extension Resource {
    /// The name of the type in snake case: `user_profile` for `enum UserProfile`.
    ///
    /// A constant is faster, and does not change if the type is renamed.
    public static var name: String { TypeNames.name(of: Self.self) }
}

extension API {
    /// The name of the type in snake case: `social_network` for `enum SocialNetwork`.
    public static var name: String { TypeNames.name(of: Self.self) }
}

private enum TypeNames {
    private static let known = Locked<[ObjectIdentifier: String]>([:])

    static func name(of type: Any.Type) -> String {
        known.withLock { known in
            if let name = known[ObjectIdentifier(type)] { return name }
            let name = snakeCase(String(describing: type).prefix { $0 != "<" })
            known[ObjectIdentifier(type)] = name
            return name
        }
    }

    /// A word begins at a capital after a lower-case letter or a digit, and at the last of several capitals before a lower-case letter:
    /// `HTTPLog2Entry` is `http_log2_entry`.
    private static func snakeCase(_ name: Substring) -> String {
        let letters = Array(name)
        var result = ""
        for (index, letter) in letters.enumerated() {
            if index > 0, letter.isUppercase {
                let endsCapitals = index + 1 < letters.count && letters[index + 1].isLowercase
                if !letters[index - 1].isUppercase && letters[index - 1] != "_"
                    || endsCapitals && letters[index - 1].isUppercase
                {
                    result += "_"
                }
            }
            result += letter.lowercased()
        }
        return result
    }
}
