# Written by scripts/interface from include/*.h: change the header, then run scripts/interface.
"""The prototypes of routable.h and what it includes, a module for each header, and nothing else: no logic lives here.

The C declaration stands above each function; each handle is a type of its own, so that a request cannot be passed
where a router is expected.  A module is imported when one of its names is first used."""

TYPE_CHECKING = False  # True for type checkers
if TYPE_CHECKING:
    from .values import *  # noqa: F403
    from .router import *  # noqa: F403
    from .request import *  # noqa: F403
    from .response import *  # noqa: F403
    from .introspection import *  # noqa: F403
    from .client import *  # noqa: F403
    from .json import *  # noqa: F403
    from .transfers import *  # noqa: F403
    from .credentials import *  # noqa: F403
    from .login import *  # noqa: F403
    from .bodies import *  # noqa: F403
    from .pages import *  # noqa: F403
    from .links import *  # noqa: F403
    from .trace import *  # noqa: F403
    from .transport import *  # noqa: F403
    from .json_value import *  # noqa: F403
    from .service import *  # noqa: F403
    from .mock import *  # noqa: F403
    from .middleware import *  # noqa: F403
    from .coverage import *  # noqa: F403
    from .tape import *  # noqa: F403
    from .match import *  # noqa: F403
    from .tools import *  # noqa: F403
    from .builder import *  # noqa: F403
    from .schema import *  # noqa: F403
    from .template import *  # noqa: F403
    from .presentation import *  # noqa: F403
else:
    _NAMES = {
        "values": (
            " ROUTABLE_NONE ROUTABLE_NUL_TERMINATED routable_version routable_version_string routable_set_memory_limit "
            " routable_memory_used routable_status ROUTABLE_OK ROUTABLE_NO_MATCH ROUTABLE_METHOD_NOT_ALLOWED "
            " ROUTABLE_PENDING ROUTABLE_CANCELLED ROUTABLE_IDLE ROUTABLE_INTERRUPTED ROUTABLE_ERR_ARGUMENT "
            " ROUTABLE_ERR_BUFFER ROUTABLE_ERR_JSON ROUTABLE_ERR_DOCUMENT ROUTABLE_ERR_CONFLICT ROUTABLE_ERR_UNSUPPORTED "
            " ROUTABLE_ERR_FILE ROUTABLE_ERR_UNKNOWN ROUTABLE_ERR_NOT_ALLOWED ROUTABLE_ERR_ID ROUTABLE_ERR_VALUE "
            " ROUTABLE_ERR_SHADOWED ROUTABLE_ERR_PARAMETER ROUTABLE_ERR_BODY ROUTABLE_ERR_HEADER ROUTABLE_ERR_NO_CURL "
            " ROUTABLE_ERR_TRANSFER ROUTABLE_ERR_TIMEOUT ROUTABLE_ERR_TLS ROUTABLE_ERR_HTTP_STATUS ROUTABLE_ERR_RESPONSE "
            " ROUTABLE_ERR_CREDENTIAL ROUTABLE_ERR_EXCESSIVE_REFRESH ROUTABLE_ERR_URL ROUTABLE_ERR_LIMIT "
            " ROUTABLE_ERR_CALLBACK ROUTABLE_ERR_MEMORY ROUTABLE_ERR_INTERNAL routable_status_name routable_str "
            " routable_string routable_string_free routable_release_fn routable_kind ROUTABLE_KIND_NULL "
            " ROUTABLE_KIND_BOOLEAN ROUTABLE_KIND_INTEGER ROUTABLE_KIND_REAL ROUTABLE_KIND_STRING ROUTABLE_KIND_JSON "
            " routable_value_as routable_value routable_argument routable_header routable_error routable_response "
            " routable_error_status routable_error_message routable_error_pointer routable_error_schema_pointer "
            " routable_error_offset routable_error_line routable_error_column routable_error_route "
            " routable_error_operation routable_error_parameter routable_error_allowed_count routable_error_allowed_at "
            " routable_error_suggestion routable_error_http_status routable_error_curl_code routable_error_response "
            " routable_error_next routable_error_to_json routable_error_free "
        ),
        "router": (
            " routable_router routable_document routable_load_fn routable_open_options routable_router_open "
            " routable_router_open_file routable_router_free routable_router_name routable_router_base "
            " routable_router_warning_count routable_router_warning_at routable_router_document routable_router_map "
            " routable_router_routes "
        ),
        "request": (
            " routable_call routable_request routable_request_new routable_request_copy routable_request_free "
            " routable_request_method routable_request_url routable_request_route routable_request_operation "
            " routable_request_header_count routable_request_header_at routable_request_header "
            " routable_request_header_value_count routable_request_header_value_at routable_request_has_body "
            " routable_request_body routable_request_set_header routable_request_remove_header routable_request_if_match "
            " routable_request_if_none_match routable_request_set_body routable_request_remove_body "
            " routable_request_to_json ROUTABLE_SHOW_SECRETS routable_request_to_curl "
        ),
        "response": (
            " routable_outcome ROUTABLE_OUTCOME_EMPTY ROUTABLE_OUTCOME_SELF ROUTABLE_OUTCOME_DICTIONARY "
            " ROUTABLE_OUTCOME_ARRAY ROUTABLE_OUTCOME_RAW routable_outcome_name routable_response_map "
            " routable_response_free routable_response_status routable_response_header_count routable_response_header_at "
            " routable_response_header routable_response_header_value_count routable_response_header_value_at "
            " routable_response_body routable_response_outcome routable_deviation routable_response_deviation_count "
            " routable_response_deviation_at routable_response_check routable_response_reason "
            " routable_response_reason_pointer routable_response_reason_schema_pointer routable_response_type "
            " routable_response_url routable_response_http_version ROUTABLE_RESPONSE_HAS_DEVIATIONS "
            " ROUTABLE_RESPONSE_HAS_REASON ROUTABLE_RESPONSE_HAS_TRACE routable_response_parts routable_response_read "
            " routable_response_to_json "
        ),
        "introspection": (
            " routable_resource routable_operation routable_parameter ROUTABLE_CAN_LIST ROUTABLE_CAN_READ "
            " ROUTABLE_CAN_CREATE ROUTABLE_CAN_UPDATE ROUTABLE_CAN_PATCH ROUTABLE_CAN_DELETE "
            " routable_router_resource_count routable_router_resource_at routable_router_resource "
            " routable_router_derives_resources routable_router_resource_operation routable_resource_name "
            " routable_resource_path routable_resource_type routable_resource_description routable_resource_capabilities "
            " routable_resource_id_count routable_resource_id_at routable_resource_child_count "
            " routable_resource_child_at routable_resource_is_root routable_resource_route "
            " routable_resource_operation_count routable_resource_operation_at routable_resource_user_data "
            " routable_router_operation_count routable_router_operation_at routable_router_operation routable_place "
            " ROUTABLE_ON_COLLECTION ROUTABLE_ON_MEMBER ROUTABLE_ON_ROOT routable_resource_place routable_operation_name "
            " routable_operation_method routable_operation_path routable_operation_description routable_operation_place "
            " routable_operation_body_type routable_operation_result_type routable_operation_media_type_count "
            " routable_operation_media_type_at routable_operation_source routable_operation_parameter_count "
            " routable_operation_parameter_at routable_operation_user_data routable_operation_standalone_name "
            " routable_operation_body_schema routable_operation_result_schema routable_operation_check_body "
            " routable_operation_sample_body routable_operation_sample_result routable_operation_check_result "
            " routable_location ROUTABLE_IN_PATH ROUTABLE_IN_QUERY ROUTABLE_IN_HEADER ROUTABLE_IN_COOKIE "
            " routable_parameter_name routable_parameter_location routable_parameter_type routable_parameter_is_required "
            " routable_parameter_takes_segments routable_parameter_allows_empty routable_parameter_description "
            " routable_parameter_style routable_parameter_read routable_router_type_count routable_router_type_name_at "
            " routable_router_type_schema_at routable_router_user_data "
        ),
        "client": (
            " routable_client routable_tape routable_exchange routable_transport_fn routable_deviation_policy "
            " ROUTABLE_DEVIATIONS_DEFAULT ROUTABLE_DEVIATIONS_REPORT ROUTABLE_DEVIATIONS_RAISE "
            " ROUTABLE_DEVIATIONS_IGNORE routable_origin_header routable_setopt_fn routable_setup_fn "
            " routable_client_options ROUTABLE_CLIENT_NO_REDIRECTS ROUTABLE_CLIENT_NO_COMPRESSION "
            " ROUTABLE_CLIENT_TIMINGS ROUTABLE_CLIENT_CHECK_BODIES ROUTABLE_CLIENT_INSECURE_REDIRECTS "
            " ROUTABLE_CLIENT_NO_VERIFY ROUTABLE_CLIENT_NO_AUTH routable_client_new routable_client_free "
            " routable_client_save_cookies routable_client_cookies routable_client_set_cookie "
            " routable_client_clear_cookies routable_client_perform routable_credential ROUTABLE_POLICY_UNQUEUED "
            " ROUTABLE_POLICY_NO_AUTH ROUTABLE_POLICY_TIMINGS ROUTABLE_POLICY_CHECK_BODIES ROUTABLE_POLICY_KEEP_JSON "
            " ROUTABLE_POLICY_ANY_STATUS routable_policy routable_operation_policy routable_client_perform_with "
            " routable_deviation_fn routable_client_set_deviation_hook routable_client_to_curl "
        ),
        "json": (
            " routable_build_json routable_perform_json routable_request_new_json routable_router_routes_json "
            " routable_router_types_json routable_form_to_json routable_template_expand_json "
        ),
        "transfers": (
            " routable_transfer routable_transfer_fn routable_client_submit routable_client_submit_many "
            " routable_client_next routable_completion routable_client_next_many routable_client_drive "
            " routable_client_descriptor routable_client_interrupt routable_client_start routable_transfer_free "
            " routable_transfer_free_many routable_transfer_cancel routable_transfer_wait routable_transfer_result "
            " routable_transfer_user_data "
        ),
        "credentials": (
            " routable_refresh routable_refresh_fn routable_signing routable_sign_fn routable_tokens routable_tokens_fn "
            " ROUTABLE_CREDENTIAL_SECRET_IN_BODY routable_client_set_credential routable_client_remove_credential "
            " routable_client_tokens routable_refresh_scheme routable_refresh_token routable_refresh_url "
            " routable_refresh_route routable_refresh_operation routable_refresh_challenge routable_challenge_find "
            " routable_refresh_finish routable_refresh_fail routable_signing_method routable_signing_url "
            " routable_signing_body routable_signing_header routable_signing_set_header "
        ),
        "login": (
            " routable_login ROUTABLE_LOGIN_DISCOVER routable_login_options routable_login_new routable_login_free "
            " routable_login_begin routable_login_finish routable_device_code routable_login_begin_device "
            " routable_login_poll "
        ),
        "bodies": (
            " routable_read_fn routable_rewind_fn routable_source routable_request_set_body_source "
            " routable_request_set_body_file routable_part ROUTABLE_MULTIPART_HTML routable_request_set_multipart "
            " routable_write_fn routable_target routable_request_set_target routable_request_set_target_descriptor "
            " ROUTABLE_TARGET_RESUME routable_request_set_target_file routable_progress routable_progress_fn "
            " routable_request_set_progress routable_transfer_pause routable_transfer_resume routable_stream "
            " routable_stream_kind ROUTABLE_STREAM_BYTES ROUTABLE_STREAM_LINES ROUTABLE_STREAM_EVENTS "
            " routable_stream_options routable_stream_item routable_stream_open routable_stream_next "
            " routable_stream_response routable_stream_cancel routable_stream_free routable_splitter "
            " routable_splitter_new routable_splitter_feed routable_splitter_end routable_splitter_next "
            " routable_splitter_retry_ms routable_splitter_free routable_media_type_normalize "
        ),
        "pages": (
            " routable_pages ROUTABLE_PAGES_OTHER_ORIGINS ROUTABLE_PAGES_BACKWARDS routable_pages_options "
            " routable_pages_new routable_pages_free routable_pages_next routable_pages_follow routable_pages_item_count "
            " routable_pages_item routable_pages_next_item routable_pages_position routable_pages_end_with "
            " routable_paging ROUTABLE_PAGING_NONE ROUTABLE_PAGING_LINK ROUTABLE_PAGING_CURSOR ROUTABLE_PAGING_PAGE "
            " ROUTABLE_PAGING_OFFSET routable_pagination routable_operation_pagination "
        ),
        "links": (
            " routable_link routable_router_follow routable_link_find "
        ),
        "trace": (
            " routable_trace routable_response_trace routable_error_trace routable_transfer_trace routable_timings "
            " routable_trace_timings routable_event_kind ROUTABLE_EVENT_QUEUED ROUTABLE_EVENT_ATTEMPT "
            " ROUTABLE_EVENT_RETRY ROUTABLE_EVENT_REDIRECT ROUTABLE_EVENT_REFUSED ROUTABLE_EVENT_RESUMED "
            " ROUTABLE_EVENT_REFRESH ROUTABLE_EVENT_END routable_attempt routable_trace_attempt_count "
            " routable_trace_attempt_at routable_event routable_event_fn routable_client_set_hook "
        ),
        "transport": (
            " routable_exchange_route routable_exchange_operation routable_exchange_method routable_exchange_url "
            " routable_exchange_header_count routable_exchange_header_at routable_exchange_header "
            " routable_exchange_has_body routable_exchange_body routable_exchange_timeout_ms routable_reply "
            " routable_exchange_reply routable_responses routable_responses_new routable_responses_free routable_canned "
            " routable_responses_add routable_responses_answer routable_responses_check routable_responses_request_count "
            " routable_responses_request_at "
        ),
        "json_value": (
            " routable_json_values ROUTABLE_JSON_NOWHERE routable_json_kind ROUTABLE_JSON_NONE ROUTABLE_JSON_NULL "
            " ROUTABLE_JSON_BOOLEAN ROUTABLE_JSON_INTEGER ROUTABLE_JSON_REAL ROUTABLE_JSON_WIDE ROUTABLE_JSON_STRING "
            " ROUTABLE_JSON_ARRAY ROUTABLE_JSON_OBJECT routable_json_values_read routable_response_json_value "
            " routable_json_values_free routable_json_kind_of routable_json_count routable_json_next routable_json_item "
            " routable_json_children routable_json_key routable_json_member routable_json_element routable_json_at "
            " routable_json_boolean routable_json_integer routable_json_number routable_json_string routable_json_text "
            " routable_json_offset "
        ),
        "service": (
            " routable_incoming ROUTABLE_RECEIVE_REFUSE_UNDECLARED ROUTABLE_RECEIVE_REQUIRE_CREDENTIALS "
            " routable_verify_fn routable_receive_options routable_received routable_received_new "
            " routable_received_reset routable_received_free routable_received_route routable_received_operation "
            " routable_received_item routable_received_value_count routable_received_value_at routable_received_value "
            " routable_received_body routable_received_content_type routable_received_json_value "
            " routable_received_credential_count routable_received_credential_scheme_at routable_received_credential_at "
            " routable_received_ignored_count routable_received_ignored_at routable_received_to_json "
            " ROUTABLE_PROBLEM_400 routable_error_problem routable_received_precondition routable_item_fn "
            " routable_answer_options routable_answer routable_answer_new routable_answer_new_refused "
            " routable_answer_new_problem routable_answer_free routable_answer_status routable_answer_header_count "
            " routable_answer_header_at routable_answer_header routable_answer_body routable_answer_body_length "
            " routable_answer_descriptor routable_answer_next "
        ),
        "mock": (
            " routable_mock ROUTABLE_MOCK_ANONYMOUS routable_mock_change_fn routable_mock_options routable_mock_new "
            " routable_mock_free routable_mock_answer routable_mock_respond routable_mock_put routable_mock_problems "
            " routable_mock_count routable_mock_reset routable_mock_fault routable_mock_add_fault "
        ),
        "middleware": (
            " routable_interception routable_middleware_fn routable_middleware routable_client_add_middleware "
            " routable_interception_request routable_interception_set_request routable_interception_response "
            " routable_interception_error routable_interception_reply routable_interception_set_data "
            " routable_interception_data "
        ),
        "coverage": (
            " routable_coverage routable_coverage_options routable_coverage_new routable_coverage_free "
            " routable_coverage_add routable_coverage_observe routable_coverage_to_json ROUTABLE_COVERAGE_MISSING "
            " routable_coverage_to_text "
        ),
        "tape": (
            " routable_tape_mode ROUTABLE_TAPE_AUTO ROUTABLE_TAPE_RECORD ROUTABLE_TAPE_REPLAY ROUTABLE_TAPE_CHECK "
            " ROUTABLE_TAPE_ALLOW_UNUSED routable_tape_options routable_tape_new routable_tape_finish routable_tape_free "
        ),
        "match": (
            " routable_plan routable_plan_new routable_plan_free routable_plan_method routable_plan_id_count "
            " routable_plan_query_count routable_plan_query_name_at routable_plan_write ROUTABLE_MATCH_IGNORE_SLASH "
            " ROUTABLE_MATCH_IGNORE_CASE ROUTABLE_MATCH_MERGE_SLASHES ROUTABLE_MATCH_SUGGEST_SLASH "
            " ROUTABLE_MATCH_WHOLE_PATH ROUTABLE_MAX_CAPTURES routable_capture routable_match routable_router_match "
            " routable_match_operation routable_match_parameter routable_match_method_count routable_match_method_at "
            " routable_match_alternative_count routable_match_alternative_at routable_match_route routable_match_value "
            " routable_router_match_bytes routable_workspace routable_workspace_new routable_workspace_free "
            " routable_workspace_url routable_workspace_match "
        ),
        "tools": (
            " routable_tools_json ROUTABLE_SCHEMA_FUNCTION_SUBSET routable_operation_call_schema "
            " routable_call_from_object "
        ),
        "builder": (
            " routable_builder routable_encoding_options ROUTABLE_PARAMETER_REQUIRED ROUTABLE_PARAMETER_MINIMUM "
            " ROUTABLE_PARAMETER_MAXIMUM ROUTABLE_PARAMETER_ALLOW_EMPTY routable_parameter_options "
            " ROUTABLE_RESOURCE_NESTED ROUTABLE_RESOURCE_SHALLOW routable_resource_options routable_operation_options "
            " routable_builder_new routable_builder_free routable_builder_set_encoding routable_builder_add_resource "
            " routable_builder_nest routable_builder_add_operation routable_builder_build "
        ),
        "schema": (
            " routable_schema routable_dialect ROUTABLE_DIALECT_2020_12 ROUTABLE_DIALECT_OPENAPI_30 "
            " ROUTABLE_DIALECT_OPENAPI_31 ROUTABLE_SCHEMA_ASSERT_FORMATS routable_schema_options routable_schema_open "
            " routable_schema_of_type routable_schema_free routable_schema_validate ROUTABLE_SAMPLE_VARIED "
            " routable_schema_sample "
        ),
        "template": (
            " routable_template_expand "
        ),
        "presentation": (
            " routable_visit routable_visit_path routable_visit_route routable_visit_capture_count "
            " routable_visit_capture_name_at routable_visit_capture_string_at routable_visit_capture_at "
            " routable_visit_capture routable_presentable_fn routable_set_child_fn routable_set_children_fn "
            " routable_predicate_fn routable_unmatched_fn routable_presenter routable_presentation_builder "
            " routable_presentation ROUTABLE_ROUTE_RELATIVE routable_presentation_builder_new "
            " routable_presentation_builder_free routable_presentation_builder_add_presenter "
            " routable_presentation_builder_add_junction routable_presentation_builder_add_stack "
            " routable_presentation_builder_add_pattern routable_presentation_builder_add_template "
            " routable_presentation_builder_add_predicate routable_presentation_builder_add_document "
            " routable_presentation_builder_set_unmatched routable_presentation_builder_build "
            " ROUTABLE_PRESENTATION_DEPTH routable_presentation_free routable_presentation_presentable "
            " routable_presentation_handles routable_presentation_set routable_presentation_stack "
        ),
    }

    def __getattr__(name):
        for module, names in _NAMES.items():
            if f" {name} " in names:
                found = vars(__import__(f"{__name__}.{module}", fromlist=(name,)))
                globals().update((each, found[each]) for each in names.split())
                return found[name]
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__():
        return sorted({*globals(), *(name for names in _NAMES.values() for name in names.split())})
