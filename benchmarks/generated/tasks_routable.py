"""Ten tasks by a module of `routable generate python`; compare.py counts the lines."""

import asyncio
from typing import List

import routable
from nexus_api import Nexus, Instance, Project
from routable.typed import perform_all

PAGES = {"by": "cursor", "at": "/next_page", "parameter": "page_token", "items": "/items"}
api = Nexus.open_file("oxide-nexus.json", base="https://nexus.test")
client = routable.Client(headers={"Authorization": "Bearer secret"})


def view() -> str:  # 1: one project
    return api.project_view_v1("web", organization="acme").perform(client)["name"]


def create() -> Project:  # 2: a body
    return api.project_create_v1({"name": "web", "description": "pages"}, organization="acme").perform(client)


def update() -> Project:  # 3: a change of one member
    return api.project_update_v1("web", {"description": "all pages"}, organization="acme").perform(client)


def delete() -> None:  # 4: no result
    api.project_delete_v1("web", organization="acme").perform(client)


def first_page() -> List[str]:  # 5: a list, with a limit and an order
    page = api.project_list_v1(limit=10, organization="acme", sort_by="name_ascending").perform(client)
    return [each["name"] for each in page["items"]]


def every_page() -> List[Project]:  # 6: all pages
    request = api.project_list_v1(organization="acme").request
    return list(client.items(request, pagination=PAGES, into=Project))


def problem() -> str:  # 7: the error of a service
    call = api.project_view_v1("none", organization="acme")
    try:
        return call.perform(client)["name"]
    except routable.HTTPStatusError as error:
        found = call.error(error)
        return found["message"] if found else str(error)


def many() -> List[Project]:  # 8: a hundred at the same time
    calls = [api.project_view_v1(f"p{number}", organization="acme") for number in range(100)]
    return [done.value() for done in perform_all(client, calls)]


def patient() -> Project:  # 9: a header, a deadline and retries of one call
    call = api.project_view_v1("web", organization="acme").with_headers({"X-Request-Id": "7"})
    return call.perform(client, deadline=5, retries=3)


async def concurrently() -> List[Instance]:  # 10: asyncio
    async with routable.AsyncClient(headers={"Authorization": "Bearer secret"}) as other:
        page = await api.instance_list_v1(project="web", organization="acme").perform_async(other)
        return page["items"]


if __name__ == "__main__":
    asyncio.run(concurrently())
