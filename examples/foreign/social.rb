# The JSON tier from Ruby's Fiddle: ruby social.rb social.json http://127.0.0.1:8000
require "fiddle/import"

module Routable
  extend Fiddle::Importer
  dlload "libroutable.so.0"
  extern "int routable_router_open_file(const char *, void *, void *, void *)"
  extern "int routable_client_new(void *, void *, void *)"
  extern "int routable_build_json(void *, const char *, size_t, void *, void *)"
  extern "int routable_perform_json(void *, void *, const char *, size_t, void *, void *)"
  extern "int routable_error_to_json(void *, void *)"
end

api, client, failure = Array.new(3) { Fiddle::Pointer.malloc(Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE) }
json = Fiddle::Pointer.malloc(2 * Fiddle::SIZEOF_VOIDP, Fiddle::RUBY_FREE) # a pointer, then a length
text = lambda do |status|
  Routable.routable_error_to_json(failure.ptr, json) unless status.zero?
  json.ptr[0, json[Fiddle::SIZEOF_VOIDP, Fiddle::SIZEOF_SIZE_T].unpack1("J")]
end

abort "open" unless Routable.routable_router_open_file(ARGV[0], nil, api, failure).zero?
abort "client" unless Routable.routable_client_new(nil, client, failure).zero?
call = %({"route":"user","operation":"read","ids":["a b"],"base":"#{ARGV[1]}"})
puts text.(Routable.routable_build_json(api.ptr, call, call.bytesize, json, failure))
puts text.(Routable.routable_perform_json(client.ptr, api.ptr, call, call.bytesize, json, failure))
call = '{"route":"status","operation":"update","ids":[3]}'
puts text.(Routable.routable_build_json(api.ptr, call, call.bytesize, json, failure))
