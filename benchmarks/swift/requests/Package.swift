// swift-tools-version: 6.2
// What building a request from Swift costs, beside the articles' ways: `scripts/bench_swift`, which `make bench` runs.
import PackageDescription

let package = Package(
    name: "swift-bench",
    dependencies: [.package(name: "routable", path: "../../..")],
    targets: [
        .target(name: "CCounting"),
        .executableTarget(name: "bench", dependencies: ["CCounting", .product(name: "Routable", package: "routable")]),
    ],
    swiftLanguageModes: [.v6]
)
