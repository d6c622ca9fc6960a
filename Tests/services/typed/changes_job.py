"""changedetection.io by the OpenAPI document that it sends: tags, watches, imports, searches and notifications.

    changes_job.py DOCUMENT BASE KEY

`changes` is the module that `routable generate python DOCUMENT --name Changes` writes.
"""

import sys
from typing import TYPE_CHECKING

from job import Job, argument

if TYPE_CHECKING:
    from changes import Changes

UNKNOWN = "095be615-a8ad-4c33-8e9c-c7612fbf6c9f"


def work(api: "Changes", job: Job, site: str) -> None:
    job("The document", lambda: api.get_full_api_spec())
    job("The system", lambda: api.get_system_info())
    job("The first watches", lambda: api.list_watches())
    tag = (job("A tag", lambda: api.create_tag({"title": "news"})) or {}).get("uuid", UNKNOWN)
    job("Tags", lambda: api.list_tags())
    job("One tag", lambda: api.get_tag(tag))
    job("Change it", lambda: api.update_tag(tag, {"title": "papers", "overrides_watch": True}))
    job("Mute it", lambda: api.get_tag(tag, muted="muted"))
    job("A watch",
        lambda: api.create_watch({"url": site, "title": "a page", "tags": [tag], "time_between_check": {"hours": 1}, "paused": True}))
    watches = job("Watches", lambda: api.list_watches()) or {}
    one = next((key for key in watches if watches[key].get("title") == "a page"), UNKNOWN)
    job("Watches of a tag", lambda: api.list_watches(tag="papers"))
    job("One watch", lambda: api.get_watch(one))
    job("Pause it", lambda: api.get_watch(one, paused="paused"))
    job("Recheck it", lambda: api.get_watch(one, recheck="1"))
    job("Change a watch",
        lambda: api.update_watch(one, {"title": "the page", "headers": {"X-A": "b"}, "notification_muted": True}))
    job("A member that is not one", lambda: api.update_watch(one, {"titel": "x"}), 400)
    job("Its history", lambda: api.get_watch_history(one))
    job("No snapshot before the first check", lambda: api.get_watch_snapshot(one, "latest"), 404)
    job("No difference, either", lambda: api.get_watch_history_diff(one, "previous", "latest", format="text"), 404)
    job("No icon", lambda: api.get_watch_favicon(one), 404)
    job("Search", lambda: api.search_watches(q="page", partial="1"))
    job("Import", lambda: api.import_watches(b"http://127.0.0.1:1/a\nhttp://127.0.0.1:1/b", tag="papers", dedupe=True))
    job("An unknown watch", lambda: api.get_watch(UNKNOWN), 404)
    job("Notifications", lambda: api.get_notifications())
    job("More notifications",
        lambda: api.add_notifications({"notification_urls": ["json://127.0.0.1:1/a", "json://127.0.0.1:1/b"]}))
    job("Other notifications", lambda: api.replace_notifications({"notification_urls": ["json://127.0.0.1:1/c"]}))
    job("A notification that is none", lambda: api.add_notifications({"notification_urls": ["nothing"]}), 400)
    job("No notifications", lambda: api.delete_notifications({"notification_urls": ["json://127.0.0.1:1/c"]}))
    job("Delete a watch", lambda: api.delete_watch(one))
    job("Delete it again", lambda: api.delete_watch(one), 400)
    job("Delete the tag", lambda: api.delete_tag(tag))
    job("Delete it again", lambda: api.delete_tag(tag), 400)
    job("The system again", lambda: api.get_system_info())


def main() -> int:
    from changes import Changes

    job = Job()
    api = Changes.open_file(argument(1, "DOCUMENT"), base=argument(2, "BASE"))
    job.open(api.router, credentials={"ApiKeyAuth": argument(3, "KEY")})
    work(api, job, "http://127.0.0.1:1/page")
    return job.end()


if __name__ == "__main__":
    sys.exit(main())
