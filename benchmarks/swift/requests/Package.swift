// swift-tools-version: 6.2
// Measures building a request in Swift, compared with the ways of the articles: `scripts/bench_swift`, which `make bench` runs.
import PackageDescription

let package = Package(
    name: "swift-bench",
    dependencies: [.package(name: "routable", path: "../../..")],
    targets: [
        .target(name: "CCounting"),
        .executableTarget(name: "bench", dependencies: ["CCounting", .product(name: "Routable", package: "routable")]),
        .executableTarget(name: "decoding", dependencies: [.product(name: "Routable", package: "routable")]),
    ],
    swiftLanguageModes: [.v6]
)
