"""Opens descriptions: a Router from a file, a mapping or a string."""

from __future__ import annotations

from collections.abc import Mapping
from ctypes import POINTER, byref, sizeof
from os import PathLike, fsdecode

from . import _capi as c
from . import _json
from ._check import check, new_error, no_positions
from ._text import data, name, natural, optional_name, to_bytes, utf8
from .errors import ArgumentError
from .router import Router

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Any, Callable, List, Optional, Sequence, Union

    #: A document as a JSON string, or as a mapping.
    Document = Union[str, bytes, bytearray, Mapping[str, Any]]

    #: Returns a document by its URI or path; None if there is none.
    Loader = Callable[[str], Optional[Document]]


def open(
    source: "Union[str, PathLike[str], Mapping[str, Any]]",
    *,
    base: Optional[str] = None,
    max_document_bytes: int = 0,
    uri: Optional[str] = None,
    documents: Optional[Mapping[str, Document]] = None,
    overlays: Sequence[Document] = (),
    only: Optional[Sequence[str]] = None,
    except_: Optional[Sequence[str]] = None,
    folder: "Union[str, PathLike[str], None]" = None,
    loader: Optional[Loader] = None,
) -> Router:
    """Opens a route document, an OpenAPI document (3.0, 3.1, 3.2) or a Swagger 2.0 document: a file, or the document as a mapping
    (`loads` takes a string).

    A file can be JSON or YAML; YAML requires the library libyaml (Debian: libyaml-0-2).  Relative references in an OpenAPI document
    lead to files below its folder.

        api = routable.open({
            "routable": 1, "base": "https://h.example/v1",
            "types": {"Ticket": {"type": "object", "required": ["title"]}},
            "resources": {
                "project": {"path": "projects", "id": {"name": "key", "type": "string"}, "can": ["list", "read"],
                            "has": ["ticket"]},
                "ticket": {"path": "tickets", "id": {"name": "number", "type": "integer"}, "nested": True,
                           "can": ["list", "create", "read"], "type": "Ticket"}},
            "operations": {
                "search": {"get": "/search", "query": {"q": {"type": "string", "required": True},
                                                       "page": {"type": "integer", "default": 1}}}}})
        api.project("a").ticket(7).read()         # https://h.example/v1/projects/a/tickets/7

    `can` lists the capabilities of a resource: list, create, read, update, patch, delete.  `has` lists its children; a child
    can also be reached at the root unless it has "nested": True.  "id": "x" declares a string id with the name x.  `type` is
    the name of a JSON Schema in `types`.  An unknown key is a DocumentError whose `allowed` lists the known keys.

    An array in the query of a route document is sent as `tag[]=a&tag[]=b`; with "encoding": {"arrays": "none"} in the document
    as `tag=a&tag=b`, which is the default of OpenAPI.  "format" in a type is not validated; a parameter of an OpenAPI document
    with the format uuid, date or date-time is.

    base                replaces the base of the document
    max_document_bytes  maximum size; a larger document is a LimitError; 0: 64 MiB
    uri                 the URI of an OpenAPI document, for its relative references and servers
    documents           further documents that an OpenAPI document references, by URI
    overlays            OpenAPI Overlays to apply to an OpenAPI document, in this order
    only, except_ names of the operations that the router includes or excludes, "resource.operation" in a route document;
                        an unknown name is an UnknownError

    folder              references may lead to all files below this folder, instead of the folder of the document
    loader              returns the documents that references lead to, by their URI or path, instead of files; None for one that
                        does not exist

    Raises FileError, JSONError, DocumentError, ConflictError, UnsupportedError, LimitError, URLError; ArgumentError for both
    `only` and `except_`.
    """
    if isinstance(source, Mapping):
        if folder is not None:
            raise TypeError("folder requires a document that is opened by its path")
        with no_positions():
            return loads(
                _json.dumps("document", source), base=base, max_document_bytes=max_document_bytes, uri=uri,
                documents=documents, overlays=overlays, only=only, except_=except_, loader=loader,
            )
    if not isinstance(source, (str, PathLike)):
        raise TypeError(f"open requires a path or a mapping, not {type(source).__name__}; loads accepts a JSON string")
    path = name("path", fsdecode(source))
    if path.partition(b":")[0].lower() in (b"http", b"https"):
        raise ArgumentError(
            "open reads a file, not a URL: fetch the document with an HTTP client, and pass its text to routable.loads",
            parameter="source")
    out, error = POINTER(c.routable_router)(), new_error()
    options = _options(base, max_document_bytes, uri, documents, overlays, only, except_)
    if folder is not None:
        options.folder = name("folder", fsdecode(folder))
    loading = _Loading(loader, options)
    status = c.routable_router_open_file(path, byref(options), byref(out), byref(error))
    loading.check(status, error)
    return Router(out)


def loads(
    text: Union[str, bytes, bytearray],
    *,
    base: Optional[str] = None,
    max_document_bytes: int = 0,
    uri: Optional[str] = None,
    documents: Optional[Mapping[str, Document]] = None,
    overlays: Sequence[Document] = (),
    only: Optional[Sequence[str]] = None,
    except_: Optional[Sequence[str]] = None,
    loader: Optional[Loader] = None,
) -> Router:
    """Opens a route document or an OpenAPI document from a string in JSON or YAML.  Raises the exceptions of `open` except
    FileError."""
    if not isinstance(text, (str, bytes, bytearray)):
        raise TypeError(f"loads requires a JSON string, not {type(text).__name__}")
    content = utf8("document", text) if isinstance(text, str) else bytes(text)
    out, error = POINTER(c.routable_router)(), new_error()
    options = _options(base, max_document_bytes, uri, documents, overlays, only, except_)
    loading = _Loading(loader, options)
    status = c.routable_router_open(content, len(content), byref(options), byref(out), byref(error))
    loading.check(status, error)
    return Router(out)


class _Loading:
    """The function `loader` as the option of one call, with what it has returned and raised."""

    def __init__(self, loader: Optional[Loader], options: c.routable_open_options) -> None:
        self._raised: List[BaseException] = []
        if loader is None:
            return
        if not callable(loader):
            raise TypeError(f"loader must be a function, not {type(loader).__name__}")

        def load(uri: Any, out: Any, user_data: Any) -> int:
            try:
                key = to_bytes(uri).decode("utf-8", "replace")
                given = loader(key)
                if given is None:
                    return int(c.ROUTABLE_OK)
                self._content = _document(key, given)  # valid until the next call
                out[0] = data(self._content)
                return int(c.ROUTABLE_OK)
            except BaseException as error:  # nothing may be raised through C
                self._raised.append(error)
                return int(c.ROUTABLE_ERR_CALLBACK)

        self._function = c.routable_load_fn(load)
        options.load = self._function

    def check(self, status: int, error: Any) -> None:
        if not self._raised:
            return check(status, error)
        try:
            check(status, error)  # frees the error
        except Exception:
            pass
        raise self._raised[0]


def _options(
    base: Optional[str], max_document_bytes: int, uri: Optional[str], documents: Optional[Mapping[str, Document]],
    overlays: Sequence[Document], only: Optional[Sequence[str]], except_: Optional[Sequence[str]],
) -> c.routable_open_options:
    supplied = [
        c.routable_document(data(utf8("the URI of a document", key)), data(_document(key, each)))
        for key, each in (documents or {}).items()
    ]
    layers = _strings([_document("overlay", each) for each in overlays])
    kept = _names("only", only)
    dropped = _names("except_", except_)
    return c.routable_open_options(
        size=sizeof(c.routable_open_options),
        max_document_bytes=natural("max_document_bytes", max_document_bytes),
        base=optional_name("base", base),
        documents=(c.routable_document * len(supplied))(*supplied) if supplied else None,
        document_count=len(supplied),
        uri=optional_name("uri", uri),
        overlays=layers, overlay_count=len(overlays),
        only=kept, only_count=len(only or ()),
        except_count=len(except_ or ()),
        **{"except": dropped},
    )


def _strings(given: Sequence[bytes]) -> Any:
    return (c.routable_str * len(given))(*(data(each) for each in given)) if given else None


def _names(what: str, given: Optional[Sequence[str]]) -> Any:
    if isinstance(given, str):
        raise TypeError(f"{what} must be a list of operation names, not a str")
    if given is not None and not given:
        raise ValueError(f"{what} is an empty list; omit it for all operations")
    return _strings([utf8(what, each) for each in given or ()])


def _document(key: str, given: Document) -> bytes:
    if isinstance(given, Mapping):
        return _json.dumps(key, given)
    return utf8(key, given) if isinstance(given, str) else bytes(given)
