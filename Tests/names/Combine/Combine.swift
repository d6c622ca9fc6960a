// A replacement of Combine: names that a program with publishers uses together with Routable.

public protocol Publisher<Output, Failure> {
    associatedtype Output
    associatedtype Failure: Error
}

public struct Empty<Output, Failure: Error>: Publisher {
    public init() {}
}

public struct Just<Output>: Publisher {
    public typealias Failure = Never
    public let output: Output
    public init(_ output: Output) { self.output = output }
}
