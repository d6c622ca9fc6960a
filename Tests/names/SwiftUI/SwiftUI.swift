// A replacement of SwiftUI: names that the views of an application use together with Routable.

public protocol View {
    associatedtype Body
    var body: Body { get }
}

public struct Text: View {
    public let content: String
    public init(_ content: String) { self.content = content }
    public var body: Never { fatalError("a text has no parts") }
}

public struct Template: View {
    public init() {}
    public var body: Never { fatalError("a template has no parts") }
}
