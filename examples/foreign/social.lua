-- The JSON tier from LuaJIT: luajit social.lua social.json http://127.0.0.1:8000
local ffi = require("ffi")
ffi.cdef [[
typedef struct { char *ptr; size_t len; } routable_string;
int routable_router_open_file(const char *path, const void *options, void **out, void **error);
int routable_client_new(const void *options, void **out, void **error);
int routable_build_json(void *router, const char *call, size_t length, routable_string *out, void **error);
int routable_perform_json(void *client, void *router, const char *call, size_t length, routable_string *out, void **error);
int routable_error_to_json(void *error, routable_string *out);
]]
local routable = ffi.load("libroutable.so.0")
local api, client, failure, json = ffi.new("void *[1]"), ffi.new("void *[1]"), ffi.new("void *[1]"), ffi.new("routable_string")

local function text(status)
  if status ~= 0 then routable.routable_error_to_json(failure[0], json) end
  return ffi.string(json.ptr, json.len)
end

assert(routable.routable_router_open_file(arg[1], nil, api, failure) == 0 and routable.routable_client_new(nil, client, failure) == 0)
local call = '{"route":"user","operation":"read","ids":["a b"],"base":"' .. arg[2] .. '"}'
print(text(routable.routable_build_json(api[0], call, #call, json, failure)))
print(text(routable.routable_perform_json(client[0], api[0], call, #call, json, failure)))
call = '{"route":"status","operation":"update","ids":[3]}'
print(text(routable.routable_build_json(api[0], call, #call, json, failure)))
