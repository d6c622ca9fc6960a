// The YAML reader of the library as a C function, for yaml.c: the header has no function that returns the JSON of any YAML.

import RoutableCore
import RoutableJSON

/// The text as JSON, or a message; both are followed by a NUL and freed by `fuzz_yaml_free`.  Returns a status.
@_cdecl("fuzz_yaml_read")
public func readYAML(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ json: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    _ length: UnsafeMutablePointer<Int>, _ line: UnsafeMutablePointer<Int>, _ column: UnsafeMutablePointer<Int>
) -> Int32 {
    func give(_ bytes: Bytes) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count + 1)
        for (index, byte) in bytes.storage.enumerated() { copy[index] = byte }
        copy[bytes.count] = 0
        json.pointee = copy
        length.pointee = bytes.count
    }
    do throws(Failure) {
        let read = try YAMLReader.read(UnsafeRawBufferPointer(start: text, count: count), limit: 64 << 20)
        give(read.json)
        // Every offset of the JSON has a position in the YAML.
        for offset in 0..<read.json.count { line.pointee = max(line.pointee, read.places.place(of: offset)?.line ?? 0) }
        return 0
    } catch {
        give(error.message)
        line.pointee = error.fields.line
        column.pointee = error.fields.column
        return error.status.rawValue
    }
}

@_cdecl("fuzz_yaml_free")
public func freeYAML(_ text: UnsafeMutablePointer<UInt8>?) { text?.deallocate() }
