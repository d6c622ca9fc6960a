// The JSON tier from Rust, with bindings that bindgen wrote: social social.json http://127.0.0.1:8000
#![allow(non_upper_case_globals, non_camel_case_types, non_snake_case, dead_code)]
include!(env!("ROUTABLE_BINDINGS"));

use std::ffi::CString;
use std::ptr::{null, null_mut};

/// The JSON of a call's result, or of its error.
unsafe fn text(status: routable_status, json: &mut routable_string, error: *mut routable_error) -> String {
    if status != routable_status_ROUTABLE_OK {
        assert!(routable_error_to_json(error, json) == routable_status_ROUTABLE_OK);
        routable_error_free(error);
    }
    let result = String::from_utf8_lossy(std::slice::from_raw_parts(json.ptr as *const u8, json.len as usize)).into_owned();
    routable_string_free(json);
    result
}

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let path = CString::new(arguments[1].as_str()).unwrap();
    let call = format!(r#"{{"route":"user","operation":"read","ids":["a b"],"base":"{}"}}"#, arguments[2]);
    let refused = r#"{"route":"status","operation":"update","ids":[3]}"#;
    let (mut api, mut client, mut error) = (null_mut(), null_mut(), null_mut());
    let mut json = routable_string { ptr: null_mut(), len: 0 };
    unsafe {
        assert!(routable_router_open_file(path.as_ptr(), null(), &mut api, &mut error) == routable_status_ROUTABLE_OK);
        assert!(routable_client_new(null(), &mut client, &mut error) == routable_status_ROUTABLE_OK);
        let status = routable_build_json(api, call.as_ptr().cast(), call.len(), &mut json, &mut error);
        println!("{}", text(status, &mut json, error));
        let status = routable_perform_json(client, api, call.as_ptr().cast(), call.len(), &mut json, &mut error);
        println!("{}", text(status, &mut json, error));
        let status = routable_build_json(api, refused.as_ptr().cast(), refused.len(), &mut json, &mut error);
        println!("{}", text(status, &mut json, error));
        routable_client_free(client);
        routable_router_free(api);
    }
}
