// The JSON tier from Go: go run social.go social.json http://127.0.0.1:8000
package main

/*
#cgo pkg-config: routable
#include <routable.h>
#include <stdlib.h>
*/
import "C"

import (
	"fmt"
	"os"
	"unsafe"
)

var failure *C.routable_error

// text is the JSON of a call's result, or of its error.
func text(status C.routable_status, json *C.routable_string) string {
	if status != C.ROUTABLE_OK && C.routable_error_to_json(failure, json) != C.ROUTABLE_OK {
		return ""
	}
	defer C.routable_string_free(json)
	return C.GoStringN(json.ptr, C.int(json.len))
}

func main() {
	var api *C.routable_router
	var client *C.routable_client
	var json C.routable_string
	path := C.CString(os.Args[1])
	defer C.free(unsafe.Pointer(path))
	if C.routable_router_open_file(path, nil, &api, &failure) != C.ROUTABLE_OK || C.routable_client_new(nil, &client, &failure) != C.ROUTABLE_OK {
		panic(text(1, &json))
	}
	call := C.CString(`{"route":"user","operation":"read","ids":["a b"],"base":"` + os.Args[2] + `"}`)
	refused := C.CString(`{"route":"status","operation":"update","ids":[3]}`)
	fmt.Println(text(C.routable_build_json(api, call, C.ROUTABLE_NUL_TERMINATED, &json, &failure), &json))
	fmt.Println(text(C.routable_perform_json(client, api, call, C.ROUTABLE_NUL_TERMINATED, &json, &failure), &json))
	fmt.Println(text(C.routable_build_json(api, refused, C.ROUTABLE_NUL_TERMINATED, &json, &failure), &json))
}
