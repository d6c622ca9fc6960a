"""The same ten tasks by a package of openapi-python-client."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import List

import httpx

from nexus_client import AuthenticatedClient
from nexus_client.api.instances import instance_list_v1
from nexus_client.api.projects import (
    project_create_v1, project_delete_v1, project_list_v1, project_update_v1, project_view_v1,
)
from nexus_client.models import Error, Instance, Project, ProjectCreate, ProjectUpdate
from nexus_client.types import UNSET

client = AuthenticatedClient(base_url="https://nexus.test", token="secret")


def view() -> str:  # 1: one project
    project = project_view_v1.sync("web", client=client, organization="acme")
    if not isinstance(project, Project):
        raise RuntimeError(f"no project: {project}")
    return project.name


def create() -> Project:  # 2: a body
    body = ProjectCreate(name="web", description="pages")
    project = project_create_v1.sync(client=client, body=body, organization="acme")
    if not isinstance(project, Project):
        raise RuntimeError(f"no project: {project}")
    return project


def update() -> Project:  # 3: a change of one member
    body = ProjectUpdate(description="all pages")
    project = project_update_v1.sync("web", client=client, body=body, organization="acme")
    if not isinstance(project, Project):
        raise RuntimeError(f"no project: {project}")
    return project


def delete() -> None:  # 4: no result
    response = project_delete_v1.sync_detailed("web", client=client, organization="acme")
    if response.status_code != HTTPStatus.NO_CONTENT:
        raise RuntimeError(f"not deleted: {response.parsed}")


def first_page() -> List[str]:  # 5: a list, with a limit and an order
    page = project_list_v1.sync(client=client, limit=10, organization="acme", sort_by="name_ascending")
    if page is None or isinstance(page, Error):
        raise RuntimeError(f"no page: {page}")
    return [each.name for each in page.items]


def every_page() -> List[Project]:  # 6: all pages
    projects: List[Project] = []
    token = None
    while True:
        page = project_list_v1.sync(client=client, organization="acme", page_token=token if token else UNSET)
        if page is None or isinstance(page, Error):
            raise RuntimeError(f"no page: {page}")
        projects += page.items
        token = page.next_page
        if not token:
            return projects


def problem() -> str:  # 7: the error of a service
    project = project_view_v1.sync("none", client=client, organization="acme")
    if isinstance(project, Error):
        return project.message
    if project is None:
        raise RuntimeError("an undocumented status")
    return project.name


def many() -> List[Project]:  # 8: a hundred at the same time
    def one(number: int) -> Project:
        project = project_view_v1.sync(f"p{number}", client=client, organization="acme")
        if not isinstance(project, Project):
            raise RuntimeError(f"no project: {project}")
        return project

    with ThreadPoolExecutor(64) as threads:
        return list(threads.map(one, range(100)))


def patient() -> Project:  # 9: a header, a deadline and retries of one call
    patient = AuthenticatedClient(
        base_url="https://nexus.test", token="secret", headers={"X-Request-Id": "7"}, timeout=httpx.Timeout(5),
        httpx_args={"transport": httpx.HTTPTransport(retries=3)})  # connections only
    project = project_view_v1.sync("web", client=patient, organization="acme")
    if not isinstance(project, Project):
        raise RuntimeError(f"no project: {project}")
    return project


async def concurrently() -> List[Instance]:  # 10: asyncio
    page = await instance_list_v1.asyncio(client=client, project="web", organization="acme")
    if page is None or isinstance(page, Error):
        raise RuntimeError(f"no page: {page}")
    return page.items


if __name__ == "__main__":
    asyncio.run(concurrently())
