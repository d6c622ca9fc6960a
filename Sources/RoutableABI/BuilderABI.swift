// The functions of the builder.

public import CRoutable
internal import RoutableCore

@_cdecl("routable_builder_new") @implementation
public func routable_builder_new(
    _ builderName: UnsafePointer<CChar>?, _ base: UnsafePointer<CChar>?, _ out: UnsafeMutablePointer<OpaquePointer?>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        try Handle.give(try DescriptionBuilder.make(name: try nameText(builderName, "name"), base: optionalName(base)), out)
    }
}

@_cdecl("routable_builder_free") @implementation
public func routable_builder_free(_ builder: OpaquePointer?) { Handle.free(builder, DescriptionBuilder.self) }

@_cdecl("routable_builder_add_resource") @implementation
public func routable_builder_add_resource(
    _ builder: OpaquePointer?, _ resource: UnsafePointer<routable_resource_options>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let builder = try Handle.required(builder, DescriptionBuilder.self, "builder")
        if resource == nil { throw .null("resource") }
        let given = try options(resource, routable_resource_options(), "resource")
        try check(flags: given.can, within: Capabilities.all.rawValue, "resource.can")
        let flags = UInt32(ROUTABLE_RESOURCE_NESTED | ROUTABLE_RESOURCE_SHALLOW)
        try check(flags: given.flags, within: flags, "resource.flags")
        var description = ResourceDescription(
            name: try nameText(given.name, "resource.name"), path: try nameText(given.path, "resource.path"))
        description.capabilities = Capabilities(rawValue: given.can)
        description.isNested = given.flags & UInt32(ROUTABLE_RESOURCE_NESTED) != 0
        description.isShallow = given.flags & UInt32(ROUTABLE_RESOURCE_SHALLOW) != 0
        if given.id_count != 0 {
            guard let ids = given.ids else { throw .null("resource.ids") }
            guard (1...Limits.idsPerRoute).contains(given.id_count) else {
                throw Failure(.limit, "at most \(Limits.idsPerRoute) ids are allowed")
            }
            description.ids = try ParameterDescription.read(ids, given.id_count, areIds: true)
        }
        try Memory.check()
        try builder.add(description)
    }
}

@_cdecl("routable_builder_nest") @implementation
public func routable_builder_nest(
    _ builder: OpaquePointer?, _ parent: UnsafePointer<CChar>?, _ child: UnsafePointer<CChar>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let builder = try Handle.required(builder, DescriptionBuilder.self, "builder")
        let (child, parent) = (try nameText(child, "child"), try nameText(parent, "parent"))
        try Memory.check()
        try builder.nest(child, in: parent)
    }
}

@_cdecl("routable_builder_add_operation") @implementation
public func routable_builder_add_operation(
    _ builder: OpaquePointer?, _ operation: UnsafePointer<routable_operation_options>?,
    _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attemptChange(error) { () throws(Failure) in
        let builder = try Handle.required(builder, DescriptionBuilder.self, "builder")
        if operation == nil { throw .null("operation") }
        let given = try options(operation, routable_operation_options(), "operation")
        try check(flags: given.flags, within: 0, "operation.flags")
        guard let place = Place(rawValue: given.resource == nil ? Place.root.rawValue : given.place.rawValue) else {
            throw Failure(.argument, "operation.place \(given.place.rawValue) is not one of ROUTABLE_ON_*")
        }
        guard let method = given.method else { throw .null("operation.method") }
        var description = OperationDescription(
            name: try keptText(given.name, "operation.name"), method: Bytes(method: method),
            path: try keptText(given.path, "operation.path"), place: place)
        description.encoding = try FormEncoding.read(given.encoding)
        if given.parameter_count != 0 {
            guard let parameters = given.parameters else { throw .null("operation.parameters") }
            guard (1...4096).contains(given.parameter_count) else {
                throw Failure(.limit, "at most 4096 parameters are allowed")
            }
            let read = try ParameterDescription.read(parameters, given.parameter_count)
            description.ids = read.filter { $0.location == .path }
            description.query = read.filter { $0.location == .query }
            description.headers = read.filter { $0.location == .header }
            description.cookies = read.filter { $0.location == .cookie }
        }
        try Memory.check()
        try builder.add(consume description, to: optionalName(given.resource))
    }
}

@_cdecl("routable_builder_build") @implementation
public func routable_builder_build(
    _ builder: OpaquePointer?, _ out: UnsafeMutablePointer<OpaquePointer?>?, _ error: UnsafeMutablePointer<OpaquePointer?>?
) -> routable_status {
    attempt(error) { () throws(Failure) in
        let out = try required(out, "out")
        let builder = try Handle.required(builder, DescriptionBuilder.self, "builder")
        try Handle.give(PlannedRouter(try OpenChoices(nil).open(try builder.build())), out)
    }
}

extension ParameterDescription {
    /// The distance between elements of the array is the member `size` of the first one.
    fileprivate static func read(
        _ start: UnsafePointer<routable_parameter_options>, _ count: Int, areIds: Bool = false
    ) throws(Failure) -> [ParameterDescription] {
        let stride = start.pointee.size
        var next = UnsafeRawPointer(start)
        var result: [ParameterDescription] = []
        for _ in 0..<count {
            result.append(try ParameterDescription(next.assumingMemoryBound(to: routable_parameter_options.self), isId: areIds))
            next += stride
        }
        return result
    }

    init(_ pointer: UnsafePointer<routable_parameter_options>, isId: Bool) throws(Failure) {
        let given = try options(pointer, routable_parameter_options(), "a parameter")
        let known = UInt32(
            ROUTABLE_PARAMETER_REQUIRED | ROUTABLE_PARAMETER_MINIMUM | ROUTABLE_PARAMETER_MAXIMUM
                | ROUTABLE_PARAMETER_ALLOW_EMPTY)
        try check(flags: given.flags, within: known, "a parameter's flags")
        guard let location = isId ? .path : ParameterLocation(rawValue: given.location.rawValue) else {
            throw Failure(.argument, "the location \(given.location.rawValue) is not one of ROUTABLE_IN_*")
        }
        let name = try nameText(given.name, "a parameter's name")
        if isId { self.init(id: name) } else { self.init(name: name, location: location) }
        allowsEmpty = given.flags & UInt32(ROUTABLE_PARAMETER_ALLOW_EMPTY) != 0
        if allowsEmpty && location != .path {
            throw Failure(.argument, "ROUTABLE_PARAMETER_ALLOW_EMPTY is only for path parameters")
        }
        isRequired = location == .path || given.flags & UInt32(ROUTABLE_PARAMETER_REQUIRED) != 0
        scalar = try Scalar(
            type: optionalName(given.type), format: optionalName(given.format), pattern: optionalName(given.pattern))
        if given.value_count != 0 {
            guard let values = given.values else { throw .null("a parameter's values") }
            guard (1...(1 << 16)).contains(given.value_count) else {
                throw Failure(.limit, "at most \(1 << 16) values are allowed")
            }
            for index in 0..<given.value_count {
                scalar.values.append(try nameText(values[index], "one of a parameter's values"))
            }
        }
        // A size_t in the upper half of its range is a negative Int: it exceeds every length.
        if given.min_length != 0 { scalar.minimumLength = given.min_length > 0 ? given.min_length : Int.max }
        if given.max_length > 0 { scalar.maximumLength = given.max_length }
        if given.flags & UInt32(ROUTABLE_PARAMETER_MINIMUM) != 0 {
            scalar.minimum = try Self.finite(given.minimum, "minimum", name)
        }
        if given.flags & UInt32(ROUTABLE_PARAMETER_MAXIMUM) != 0 {
            scalar.maximum = try Self.finite(given.maximum, "maximum", name)
        }
        let value = try Value(given.default_value, "a parameter's default")
        if !value.isNull { defaultValue = value }
        if let encoding = try FormEncoding.read(given.encoding) {
            if location != .query || !encoding.isForParameter {
                throw Failure(
                    .document,
                    "only a query parameter can have an encoding, without \"to\", \"as\", \"nulls\", order and key options"
                ) {
                    $0.parameter = name
                }
            }
            self.encoding = encoding
        }
    }

    private static func finite(_ bound: Double, _ what: StaticString, _ name: Bytes) throws(Failure) -> Double {
        if bound.isFinite { return bound }
        throw Failure(.argument, "the \(Bytes(static: what)) of the parameter \"\(name.printable)\" is not a finite number") {
            $0.parameter = name
        }
    }
}
