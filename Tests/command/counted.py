"""Counts the coverage of an OpenAPI document by an HTTP Archive: independent of the library, for comparison with it."""

from __future__ import annotations

import json
import re
from collections import Counter
from email import message_from_string
from typing import Any, Dict, Iterator, List, Optional, Set, Tuple
from urllib.parse import parse_qsl, unquote, urlsplit

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


def escaped(token: str) -> str:
    return token.replace("~", "~0").replace("/", "~1")


def text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


class Counted:
    """`declared` has each part that is counted, and `used` the number of its uses."""

    def __init__(self, document: Dict[str, Any]) -> None:
        self.document = document
        self.is_30 = document["openapi"].startswith("3.0")
        server = (document.get("servers") or [{"url": ""}])[0]
        variables = {name: each["default"] for name, each in server.get("variables", {}).items()}
        self.base = re.escape(urlsplit(re.sub(r"\{(.*?)\}", lambda found: variables[found[1]], server["url"])).path.rstrip("/"))
        self.declared: Set[Tuple[Any, ...]] = set()
        self.used: Counter[Tuple[Any, ...]] = Counter()
        self.operations: List[Tuple[str, str, Dict[str, Any], Dict[Tuple[str, str], Any]]] = []
        self.valid = {direction: self.validator(direction) for direction in ("readOnly", "writeOnly")}
        for path, item in document["paths"].items():
            for method in METHODS:
                if method in item:
                    own = self.deep(item[method])
                    parameters = {(each["in"], each["name"]): each for each in map(self.deep, item.get("parameters", []) + own.get("parameters", []))}
                    self.operations.append((path, method, own, parameters))
                    self.declare(own, parameters)

    def at(self, pointer: str) -> Any:
        found: Any = self.document
        for token in pointer.split("/")[1:]:
            token = unquote(token).replace("~1", "/").replace("~0", "~")
            found = found[int(token)] if isinstance(found, list) else found[token]
        return found

    def deep(self, node: Any) -> Any:
        """Follows the references of an object that is not a schema."""
        while "$ref" in node:
            node = self.at(node["$ref"][1:])
        return node

    def pointer(self, node: Any) -> str:
        """The JSON pointer of an object of the document."""
        if not hasattr(self, "places"):
            self.places: Dict[int, str] = {}
            waiting: List[Tuple[str, Any]] = [("", self.document)]
            while waiting:
                place, each = waiting.pop()
                self.places[id(each)] = place
                children = each.items() if isinstance(each, dict) else enumerate(each) if isinstance(each, list) else ()
                waiting += [(f"{place}/{escaped(str(key))}", child) for key, child in children]
        return self.places[id(node)]

    # --- Schemas ---

    def validator(self, excused: str) -> Any:
        """A validator of the document as JSON Schema: keywords of OpenAPI alone are translated, and so is the property that the direction excuses."""

        def translated(node: Any) -> Any:
            if isinstance(node, list):
                return [translated(each) for each in node]
            if not isinstance(node, dict):
                return node
            if self.is_30 and isinstance(node.get("$ref"), str):
                return {"$ref": node["$ref"]}
            made = {key: translated(value) for key, value in node.items()}
            if isinstance(made.get("required"), list) and isinstance(made.get("properties"), dict):
                made["required"] = [each for each in made["required"] if not (self.followed(node["properties"].get(each)) or {}).get(excused)]
            if self.is_30:
                for word, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
                    if made.get(word) is True:
                        made[word] = made.pop(bound)
                    elif made.get(word) is False:
                        del made[word]
                if made.get("nullable") is True and "type" in made:
                    made["type"] = [made["type"], "null"]
                    if "enum" in made:
                        made["enum"] = [*made["enum"], None]
            return made

        self.roots = Resource(contents=translated(self.document), specification=DRAFT202012)
        registry = Registry().with_resource("urn:doc", self.roots)
        cache: Dict[str, Any] = {}

        def valid(pointer: str, value: Any) -> bool:
            if pointer not in cache:
                cache[pointer] = Draft202012Validator({"$ref": f"urn:doc#{pointer}".replace("%", "%25")}, registry=registry)
            return bool(cache[pointer].is_valid(value))

        return valid

    def followed(self, schema: Any) -> Any:
        while isinstance(schema, dict) and "$ref" in schema:
            schema = self.at(schema["$ref"][1:])
        return schema

    def parts(self, schema: Any) -> Iterator[Tuple[str, str, Any]]:
        """The keyword, the name and the place of each schema that a schema contains."""
        place = self.pointer(schema)
        if "$ref" in schema:
            yield "$ref", "", unquote(schema["$ref"][1:])
            if self.is_30:
                return
        for word in ("properties", "patternProperties"):
            for name in schema.get(word, {}):
                yield word, name, f"{place}/{word}/{escaped(name)}"
        for word in ("allOf", "oneOf", "anyOf", "prefixItems"):
            for index in range(len(schema.get(word, []))):
                yield word, str(index), f"{place}/{word}/{index}"
        for word in ("items", "additionalProperties", "then", "else"):
            if isinstance(schema.get(word), dict):
                yield word, "", f"{place}/{word}"

    def points(self, schema: Any) -> Iterator[Tuple[str, str, str]]:
        """The values and branches of a schema, without those of the schemas in it."""
        place = self.pointer(schema)
        if self.is_30 and "$ref" in schema:
            return
        for value in schema.get("enum", []):
            yield "value", f"#{place}/enum", text(value)
        for word in ("oneOf", "anyOf"):
            for index, branch in enumerate(schema.get(word, [])):
                only = isinstance(branch, dict) and set(branch) - {"description", "summary", "title"} == {"$ref"} or self.is_30 and "$ref" in branch
                yield "branch", f"#{place}/{word}", branch["$ref"].split("/")[-1] if only else str(index)

    def reach(self, pointer: str) -> Iterator[Tuple[str, str, str]]:
        seen, waiting = {pointer}, [pointer]
        while waiting:
            schema = self.at(waiting.pop())
            if not isinstance(schema, dict):
                continue
            yield from self.points(schema)
            for _, _, place in self.parts(schema):
                if place not in seen:
                    seen.add(place)
                    waiting.append(place)

    def meet(self, pointer: str, value: Any, excused: str) -> List[Tuple[str, str, str]]:
        found: List[Tuple[str, str, str]] = []
        seen: Set[Tuple[str, str]] = set()
        waiting = [(pointer, value, "")]
        while waiting:
            place, value, where = waiting.pop()
            schema = self.at(place)
            if (place, where) in seen or not isinstance(schema, dict):
                continue
            seen.add((place, where))
            own = list(self.points(schema))
            found += [each for each in own if each[0] == "value" and each[2] == text(value)][:1]
            chosen: Optional[str] = None
            if "discriminator" in schema and isinstance(value, dict) and isinstance(value.get(schema["discriminator"]["propertyName"]), str):
                name = value[schema["discriminator"]["propertyName"]]
                chosen = schema["discriminator"].get("mapping", {}).get(name, name).split("/")[-1]
            for word, name, inner in self.parts(schema):
                if word in ("oneOf", "anyOf"):
                    label = [each for each in own if each[1] == f"#{self.pointer(schema)}/{word}"][int(name)]
                    if label[2] == chosen if chosen else self.valid[excused](inner, value):
                        found.append(label)
                        waiting.append((inner, value, where))
                elif word in ("$ref", "allOf"):
                    waiting.append((inner, value, where))
                elif word in ("then", "else"):
                    if self.valid[excused](f"{place}/if", value) == (word == "then"):
                        waiting.append((inner, value, where))
                elif isinstance(value, dict):
                    matches = [key for key in value if key == name] if word == "properties" else [
                        key for key in value if re.search(name, key)] if word == "patternProperties" else [
                        key for key in value if key not in schema.get("properties", {}) and not any(re.search(each, key) for each in schema.get("patternProperties", {}))
                    ] if word == "additionalProperties" else []
                    waiting += [(inner, value[key], f"{where}/{escaped(key)}") for key in matches]
                elif isinstance(value, list):
                    first = len(schema.get("prefixItems", []))
                    matches2 = range(first, len(value)) if word == "items" else [int(name)] if word == "prefixItems" and int(name) < len(value) else []
                    waiting += [(inner, value[index], f"{where}/{index}") for index in matches2]
        return found

    # --- Operations ---

    def declare(self, own: Dict[str, Any], parameters: Dict[Tuple[str, str], Any]) -> None:
        name = own["operationId"]
        self.declared.add((name, "operation", "", ""))
        for status in own["responses"]:
            self.declared.add((name, "status", "", status))
        for place, key in parameters:
            self.declared.add((name, "parameter", place, key))
        for where, content in self.contents(own):
            for media, each in content.items():
                self.declared.add((name, "media_type", where, media))
                if "schema" in each and re.search("json$|^multipart/|urlencoded$|\\*", media):
                    self.declared.update(("", *point) for point in self.reach(self.pointer(each["schema"])))

    def value(self, body: str, kind: str, schema: Any) -> Any:
        """The JSON value of a body, or the value of a form, whose fields have the types of the schema."""
        if kind.partition(";")[0].strip().endswith("json"):
            return json.loads(body)
        if kind.startswith("multipart/"):
            parts = message_from_string(f"Content-Type: {kind}\n\n{body}").get_payload()
            pairs = [(each.get_param("name", header="Content-Disposition"), each.get_payload()) for each in parts]
        elif kind.startswith("application/x-www-form-urlencoded"):
            pairs = parse_qsl(body, keep_blank_values=True)
        else:
            return None
        made: Dict[str, Any] = {}
        for name, text in pairs:
            own = self.followed(self.followed(schema).get("properties", {}).get(name, {}))
            own = self.followed(own.get("items", {})) if own.get("type") == "array" else own
            is_text = own.get("type", "string") == "string"
            try:
                value = text if is_text else json.loads(text)
            except ValueError:
                value = text
            made[name] = [*made[name], value] if name in made and isinstance(made[name], list) else [made[name], value] if name in made else value
        return made

    def contents(self, own: Dict[str, Any]) -> Iterator[Tuple[str, Dict[str, Any]]]:
        if "requestBody" in own:
            yield "request", self.deep(own["requestBody"])["content"]
        for status, response in own["responses"].items():
            yield status, self.deep(response).get("content", {})

    def count(self, entry: Dict[str, Any]) -> None:
        request, response = entry["request"], entry["response"]
        for path, method, own, parameters in sorted(self.operations, key=lambda each: each[0].count("{")):
            pattern = re.sub(r"\\\{[^{}]*\\\}", "[^/]+", re.escape(path))
            if method == request["method"].lower() and re.fullmatch(self.base + pattern, urlsplit(request["url"]).path):
                break
        else:
            return
        name = own["operationId"]
        used: List[Tuple[str, ...]] = [("operation", "", "")]
        query = {key for key, _ in parse_qsl(urlsplit(request["url"]).query, keep_blank_values=True)}
        headers = {each["name"].lower(): each["value"] for each in request["headers"]}
        cookies = {each.partition("=")[0].strip() for each in headers.get("cookie", "").split(";")}
        styled = {each.partition("[")[0] for each in query}
        for place, key in parameters:
            names = {key, *(self.followed(parameters[place, key].get("schema", {})).get("properties", {}))}  # of an object in form style
            if place == "path" or place == "query" and names & (query | styled) or place == "header" and key.lower() in headers or (
                    place == "cookie" and key in cookies):
                used.append(("parameter", place, key))
        status = str(response["status"])
        status = next((each for each in (status, status[0] + "XX", "default") if each in own["responses"]), "")
        if status:
            used.append(("status", "", status))
        bodies = dict(self.contents(own))
        for where, excused, message, kind in (
            ("request", "readOnly", request.get("postData", {}), headers.get("content-type", "")), (status, "writeOnly", response["content"], response["content"]["mimeType"]),
        ):
            essence = kind.partition(";")[0].strip().lower()
            if essence not in bodies.get(where, {}):
                essence = "application/json" if essence.endswith("+json") else "*/*"  # the entries that describe other media types
            if message.get("text") and essence in bodies.get(where, {}):
                used.append(("media_type", where, essence))
                schema = bodies[where][essence].get("schema")
                value = self.value(message["text"], kind, schema)
                if schema is not None and value is not None:
                    for point in self.meet(self.pointer(schema), value, excused):
                        self.used[("", *point)] += 1
        for each in used:
            self.used[(name, *each)] += 1
