"""The names of a description beside those of this package: which of them collide, and which names a call can use."""

from __future__ import annotations

from ._using import Places, places_of
from .errors import ParameterError
from .walk import unknown

TYPE_CHECKING = False  # True for type checkers; the module typing takes longer to import than this package
if TYPE_CHECKING:
    from typing import Collection, List, Mapping, Optional

    from . import describe


def hidden(
    resources: Mapping[str, describe.Resource], operations: Mapping[str, describe.Operation], public: Collection[str]
) -> List[str]:
    """The public names of a router that the description has, too."""
    return sorted(
        each for each in public if each in operations or each in resources and resources[each].is_root
    )


def warnings(
    resources: Mapping[str, describe.Resource], operations: Mapping[str, describe.Operation], public: Collection[str]
) -> List[str]:
    """A sentence for each name that cannot be used as most names are."""
    found: List[str] = []
    for each in hidden(resources, operations, [name for name in public if not name.startswith("_")]):
        kind = "resource" if each in resources and resources[each].is_root else "operation"
        found.append(f"the {kind} {each!r} has the name of a router's attribute: api.{each} is the {kind}, and routable.router(api).{each} the router's")
    for each in sorted(name for name in operations if name in resources and resources[name].is_root):
        found.append(f"a resource and an operation are named {each!r}: api.{each} is the resource, and api.operations[{each!r}] the operation")
    for resource in resources.values():
        for each in resource.operations:
            if each in resource.children:
                found.append(f"{resource.name} has an operation and a child named {each!r}: the attribute is the operation, and [{each!r}] the child")
        if "operations" in resource.operations or "operations" in resource.children:
            found.append(f"{resource.name} has an operation or a child named 'operations', which is the attribute of its members, in place of the mapping")
        for operation in resource.operations.values():
            found.extend(_ambiguous(f"{resource.name}.{operation.name}", operation, {each.name for each in resource.ids}))
    for operation in operations.values():
        found.extend(_ambiguous(operation.name, operation))
    return found


def _ambiguous(label: str, operation: describe.Operation, bound: Collection[str] = ()) -> List[str]:
    """`bound` are the ids that a walk binds."""
    found = {
        name: [each for each in places if each != "path" or name not in bound] for name, places in operation._places.items()
    }
    return [
        f"{label} declares {name!r} in the {' and the '.join(places)}: using(...) passes it by place, and the keyword is ambiguous"
        for name, places in found.items() if len(places) > 1
    ]


def places(
    resources: Mapping[str, describe.Resource], route: Optional[str], operation: describe.Operation
) -> Places:
    """The places of the parameters of an operation by name, with the names of the ids of its route (docs/route-document.md)."""
    is_own = route is None or operation.standalone_name is not None  # then the ids are parameters of the operation itself
    found = places_of(each for each in operation.parameters if is_own or each.location != "path")
    if route is None or is_own:
        return found
    walk = [resources[each] for each in route.split(".") if each in resources]
    for resource in walk:
        is_last = resource is walk[-1]
        own = resource.ids[:-1] if is_last and operation.place == "collection" else resource.ids
        for each in own:
            names = [each.name, "id"] if len(resource.ids) == 1 else [each.name]
            found.ids.append(tuple(dict.fromkeys(names if is_last else [f"{resource.name}_{one}" for one in names])))
    taken = {each for names in found.ids for each in names}
    found.ids.extend((each.name,) for each in operation.parameters if each.location == "path" and each.name not in taken)
    for name in dict.fromkeys(name for names in found.ids for name in names):
        found[name] = ("path", *found.get(name, ()))
    return found


def index(operation: describe.Operation, parameter: str, location: Optional[str]) -> int:
    """The index of a parameter by its name and, if the operation declares the name in several places, its location."""
    matching = [
        number for number, each in enumerate(operation.parameters)
        if each.name == parameter and location in (None, each.location)
    ]
    if not matching:
        raise unknown(parameter, operation.name, None, [each.name for each in operation.parameters])
    if len(matching) > 1:
        found = [operation.parameters[number].location for number in matching]
        raise ParameterError(
            f"{operation.name} declares {parameter} in the {' and the '.join(found)}; `location` selects one", operation=operation.name,
            parameter=parameter, allowed=tuple(sorted(found)),
        )
    return matching[0]
