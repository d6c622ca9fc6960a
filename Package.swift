// swift-tools-version: 6.2
// The sources as ordinary Swift modules: for Swift programs, the tests and the sanitizers.  The Makefile builds the C library
// libroutable.so from the same sources, as Embedded Swift.
import PackageDescription

// Each layer with the modules that it may import, lowest first.  The Makefile states the same for the C library;
// scripts/check_layers compares both with the imports of the sources.
let layers: [(name: String, imports: [String])] = [
    ("RoutableCore", ["CSystem", "CPCRE2"]),
    ("RoutablePresentation", ["RoutableCore"]),
    ("RoutableJSON", ["RoutableCore", "CJansson", "CSystem", "CYAML"]),
    ("RoutableSchema", ["RoutableCore", "RoutableJSON", "CSystem"]),
    ("RoutableDocuments", ["RoutableCore", "RoutableJSON", "RoutableSchema", "CSystem"]),
    ("RoutableService", ["RoutableCore", "RoutableJSON", "CSystem", "CZlib"]),
    ("RoutablePerform", ["RoutableCore", "CCurl", "CSystem"]),
    ("RoutableClient", ["RoutableCore", "RoutableJSON", "RoutablePerform", "CSystem"]),
    ("RoutableMock", ["RoutableCore", "RoutableJSON", "RoutableService", "RoutablePerform", "CSystem"]),
    (
        "RoutableABI",
        [
            "RoutableCore", "RoutablePresentation", "RoutableJSON", "RoutableSchema", "RoutableDocuments", "RoutableService",
            "RoutableMock", "RoutableClient", "CJansson", "CSystem", "CRoutable",
        ]
    ),
]

// The Swift product: ordinary Swift, not part of the C library.
let product: (name: String, imports: [String]) = (
    "Routable", ["RoutableCore", "RoutableJSON", "RoutableDocuments", "RoutableService", "RoutableClient", "RoutableMock"]
)

// Conversions to types of other packages, each behind a trait of the same name.  Without a trait its package is not resolved.
let bridges: [(trait: String, summary: String, product: String, package: String, url: String, version: Version)] = [
    (
        "HTTPTypes", "HTTPRequest and HTTPResponse of swift-http-types", "HTTPTypes", "swift-http-types",
        "https://github.com/apple/swift-http-types", "1.3.0"
    ),
    (
        "OpenCombine", "A publisher of OpenCombine", "OpenCombine", "OpenCombine",
        "https://github.com/OpenCombine/OpenCombine", "0.14.0"
    ),
]

// The command is behind a trait too, so that a package that depends on Routable does not resolve its argument parser.
let command = "Command"
let parser = (
    package: "swift-argument-parser", url: "https://github.com/apple/swift-argument-parser", version: "1.8.2" as Version
)

// For builds without a network, ROUTABLE_PACKAGES is a folder with these packages (scripts/fetch_packages).
let thirdParty: [Package.Dependency] =
    if let folder = Context.environment["ROUTABLE_PACKAGES"], !folder.isEmpty {
        (bridges.map(\.package) + [parser.package]).map { .package(path: "\(folder)/\($0)") }
    } else {
        bridges.map { .package(url: $0.url, from: $0.version) } + [.package(url: parser.url, exact: parser.version)]
    }

// The C shims with the library that each is linked with.  libcurl is opened when the first client is created, so CCurl needs
// only its headers; libyaml and zlib are opened when they are first needed, and CYAML and CZlib declare what they use.
let shims: [(name: String, library: String?)] = [
    ("CSystem", nil),
    ("CJansson", "jansson"),
    ("CCurl", nil),
    ("CPCRE2", "pcre2-8"),
    ("CYAML", nil),
    ("CZlib", nil),
]

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

var targets: [Target] = [.systemLibrary(name: "CRoutable", path: "include")]

// The HTTP service of the tests.
let service = "FaultService"
targets.append(.target(name: service, path: "Tests/service/swift", swiftSettings: settings))

// Code that the tests of several layers share.
let support = "TestSupport"
targets.append(
    .target(name: support, dependencies: [.byName(name: "RoutableCore")], path: "Tests/support/swift", swiftSettings: settings))

// Modules that the tests of a layer use in addition to the imports of the layer.
let more = [
    "RoutableDocuments": ["CJansson"], "RoutablePerform": [service], "RoutableClient": [service, "RoutableDocuments"],
]

for shim in shims {
    targets.append(
        .target(
            name: shim.name, dependencies: ["CCurl", "CPCRE2", "CYAML", "CZlib"].contains(shim.name) ? ["CSystem"] : [],
            // Here and not among the flags of a build: those apply to the C modules that Swift imports, too, of which some include
            // glibc's headers in another order, and with this definition their functions would differ.
            cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))],
            linkerSettings: shim.library.map { [.linkedLibrary($0)] }))
}

for layer in layers {
    let imports: [Target.Dependency] = layer.imports.map { .byName(name: $0) }
    targets.append(
        .target(
            name: layer.name,
            dependencies: imports,
            exclude: layer.name == "RoutableABI" ? ["routable.map"] : [],
            swiftSettings: settings
        )
    )
    // The functions of the C header are tested from C.
    if layer.name != "RoutableABI" {
        targets.append(
            .testTarget(
                name: layer.name + "Tests",
                dependencies: [.byName(name: layer.name), .byName(name: support)] + imports
                    + (more[layer.name] ?? []).map { .byName(name: $0) },
                swiftSettings: settings
            )
        )
    }
}

targets.append(
    .target(
        name: product.name,
        dependencies: product.imports.map { .byName(name: $0) }
            + bridges.map { .product(name: $0.product, package: $0.package, condition: .when(traits: [$0.trait])) },
        swiftSettings: settings
    )
)
targets.append(
    .testTarget(
        name: product.name + "Tests",
        dependencies: [.byName(name: product.name), "RoutableTesting", "RoutablePresentation", .byName(name: service)]
            + bridges.map { .product(name: $0.product, package: $0.package, condition: .when(traits: [$0.trait])) },
        swiftSettings: settings
    )
)

// A trait of Swift Testing.
let testing = "RoutableTesting"
targets.append(.target(name: testing, dependencies: [.byName(name: product.name)], swiftSettings: settings))

// An application with its tests, which need no network (docs/testing.md).
targets.append(
    .testTarget(
        name: "NotesTests", dependencies: [.byName(name: product.name)], path: "examples/notes/swift", swiftSettings: settings))

// Without the trait the subcommands, which need the argument parser, are not compiled.  The rest is compiled by every build of this
// package, but not for a package that depends on it.
let commandLayers: [Target.Dependency] = ["RoutableCore", "RoutableJSON", "RoutableSchema", "RoutableDocuments"].map {
    .byName(name: $0)
}
targets += [
    .target(
        name: "RoutableGenerate", dependencies: commandLayers, path: "command/Sources/RoutableGenerate", swiftSettings: settings
    ),
    // The HTTP server and the store of `routable serve`: libmicrohttpd and SQLite are opened when they are first needed.
    .target(
        name: "CServe", dependencies: ["CSystem"], path: "command/Sources/CServe",
        cSettings: [.define("_FORTIFY_SOURCE", to: "2", .when(configuration: .release))]),
    .executableTarget(
        name: "RoutableCommand",
        dependencies: commandLayers + [
            .byName(name: "RoutableClient"), .byName(name: "RoutableService"), .byName(name: "RoutableMock"),
            .byName(name: "RoutableGenerate"), .byName(name: "CServe"),
            .product(name: "ArgumentParser", package: parser.package, condition: .when(traits: [command])),
        ],
        path: "command/Sources/RoutableCommand",
        swiftSettings: settings
    ),
    // Runs the command, which requires the trait.
    .plugin(
        name: "RoutableGenerator", capability: .buildTool(), dependencies: [.byName(name: "RoutableCommand")],
        path: "command/Plugin"),
]

let package = Package(
    name: "routable",
    products: [
        .library(name: "Routable", targets: ["Routable"]),
        .library(name: "RoutableTesting", targets: ["RoutableTesting"]),
        .library(name: "RoutableCore", targets: ["RoutableCore"]),
        .library(name: "RoutablePresentation", targets: ["RoutablePresentation"]),
        .executable(name: "routable", targets: ["RoutableCommand"]),
        .plugin(name: "RoutableGenerator", targets: ["RoutableGenerator"]),
    ],
    traits: Set(
        bridges.map { .trait(name: $0.trait, description: $0.summary) }
            + [.trait(name: command, description: "The command `routable`; `make command` builds it")]),
    dependencies: thirdParty,
    targets: targets
)
