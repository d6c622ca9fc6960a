"""A wide graph by the generated Python module: several ids in one step, no literal, ids of several segments."""

from code_api import AccountId, Code, FileId, ImageId, LabelId, RepositoryId

api = Code.open()
repository = api.repository("o", RepositoryId("r/x"))
for call in (
    repository.read(), api.repository("o").list(), repository.file(FileId("a/b c")).read(),
    repository.label(7, "k", LabelId("n")).read(), repository.label(7, "k").list(), api.repository("o")(RepositoryId("r")).read(),
    api.image(ImageId("a/b")).tags(), api.account(AccountId("me")).read(),
):
    print(call.method, call.url)
