"""The URLs of the provider of oauth_providers.django: the toolkit below /o, its metadata at the root, and /me."""

from __future__ import annotations

from typing import Any

from django.http import JsonResponse
from django.urls import include, path
from oauth2_provider import urls
from oauth2_provider.oauth2_backends import get_oauthlib_core


def me(request: Any) -> JsonResponse:
    is_valid, _ = get_oauthlib_core().verify_request(request, scopes=[])
    return JsonResponse({"name": "ann"}) if is_valid else JsonResponse({"error": "invalid_token"}, status=401)


urlpatterns = [
    path("o/", include((urls.base_urlpatterns, "oauth2_provider"), namespace="oauth2_provider")),
    path("", include((urls.metadata_urlpatterns, "oauth2_provider"), namespace="metadata")),
    path("me", me),
]
