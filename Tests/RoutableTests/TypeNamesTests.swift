// The default names of resources and APIs are those of their types.

import Routable
import Testing

private enum PhotoService: RootedAPI {
    static let base = "https://photos.example"
    struct Resources: ResourceList {
        let photoAlbum = Child<PhotoAlbum>()
        let page = Child<Page<PhotoAlbum>>()
    }

    enum PhotoAlbum: Readable, HasChildren {
        static let path = "albums"
        struct Children: ResourceList { let urls = Child<URLRecord>() }
    }

    enum URLRecord: Readable { static let path = "urls" }
    enum Page<Item>: Readable { static var path: String { "pages" } }
}

private enum Clashing: RootedAPI {
    static let base = "https://photos.example"
    struct Resources: ResourceList {
        let one = Child<PhotoService.PhotoAlbum>()
        let other = Child<Other.PhotoAlbum>()
    }
    enum Other { enum PhotoAlbum: Readable { static let path = "other" } }
}

private enum HTTPLog2Entry: Readable { static let path = "" }
private enum Snake_Case: Readable { static let path = "" }

@Suite struct TypeNamesTests {
    @Test func namesAreThoseOfTheTypesInSnakeCase() throws {
        #expect(PhotoService.name == "photo_service")
        #expect(PhotoService.PhotoAlbum.name == "photo_album")
        #expect(PhotoService.URLRecord.name == "url_record")
        #expect(PhotoService.Page<Int>.name == "page")
        #expect(HTTPLog2Entry.name == "http_log2_entry")
        #expect(Snake_Case.name == "snake_case")
        let endpoint = PhotoService.photoAlbum("a").urls.get("b")
        #expect(endpoint.route.string == "photo_album.url_record")
        #expect(try endpoint.makeRequest().url.bytes.string == "https://photos.example/albums/a/urls/b")
        #expect(try PhotoService.opened().name.bytes.string == "photo_service")
    }

    @Test func twoTypesWithTheSameNameAreRefused() {
        #expect { try Clashing.one("a").read().makeRequest() } throws: { error in
            let message = "\(error)"
            return message.contains("two resources are named \"photo_album\"") && message.contains("Other.PhotoAlbum")
        }
    }
}
