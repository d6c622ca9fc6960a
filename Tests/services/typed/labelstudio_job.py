"""Label Studio by its OpenAPI document: users, projects, tasks, annotations, predictions, views, webhooks and exports.

    labelstudio_job.py DOCUMENT BASE TOKEN

`labelstudio` is the module that `routable generate python DOCUMENT --name LabelStudio` writes.
"""

import sys
from typing import TYPE_CHECKING

from job import Job, argument

if TYPE_CHECKING:
    from labelstudio import LabelStudio

CONFIG = '<View><Text name="text" value="$text"/><Choices name="kind" toName="text"><Choice value="good"/><Choice value="bad"/></Choices></View>'
RESULT = [{"from_name": "kind", "to_name": "text", "type": "choices", "value": {"choices": ["good"]}}]


def work(api: "LabelStudio", job: Job) -> None:
    me = job("Who I am", lambda: api.api_current_user_whoami_retrieve()) or {"id": 1}
    job("My token", lambda: api.api_current_user_token_retrieve())
    job("Users", lambda: api.api_users_list())
    job("One user", lambda: api.api_users_retrieve(me["id"]))
    job("Change a user", lambda: api.api_users_partial_update(me["id"], {"first_name": "Ada"}))
    job("Organizations", lambda: api.api_organizations_list())
    job("The organization", lambda: api.api_organizations_retrieve(1))
    job("Its members", lambda: api.api_organizations_memberships_list(1, page_size=10))
    # projects
    project = (job("A project",
        lambda: api.api_projects_create({"title": "Reviews", "label_config": CONFIG, "description": "of a job"})) or {}).get("id", 1)
    job("A project with a wrong configuration", lambda: api.api_projects_create({"title": "Wrong", "label_config": "<View"}), 400)
    job("Projects", lambda: api.api_projects_list(page=1, page_size=2))
    job("Projects by title", lambda: api.api_projects_list(title="Rev", ordering="-id"))
    job("One project", lambda: api.api_projects_retrieve(project))
    job("Change it", lambda: api.api_projects_partial_update(project, {"title": "Reviews 2", "color": "#ff0000"}))
    job("An unknown project", lambda: api.api_projects_retrieve(999999), 404)
    job("A configuration is valid", lambda: api.api_projects_validate_create({"label_config": CONFIG}))
    job("A configuration is not valid", lambda: api.api_projects_validate_create({"label_config": "<View"}), 400)
    job("A configuration of the project", lambda: api.api_projects_validate_label_config(project, {"label_config": CONFIG}))
    job("Counts", lambda: api.api_projects_counts_list())
    # tasks
    job("Tasks into it",
        lambda: api.api_projects_import_create(project, [{"data": {"text": "one"}}, {"data": {"text": "two"}}], return_task_ids=True))
    job("Tasks of the project", lambda: api.api_projects_tasks_list(project, page=1, page_size=1))
    task = (job("A task", lambda: api.api_tasks_create({"data": {"text": "three"}, "project": project})) or {}).get("id", 1)
    tasks = job("Tasks", lambda: api.api_tasks_list(project=project, fields="all", page_size=2))
    job("Tasks, only themselves", lambda: api.api_tasks_list(project=project, fields="task_only"))
    job("One task", lambda: api.api_tasks_retrieve(str(task)))
    job("Change a task", lambda: api.api_tasks_partial_update(str(task), {"data": {"text": "four"}}))
    job("An unknown task", lambda: api.api_tasks_retrieve("999999"), 404)
    # annotations and predictions
    annotation = (job("An annotation",
        lambda: api.api_tasks_annotations_create(task, {"result": RESULT, "was_cancelled": False, "lead_time": 2.5})) or {}).get("id", 1)
    job("Annotations", lambda: api.api_tasks_annotations_list(task))
    job("One annotation", lambda: api.api_annotations_retrieve(annotation))
    job("Change it", lambda: api.api_annotations_partial_update(annotation, {"ground_truth": True}))
    prediction = (job("A prediction",
        lambda: api.api_predictions_create({"task": task, "result": RESULT, "score": 0.5, "model_version": "m1"})) or {}).get("id", 1)
    job("Predictions", lambda: api.api_predictions_list(task=task))
    job("One prediction", lambda: api.api_predictions_retrieve(prediction))
    job("Change a prediction", lambda: api.api_predictions_partial_update(prediction, {"score": 0.75}))
    # views
    view = (job("A view",
        lambda: api.api_dm_views_create({"project": project, "data": {"filters": {"conjunction": "and", "items": []}}})) or {}).get("id", 1)
    job("Views", lambda: api.api_dm_views_list(project=project))
    job("One view", lambda: api.api_dm_views_retrieve(str(view)))
    job("Actions", lambda: api.api_dm_actions_retrieve(project=project))
    job("Columns", lambda: api.api_dm_columns_retrieve(project=project))
    # webhooks, storages
    hook = (job("A webhook",
        lambda: api.api_webhooks_create({"url": "http://127.0.0.1:1/hook", "project": project, "is_active": False})) or {}).get("id", 1)
    job("Webhooks", lambda: api.api_webhooks_list(project=str(project)))
    job("One webhook", lambda: api.api_webhooks_retrieve(hook))
    job("Change a webhook", lambda: api.api_webhooks_partial_update(hook, {"url": "http://127.0.0.1:1/other"}))
    job("About webhooks", lambda: api.api_webhooks_info_retrieve())
    job("Storages", lambda: api.api_storages_localfiles_list(project=project))
    job("A folder that is not there",
        lambda: api.api_storages_localfiles_create({"project": project, "path": "/none", "title": "files"}), 400)
    # exports
    job("Formats", lambda: api.api_projects_export_formats_retrieve(project))
    job("An export", lambda: api.api_projects_export_retrieve(project, export_type="JSON"))
    snapshot = (job("A snapshot", lambda: api.api_projects_exports_create(project, {"title": "first"})) or {}).get("id", 1)
    job("Snapshots", lambda: api.api_projects_exports_list(project))
    job("One snapshot", lambda: api.api_projects_exports_retrieve(project, snapshot))
    job("The file of a snapshot", lambda: api.api_projects_exports_download_retrieve(project, snapshot, export_type="JSON"))
    job("Uploaded files", lambda: api.api_projects_file_uploads_list(project))
    # deletions
    job("Delete the webhook", lambda: api.api_webhooks_destroy(hook))
    job("Delete the view", lambda: api.api_dm_views_destroy(str(view)))
    job("Delete the prediction", lambda: api.api_predictions_destroy(prediction))
    job("Delete the annotation", lambda: api.api_annotations_destroy(annotation))
    job("Delete the task", lambda: api.api_tasks_destroy(str(task)))
    job("Delete the snapshot", lambda: api.api_projects_exports_destroy(project, snapshot))
    job("Delete the project", lambda: api.api_projects_destroy(project))
    job("Delete it again", lambda: api.api_projects_destroy(project), 404)


def main() -> int:
    from labelstudio import LabelStudio

    job = Job()
    api = LabelStudio.open_file(argument(1, "DOCUMENT"), base=argument(2, "BASE"))
    job.open(api.router, credentials={"Token": "Token " + argument(3, "TOKEN")})
    work(api, job)
    return job.end()


if __name__ == "__main__":
    sys.exit(main())
