// swift-tools-version: 6.2
// The `routable` command, in a package of its own: whoever depends on the library resolves no third-party package.
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

// Where nothing may be fetched, a folder has the packages: ROUTABLE_PACKAGES (scripts/fetch_packages).
let argumentParser: Package.Dependency =
    if let folder = Context.environment["ROUTABLE_PACKAGES"], !folder.isEmpty {
        .package(path: "\(folder)/swift-argument-parser")
    } else {
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
    }

let package = Package(
    name: "routable-command",
    products: [.executable(name: "routable", targets: ["RoutableCommand"])],
    dependencies: [
        .package(name: "routable", path: ".."),
        argumentParser,
    ],
    targets: [
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .target(
            name: "RoutableGenerate",
            dependencies: [
                .product(name: "RoutableCore", package: "routable"),
                .product(name: "RoutableJSON", package: "routable"),
                .product(name: "RoutableSchema", package: "routable"),
                .product(name: "RoutableDocuments", package: "routable"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "RoutableCommand",
            dependencies: [
                "CYAML", "RoutableGenerate",
                .product(name: "RoutableCore", package: "routable"),
                .product(name: "RoutableJSON", package: "routable"),
                .product(name: "RoutableSchema", package: "routable"),
                .product(name: "RoutableDocuments", package: "routable"),
                .product(name: "RoutableClient", package: "routable"),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings
        )
    ]
)
