// C structs that contain other types: the required structs, their names, and the order of their declarations.

internal import RoutableCore

extension CHeader {
    /// Registers a type and its parts.
    mutating func need(_ type: Typing, isMaybe: Bool) {
        need(type.shape)
        if isMaybe { needMaybe(type.shape) }
    }

    private mutating func need(_ shape: Shape) {
        switch shape {
        case .list(let element):
            need(element.shape)
            if element.isNullable { needMaybe(element.shape) }
            if !element.isNullable || element.shape == .any, word(element.shape) != nil { return }
            add(.list(element), base(element) + "_list", also: ["_shape"])
        case .map(let value):
            need(value.shape)
            if value.isNullable { needMaybe(value.shape) }
            add(.map(value), base(value) + "_map", also: ["_shape", "_entry"])
        default: break
        }
    }

    private mutating func needMaybe(_ shape: Shape) {
        if word(shape) != nil { return }
        if case .list(let element) = shape {
            if !element.isNullable || element.shape == .any, word(element.shape) != nil { return }
            return add(.maybe(shape), base(element) + "_maybe_list", also: [])
        }
        add(.maybe(shape), base(Typing(shape: shape)) + "_maybe", also: [])
    }

    private mutating func add(_ wrapper: CWrapper, _ wanted: String, also endings: [String]) {
        if wrappers[wrapper] != nil { return }
        wrappers[wrapper] = scope.claim(wanted, endings: [""] + endings, for: "the type \(wanted)", &renamings)
        order.append(wrapper)
    }

    mutating func needResult(_ type: Typing) {
        need(type, isMaybe: false)
        let bare = Typing(shape: type.shape)
        if results[bare] != nil { return }
        results[bare] = scope.claim(
            base(bare) + "_result", endings: ["", "_set", "_free"], for: "the result \(base(bare))", &renamings)
        resultOrder.append(bare)
    }

    /// Writes the structs in the order of declaration: a type that another one contains by value comes first.
    mutating func writeWrappers() {
        for wrapper in order {
            let name = wrappers[wrapper] ?? ""
            switch wrapper {
            case .maybe(let shape):
                code.line(
                    "typedef struct \(name) { routable_presence is; \(Self.declaration(value(shape), "value")); } \(name);")
            case .list(let element):
                code.line("typedef struct \(name) { size_t count; const \(item(element)) *items; } \(name);")
            case .map(let inner):
                let type = type(inner, isMaybe: inner.isNullable && inner.shape != .any)
                code.line(
                    "typedef struct \(name)_entry { routable_str key; \(Self.declaration(type, "value")); } \(name)_entry;")
                code.line("typedef struct \(name) { size_t count; const \(name)_entry *items; } \(name);")
            }
        }
        if !order.isEmpty { code.line() }
    }

    /// The shapes of elements without a separate shape.
    var wrapperShapes: [String] {
        order.compactMap { wrapper in
            switch wrapper {
            case .list(let element): isNested(element) ? wrappers[wrapper] : nil
            case .map: wrappers[wrapper]
            case .maybe: nil
            }
        }
    }

    mutating func writeWrapperShapes() {
        for wrapper in order {
            let name = wrappers[wrapper] ?? ""
            switch wrapper {
            case .list(let element) where isNested(element):
                let row = CRow(name: "", shape: element.shape, isMaybe: element.isNullable, offset: "0")
                writeShape("\(name)_shape", [row], size: "sizeof(\(item(element)))", form: "ROUTABLE_TYPED_VALUE")
            case .map(let inner):
                let rows = [
                    CRow(name: "", shape: .text([]), isMaybe: false, offset: "offsetof(\(name)_entry, key)"),
                    CRow(
                        name: "", shape: inner.shape, isMaybe: inner.isNullable && inner.shape != .any,
                        offset: "offsetof(\(name)_entry, value)"),
                ]
                writeShape("\(name)_shape", rows, size: "sizeof(\(name)_entry)", form: "ROUTABLE_TYPED_ENTRY")
            default: break
            }
        }
    }
}
