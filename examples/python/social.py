"""The program of the README: builds a request, and prints the error for a rejected one.  social.py examples/social.json"""
import sys

import routable

api = routable.open(sys.argv[1] if len(sys.argv) > 1 else "social.json")
print(api.user("initFabian").status("3").comment("32352").user("fakeUser").read())
try:
    api.status("3").update({"text": "no"})
except routable.NotAllowedError as error:
    print(error)
