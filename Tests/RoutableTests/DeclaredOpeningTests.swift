// Opening a declared API: an OpenAPI document with overlays, the selected operations, and names that must be unique.

import Foundation
import Routable
import Testing

private let pets = #"""
    {"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.test"}],
     "paths": {"/pets": {"get": {"operationId": "listPets"}, "post": {"operationId": "addPet"}}, "/owners": {"get": {"operationId": "listOwners"}}}}
    """#

private let staging = #"""
    {"overlay": "1.0.0", "info": {"title": "o", "version": "1"}, "actions": [
      {"target": "$.servers[0]", "update": {"url": "https://staging.test"}}, {"target": "$.paths['/owners']", "remove": true}]}
    """#

private protocol PetsAPI: API {}

extension PetsAPI {
    static var name: String { "pets" }
    static var base: String { "" }
    static var resources: [AnyResource] { [] }
    static var document: String { pets }
}

private enum Plain: PetsAPI {}

private enum Overlaid: PetsAPI { static var overlays: [String] { [staging] } }

private enum Only: PetsAPI { static var only: [String]? { ["addPet"] } }

private enum Except: PetsAPI {
    static var overlays: [String] { [staging] }
    static var except: [String] { ["addPet"] }
}

private enum Misspelt: PetsAPI { static var only: [String]? { ["addPets"] } }

private enum Both: PetsAPI {
    static var only: [String]? { ["addPet"] }
    static var except: [String] { ["listPets"] }
}

private enum Broken: PetsAPI {
    static var overlays: [String] { [#"{"overlay": "1.0.0", "actions": [{"target": "$[", "update": {}}]}"#] }
}

private enum Customer: Readable, Listable {
    typealias ID = ResourceID<Customer>
    static let name = "customer"
    static let path = "customers"
    struct Model: Codable, Sendable { var name: String }
}

private enum Person: Readable {
    typealias ID = ResourceID<Person>
    static let name = "customer"
    static let path = "people"
    struct Model: Codable, Sendable { var name: String }
}

private enum Narrowed: API {
    static let name = "narrowed"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Customer.self)] }
    static var only: [String]? { ["customer.list"] }
}

private enum WithOverlay: API {
    static let name = "routes"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Customer.self)] }
    static var overlays: [String] { [staging] }
}

private enum Differs: API {
    static let name = "differs"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Thing.self)] }
    static let document = #"{"routable": 1, "base": "https://h", "resources": {"thing": {"path": "things", "can": ["list"]}}}"#
}

private enum Thing: Listable, Readable {
    static let name = "thing"
    static let path = "things"
}

private enum Twice: API {
    static let name = "twice"
    static let base = "https://h"
    static var resources: [AnyResource] { [AnyResource(Customer.self), AnyResource(Customer.self), AnyResource(Person.self)] }
}

@Suite("Opening declared APIs")
struct DeclaredOpeningTests {
    private func failure(_ api: any API.Type) -> Failure? {
        do throws(Failure) { _ = try api.opened() } catch { return error }
        return nil
    }

    @Test("An OpenAPI document gives the operations of an API")
    func openAPI() throws {
        let request = try Plain.endpoint("listOwners").makeRequest()
        #expect(request.url.bytes == "https://pets.test/owners")
    }

    @Test("Overlays are applied before anything else is read")
    func overlays() throws {
        #expect(try Overlaid.endpoint("listPets").makeRequest().url.bytes == "https://staging.test/pets")
        do throws(Failure) {
            _ = try Overlaid.endpoint("listOwners").makeRequest()
            Issue.record("an operation that an overlay has removed is there")
        } catch { #expect(error.status == .unknown, "\(error)") }
    }

    @Test("What only and except take away does not exist")
    func narrowed() throws {
        #expect(try Only.endpoint("addPet").makeRequest().method.bytes == "POST")
        for name in ["listPets", "listOwners"] as [String] {
            do throws(Failure) {
                _ = try Only.endpoint(name).makeRequest()
                Issue.record("\(name) is there")
            } catch { #expect(error.status == .unknown, "\(error)") }
        }
        #expect(try Except.endpoint("listPets").makeRequest().url.bytes == "https://staging.test/pets")
        do throws(Failure) {
            _ = try Except.endpoint("addPet").makeRequest()
            Issue.record("addPet is there")
        } catch { #expect(error.status == .unknown, "\(error)") }
    }

    @Test("Operations of declared resources are narrowed, too")
    func resources() throws {
        #expect(try Narrowed.collection(Customer.self).list().makeRequest().url.bytes == "https://h/customers")
        do throws(Failure) {
            _ = try Narrowed.collection(Customer.self).get("1").makeRequest()
            Issue.record("read is there")
        } catch { #expect(error.status == .notAllowed, "\(error)") }
    }

    @Test("Bad names and overlays are refused at opening")
    func refused() {
        let misspelt = failure(Misspelt.self)
        #expect(misspelt?.status == .unknown && misspelt?.fields.suggestion == "addPet", "\(misspelt?.description ?? "")")
        #expect(failure(Both.self)?.status == .argument)
        let broken = failure(Broken.self)
        #expect(broken?.message.hasPrefix("overlay 1: ") == true, "\(broken?.description ?? "")")
        #expect(broken?.fields.pointer == "/actions/0/target")
        #expect(
            failure(Differs.self)?.message
                == "resource \"thing\" in Swift differs from the document in its operations: list, read in Swift, list in the document"
        )
        #expect(failure(WithOverlay.self)?.message == "overlays require an OpenAPI document; the API has none")
    }

    @Test("Two resources of one name are refused, both named; one that occurs twice is one")
    func sameName() {
        let refused = failure(Twice.self)
        #expect(refused?.status == .conflict)
        let message = refused?.message.string ?? ""
        for name in ["two resources are named \"customer\"", "Customer", "Person"] {
            #expect(message.contains(name), "\(message)")
        }
    }
}
