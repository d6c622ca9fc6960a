# Builds the C library from the Swift sources: one swiftc run per layer, then one link.  The ordinary Swift modules are
# the business of `swift build` (Package.swift).
#
#   make                     build/embedded/libroutable.so.0 and libroutable.a, without the Swift runtime
#   make RUNTIME=static      build/static/libroutable.so.0, with the ordinary runtime linked in
#   make ARCH=arm64          build/embedded-arm64/libroutable.so.0 and libroutable.a, for another processor (also: amd64); wheel
#                            and deb, too (docs/platforms.md)
#   make SANITIZE=address    build/embedded-address/libroutable.so.0 (also: thread)
#   make DRAFT=1             build/embedded-draft/libroutable.so.0, not optimised: in half the time, for work on the code
#   make typecheck           the layers one by one through the type checker alone: seconds
#   make fuzz [SECONDS=60] [TARGET=name]     each target of fuzz/, for so long
#   make check-services      real services on loopback, described, called and shown
#   make bench-http          measures requests beside libcurl, pycurl, aiohttp and httpx (nginx on loopback)
#   make soak [REQUESTS=1000000]   so many requests; the memory must not grow
#   make bench               measures beside libcurl, jansson and snprintf by hand
#   make bench-peers         measures beside routers, URL builders and validators of others, which it fetches the first
#                            time; BENCH_DATA=folder of tables
#   make ROUTES=FILE         build/routes/NAME/libNAME.so.0, NAME.h and NAME.py of the API that FILE declares in Swift; NAME is
#                            the file's, or ROUTES_NAME=; ROUTES_VERSION= (docs/swift-to-c.md)
#   make interface           what follows from include/*.h: version script, Python prototypes, pages (docs/interface.md)
#   make check                    every test; scripts/check --list and --step NAME for some of them
#   make check ARCH=arm64         the tests of the library for that processor, under emulation; also: make check-arm64
#   make demo | sanitize | install DESTDIR= PREFIX= LIBDIR= | clean
#   make command             build/command/routable, the command; with DRAFT=1 build/command-draft/routable, not optimised
#   make install-command     the command, its manual page and completions, where `make install` puts the rest
#   make deb                 the Debian packages, in build/deb
#   make wheel               the Python package with the library inside, and the sdist without it, in build/wheel
#   make check-foreign       calls the library from Rust, Go, LuaJIT and Ruby
#   make check-clean-root    installs them in a minimal Debian 12 and 13 and runs the examples there (as root)
#   make check-packages ARCH=arm64    unpacks them in both and runs the examples there, under emulation

# --- Layers, lowest first, with what each may import (DESIGN: arrows point at what is imported) ---

LAYERS := RoutableCore RoutablePresentation RoutableJSON RoutableSchema RoutableDocuments RoutablePerform RoutableClient RoutableABI
RoutableCore.imports    := CSystem CPCRE2
RoutablePresentation.imports := RoutableCore
RoutableJSON.imports    := RoutableCore CJansson CSystem
RoutableSchema.imports  := RoutableCore RoutableJSON CSystem
RoutableDocuments.imports := RoutableCore RoutableJSON RoutableSchema CSystem
RoutablePerform.imports := RoutableCore CCurl CSystem
RoutableClient.imports  := RoutableCore RoutableJSON RoutablePerform CSystem
RoutableABI.imports     := RoutableCore RoutablePresentation RoutableJSON RoutableSchema RoutableDocuments RoutableClient CJansson CSystem CRoutable
# Small code everywhere.  A function on a hot path is marked @_optimize(speed) in its source: matching and the writing of
# plans measure the same as with -O for a whole layer, at four fifths of the bytes.
OPTIMIZE := -Osize

# C shims, and the libraries that the result is linked with.  libcurl is opened at run time and never linked.
SHIMS := CSystem CJansson CCurl CPCRE2
LIBRARIES := jansson libpcre2-8
# CRoutable is include/: the contract as a module.

# --- Choices ---

RUNTIME ?= embedded
# The processor, by Debian's name of it; this machine's unless said.
ARCH ?=
SANITIZE ?=
DRAFT ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
PYTHON ?= python3
# The C function that a failed check of the Swift code calls instead of an illegal instruction.  It hangs on a compiler
# flag that is not documented: empty it if a compiler refuses the flag.
TRAP_FUNCTION ?= csystem_trap
# The compiler can run away on some inputs; this many KB of address space, or seconds of processor time, stop it.
MEMORY_LIMIT_KB ?= 16777216
TIME_LIMIT_S ?= 1800

# --- Version: said once, in the header ---

version_part = $(shell sed -n 's/^.define ROUTABLE_VERSION_$(1) \([0-9]*\)$$/\1/p' include/routable_values.h)
MAJOR := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
SONAME := libroutable.so.$(MAJOR)
REALNAME := libroutable.so.$(VERSION)

# --- Toolchain: whatever swiftc is on PATH, with the clang and lld beside it ---

SWIFTC ?= swiftc
TARGET_INFO := $(shell $(SWIFTC) -print-target-info 2>/dev/null)
target_info = $(shell printf '%s' '$(TARGET_INFO)' | sed -n 's/.*"$(1)": *"\([^"]*\)".*/\1/p')
SWIFT_RESOURCES := $(call target_info,runtimeResourcePath)
TRIPLE := $(call target_info,moduleTriple)
TOOLS := $(SWIFT_RESOURCES:%/lib/swift=%)/bin
CLANG := $(TOOLS)/clang
OBJCOPY := $(TOOLS)/llvm-objcopy

# --- Processor: this machine's, or another one with Debian's packages of it below build/sysroot (scripts/sysroot) ---

OWN_ARCH := $(or $(patsubst x86_64,amd64,$(filter x86_64,$(shell uname -m))),$(patsubst aarch64,arm64,$(filter aarch64,$(shell uname -m))),$(shell uname -m))
override ARCH := $(or $(ARCH),$(OWN_ARCH))
ifeq ($(filter amd64 arm64,$(ARCH)),)
$(error ARCH is '$(ARCH)'; Routable is built for amd64 and arm64$(if $(filter arm% i%86 mips mipsel powerpc riscv32,$(ARCH)),: it needs a processor of 64 bits))
endif
CROSS := $(filter-out $(OWN_ARCH),$(ARCH))
ifneq ($(CROSS),)
  ifneq ($(RUNTIME)$(SANITIZE),embedded)
$(error With ARCH=$(ARCH) on $(OWN_ARCH), RUNTIME is embedded and SANITIZE is empty: Swift has nothing else for another processor)
  endif
  MULTIARCH := $(patsubst amd64,x86_64,$(patsubst arm64,aarch64,$(ARCH)))-linux-gnu
  # Swift has Embedded modules of other processors for no system; the C side alone knows that it is Linux.
  TRIPLE := $(patsubst amd64,x86_64-unknown-none-elf,$(patsubst arm64,aarch64-none-none-elf,$(ARCH)))
  SYSROOT ?= build/sysroot/$(ARCH)
  CROSS_C := --target=$(MULTIARCH) --sysroot=$(SYSROOT)
  CROSS_SWIFT := -target $(TRIPLE) $(addprefix -Xcc ,$(CROSS_C))
  packages_config := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(MULTIARCH)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config
else
  packages_config := pkg-config
endif

# --- Flags ---

# DWARF 4: Debian 12's valgrind gives up on version 5, and gdb on parts of it.

ifeq ($(filter embedded static,$(RUNTIME)),)
$(error RUNTIME is '$(RUNTIME)'; it is embedded or static)
endif
ifeq ($(filter address thread,$(SANITIZE))$(if $(SANITIZE),,none),)
$(error SANITIZE is '$(SANITIZE)'; it is address or thread)
endif

B := build/$(RUNTIME)$(CROSS:%=-%)$(if $(SANITIZE),-$(SANITIZE))$(if $(DRAFT),-draft)

# Debian's headers of another processor are where the compiler looks by itself.
C_PACKAGE_FLAGS := $(if $(CROSS),,$(shell pkg-config --cflags $(LIBRARIES) 2>/dev/null))
INCLUDES := -Iinclude $(SHIMS:%=-ISources/%/include)
# Sources are named from the top of the repository, and no module cache is, so that a build tells nothing of the machine
# it was made on.  The shell expands TOP, since make would take a path with a space for two words.
export TOP := $(CURDIR)
CODE_FLAGS := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections "-ffile-prefix-map=$$TOP/=" -ffile-compilation-dir=. $(CROSS:%=-ffile-prefix-map=$(SYSROOT)/=/) \
    $(if $(filter embedded,$(RUNTIME)),-fno-asynchronous-unwind-tables -fno-unwind-tables)
CFLAGS_ALL := $(CROSS_C) -std=c11 -O2 -gdwarf-4 -Wall -Wextra -Werror $(CODE_FLAGS) $(INCLUDES) $(C_PACKAGE_FLAGS) $(CFLAGS)
SWIFTFLAGS_ALL := $(CROSS_SWIFT) -swift-version 6 -wmo $(if $(DRAFT),-gline-tables-only,-g) -dwarf-version=4 -Xfrontend -no-clang-module-breadcrumbs -parse-as-library -package-name routable -file-prefix-map "$$TOP/=" -file-compilation-dir . \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    $(INCLUDES) -I $(B) $(addprefix -Xcc ,$(CODE_FLAGS) $(C_PACKAGE_FLAGS)) -Xfrontend -function-sections $(SWIFTFLAGS)
# Words for the linker itself: both clang and swiftc hand them on.  Folding equal functions is safe because Swift has no
# equality of functions; lld leaves data alone.
LINK_WORDS := -soname=$(SONAME) --version-script=Sources/RoutableABI/routable.map --gc-sections --icf=all --build-id \
    -z relro -z now -z pack-relative-relocs --undefined-version $(if $(SANITIZE),,-z defs) -Map=$(B)/link.map
LINK_LIBRARIES = $(shell $(packages_config) --libs $(LIBRARIES)) -lm

ifeq ($(RUNTIME),embedded)
  SWIFTFLAGS_ALL += -enable-experimental-feature Embedded
  ifneq ($(TRAP_FUNCTION),)
    SWIFTFLAGS_ALL += -Xfrontend -trap-function -Xfrontend $(TRAP_FUNCTION)
  endif
  CFLAGS_ALL += -DROUTABLE_EMBEDDED
  UNICODE := $(SWIFT_RESOURCES)/embedded/$(TRIPLE)/libswiftUnicodeDataTables.a
  LINK := $(CLANG) $(CROSS_C) -shared -fuse-ld=lld
else
  SWIFTFLAGS_ALL += -Xfrontend -disable-implicit-concurrency-module-import \
    -Xfrontend -disable-implicit-string-processing-module-import
  UNICODE :=
  LINK := $(SWIFTC) -static-stdlib -use-ld=lld -emit-library -no-toolchain-stdlib-rpath
  LINK_WORDS += --exclude-libs=ALL
endif
ifneq ($(SANITIZE),)
  SWIFTFLAGS_ALL += -sanitize=$(SANITIZE)
  CFLAGS_ALL += -fsanitize=$(SANITIZE) -fno-omit-frame-pointer
  LINK += -fsanitize=$(SANITIZE) $(if $(filter thread,$(SANITIZE)),-L$(SWIFT_RESOURCES)/linux -ldispatch -lBlocksRuntime)
endif
LINK += $(addprefix -Xlinker ,$(LINK_WORDS)) $(LDFLAGS)

# --- Rules ---

# As many jobs as there are processors, unless the caller says otherwise.
ifeq ($(filter -j% --jobs%,$(MAKEFLAGS)),)
MAKEFLAGS += --jobs=$(shell nproc)
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all lib routes wheel command install-command demo check sanitize fuzz check-services bench bench-peers install deb interface check-clean-root check-foreign clean layers objects unicode FORCE bench-http soak typecheck check-arm64 check-amd64 check-packages

all: $(if $(ROUTES),routes,lib)

say = @printf '  %-8s%s\n' '$(1)' '$(2)'

lib: $(B)/$(REALNAME) $(B)/$(SONAME) $(B)/libroutable.so $(if $(filter embedded,$(RUNTIME)),$(if $(SANITIZE),,$(B)/libroutable.a))

# Files that change only when their content does: a removed source or another flag rebuilds what it should.
define remember
	@mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef

ifneq ($(CROSS),)
$(B)/flags: $(SYSROOT)/usr/lib/$(MULTIARCH)/libjansson.a
$(SYSROOT)/usr/lib/$(MULTIARCH)/libjansson.a:
	@scripts/bootstrap $(ARCH)
endif

$(B)/flags: FORCE
	@$(packages_config) --exists $(LIBRARIES) && [ -n '$(TRIPLE)' ] || { echo "something to build with is missing: scripts/bootstrap build" >&2; exit 1; }
	$(call remember,$(SWIFTFLAGS_ALL) $(OPTIMIZE) | $(CFLAGS_ALL) | $(LINK) | $(LINK_LIBRARIES) | $(TARGET_INFO) | $(CURDIR))

swift_layers = $(filter $(LAYERS),$(1))
shim_headers := $(foreach shim,$(SHIMS),$(wildcard Sources/$(shim)/include/* Sources/$(shim)/*.h)) $(wildcard include/*)

define layer
$(1).sources := $$(sort $$(shell find Sources/$(1) -name '*.swift' 2>/dev/null))

$(B)/$(1).sources: FORCE
	$$(call remember,$$($(1).sources))

$(B)/$(1).o $(B)/$(1).swiftmodule &: $$($(1).sources) $(B)/$(1).sources $(B)/flags $$(shim_headers) \
    $(patsubst %,$(B)/%.swiftmodule,$(call swift_layers,$($(1).imports)))
	$$(call say,SWIFT,$(1)$(if $(SANITIZE), ($(SANITIZE)),$(if $(filter static,$(RUNTIME)), (static))))
	@ulimit -v $(if $(SANITIZE),unlimited,$(MEMORY_LIMIT_KB)); ulimit -t $(TIME_LIMIT_S); $(SWIFTC) $$(SWIFTFLAGS_ALL) $(if $(DRAFT),-Onone,$(OPTIMIZE)) -module-name $(1) \
	    -emit-module -emit-module-path $(B)/$(1).swiftmodule -c $$($(1).sources) -o $(B)/$(1).o
	@$(OBJCOPY) --remove-section=.swift_modhash $(B)/$(1).o # it tells the folder of the build
	@touch $(B)/$(1).o $(B)/$(1).swiftmodule # swiftc leaves a file alone that would not change
endef
$(foreach name,$(LAYERS),$(eval $(call layer,$(name))))

# Modules are made without code, which takes a few seconds a layer; they live beside the objects of no build.
typecheck: $(B)/flags
	@mkdir -p build/typecheck
	@set -e; for layer in $(LAYERS); do printf '  %-8s%s\n' CHECK $$layer; $(SWIFTC) $(subst -I $(B),-I build/typecheck,$(SWIFTFLAGS_ALL)) -Onone \
	    -module-name $$layer -emit-module -emit-module-path build/typecheck/$$layer.swiftmodule \
	    $$(find Sources/$$layer -name '*.swift'); done

shim_sources := $(foreach shim,$(SHIMS),$(wildcard Sources/$(shim)/*.c))
shim_objects := $(patsubst Sources/%.c,$(B)/%.o,$(shim_sources))

$(B)/%.o: Sources/%.c $(B)/flags $(shim_headers)
	$(call say,CC,$*)
	@mkdir -p $(@D)
	@$(CLANG) $(CFLAGS_ALL) -c $< -o $@

objects := $(LAYERS:%=$(B)/%.o) $(shim_objects)

# With symbols and the link map: what the checks read.  The stripped library beside it is what ships.
$(B)/unstripped/$(REALNAME): $(objects) $(B)/flags Sources/RoutableABI/routable.map
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	@$(LINK) -o $@ $(objects) $(UNICODE) $(LINK_LIBRARIES)

$(B)/$(REALNAME): $(B)/unstripped/$(REALNAME)
	$(call say,STRIP,$@)
	@$(OBJCOPY) --only-keep-debug $< $@.debug
	@$(OBJCOPY) --strip-all $< $@
	@cd $(B) && $(OBJCOPY) --add-gnu-debuglink=$(REALNAME).debug $(REALNAME)

$(B)/$(SONAME): $(B)/$(REALNAME)
	@ln -sf $(REALNAME) $@

$(B)/libroutable.so: $(B)/$(SONAME)
	@ln -sf $(SONAME) $@

# One object with everything inside but the functions of the header made local, so that an archive hides as much as the
# shared library does.
$(B)/libroutable.a: $(objects) $(B)/flags
	$(call say,AR,$@)
	@$(TOOLS)/ld.lld -r -o $(B)/routable.o $(objects) $(UNICODE)
	@$(OBJCOPY) --strip-debug --wildcard --keep-global-symbol='routable_*' $(B)/routable.o
	@rm -f $@; $(TOOLS)/llvm-ar rcs $@ $(B)/routable.o

# --- A library of one API that is declared in Swift, with the core inside (docs/swift-to-c.md) ---

ROUTES ?=
ROUTES_NAME ?= $(shell basename '$(ROUTES)' .swift | sed 's/\([a-z0-9]\)\([A-Z]\)/\1_\2/g' | tr 'A-Z-' 'a-z_')
ROUTES_VERSION ?= 0.1.0
ifneq ($(ROUTES),)
ifneq ($(RUNTIME)$(SANITIZE),embedded)
$(error ROUTES= builds with RUNTIME=embedded and without SANITIZE)
endif
R := build/routes$(CROSS:%=-%)/$(ROUTES_NAME)
ROUTES_SONAME := lib$(ROUTES_NAME).so.$(firstword $(subst ., ,$(ROUTES_VERSION)))
ROUTES_REALNAME := lib$(ROUTES_NAME).so.$(ROUTES_VERSION)
# The declaration is a file of somebody else: it is compiled without the package, and without the upcoming features that this
# one has switched on.
ROUTES_FLAGS = $(subst -enable-upcoming-feature InternalImportsByDefault,,$(subst -enable-upcoming-feature MemberImportVisibility,,$(subst -package-name routable,,$(SWIFTFLAGS_ALL)))) \
    -I $(R)/module $(if $(DRAFT),-Onone,$(OPTIMIZE))
ROUTES_LINK = $(subst -soname=$(SONAME),-soname=$(ROUTES_SONAME),$(subst --version-script=Sources/RoutableABI/routable.map,--version-script=$(R)/module/exports.map,$(subst -Map=$(B)/link.map,-Map=$(R)/module/link.map,$(LINK))))

routes: $(R)/$(ROUTES_REALNAME)
	@ln -sf $(ROUTES_REALNAME) $(R)/$(ROUTES_SONAME) && ln -sf $(ROUTES_SONAME) $(R)/lib$(ROUTES_NAME).so
	@sed -e 's|@PREFIX@|$${pcfiledir}|; s|@LIBDIR@|$${pcfiledir}|; s|@VERSION@|$(ROUTES_VERSION)|; s|^Name: .*|Name: $(ROUTES_NAME)|; s|-lroutable|-l$(ROUTES_NAME)|; /^#/d' \
	    -e 's|^Description: .*|Description: The API $(ROUTES_NAME), declared in Swift|' routable.pc.in >$(R)/$(ROUTES_NAME).pc
ifeq ($(CROSS),)
	$(call say,WRITE,$(R)/include/$(ROUTES_NAME).h $(R)/$(ROUTES_NAME).py)
	@$(PYTHON) scripts/routes bindings $(ROUTES_NAME) $(R) $(COMMAND)/routable
endif

$(R)/$(ROUTES_REALNAME): $(R)/module/declaration.o $(objects) $(B)/flags Sources/RoutableABI/routable.map scripts/routes
	$(call say,LINK,$@)
	@$(PYTHON) scripts/routes script $(ROUTES_NAME) >$(R)/module/exports.map
	@$(ROUTES_LINK) -o $(R)/module/unstripped.so $(R)/module/declaration.o $(objects) $(UNICODE) $(LINK_LIBRARIES)
	@$(OBJCOPY) --strip-all $(R)/module/unstripped.so $@

$(R)/module/declaration.o: $(ROUTES) bindings/swift/Routable.swift scripts/routes $(B)/RoutableABI.swiftmodule $(B)/flags
	$(call say,SWIFT,$(ROUTES))
	@mkdir -p $(R)/module
	@$(PYTHON) scripts/routes export '$(ROUTES)' $(ROUTES_NAME) >$(R)/module/export.swift
	@$(SWIFTC) $(ROUTES_FLAGS) -module-name Routable -emit-module -emit-module-path $(R)/module/Routable.swiftmodule bindings/swift/Routable.swift
	@$(SWIFTC) $(ROUTES_FLAGS) -module-name Declaration -c '$(ROUTES)' $(R)/module/export.swift -o $@
endif

# --- The command: behind a trait of the package, with which alone packages of others are resolved ---

COMMAND := build/command$(if $(DRAFT),-draft)
# A folder with the packages, where nothing may be fetched: scripts/fetch_packages.
export ROUTABLE_PACKAGES ?=
# The hash of a module and the names of what is cached would depend on where it is built.
COMMAND_FLAGS := -Osize -Xfrontend -disable-incremental-llvm-codegen -Xfrontend -no-clang-module-breadcrumbs -file-prefix-map "$$TOP/=" -file-compilation-dir .
COMMAND_LINK := --gc-sections -z relro -z now

command:
	$(call say,SWIFT,$(COMMAND)/routable)
	@swift build --traits Command --scratch-path $(COMMAND)/swift --product routable \
	    $(if $(DRAFT),,-c release --static-swift-stdlib $(addprefix -Xswiftc ,$(COMMAND_FLAGS)) \
	    -Xcc "-ffile-prefix-map=$$TOP/=" $(addprefix -Xlinker ,$(COMMAND_LINK)))
	@mkdir -p $(COMMAND)/unstripped
	@cp $(COMMAND)/swift/$(if $(DRAFT),debug,release)/routable $(COMMAND)/unstripped/routable
	@$(OBJCOPY) --strip-all $(COMMAND)/unstripped/routable $(COMMAND)/routable

# The command with its manual page and completions.  It is built only if it is missing, as by install.
install-command:
	@[ -e $(COMMAND)/routable ] || $(MAKE) command
	$(call say,INSTALL,$(DESTDIR)$(PREFIX)/bin/routable)
	@install -D -m 755 $(COMMAND)/$(if $(UNSTRIPPED),unstripped/)routable '$(DESTDIR)$(PREFIX)/bin/routable'
	@mkdir -p '$(DESTDIR)$(PREFIX)/share/man/man1'
	@$(PYTHON) scripts/command_man $(COMMAND)/routable $(VERSION) >'$(DESTDIR)$(PREFIX)/share/man/man1/routable.1'
	@set -e; for target in bash:bash-completion/completions/routable zsh:zsh/vendor-completions/_routable \
	    fish:fish/vendor_completions.d/routable.fish; do \
	    file='$(DESTDIR)$(PREFIX)/share/'$${target#*:}; mkdir -p "$${file%/*}"; \
	    $(COMMAND)/routable --generate-completion-script $${target%%:*} | sed '1{/^#!/d}' >"$$file"; done

# For the wheel: with jansson and PCRE2 inside, and for every glibc from 2.34 on.
$(B)/wheel/libroutable.so.0: $(objects) bindings/python/wheel_stdin.c $(B)/flags Sources/RoutableABI/routable.map
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	@$(CLANG) $(CROSS_C) -O2 -fPIC -c bindings/python/wheel_stdin.c -o $(@D)/stdin.o
	@$(subst -Xlinker -z -Xlinker pack-relative-relocs,,$(LINK)) -s -o $@ $(objects) $(@D)/stdin.o $(UNICODE) -l:libjansson.a -l:libpcre2-8.a -lm \
	    -Xlinker --exclude-libs=ALL -Xlinker -Map=$(B)/wheel/link.map

wheel: $(B)/wheel/libroutable.so.0
	@scripts/wheel $<

# --- Use ---

# Builds nothing if the library is there, so that `sudo make install` needs no Swift on root's PATH.
install:
	@[ -e $(B)/$(REALNAME) ] || $(MAKE) lib
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION='$(VERSION)' FROM='$(B)' \
	    REALNAME='$(REALNAME)' SONAME='$(SONAME)' PYTHON='$(PYTHON)' scripts/install

interface:
	@scripts/interface

demo:
	@scripts/bootstrap build
	@+$(MAKE) lib
	@scripts/demo

check:
	@+scripts/check $(CROSS:%=--arch %)

check-arm64 check-amd64:
	@+scripts/check --arch $(@:check-%=%)

sanitize:
	@scripts/bootstrap check
	@+scripts/sanitize

fuzz:
	@scripts/bootstrap check
	@scripts/fuzz --seconds '$(or $(SECONDS),60)' $(if $(TARGET),--target '$(TARGET)')

check-services:
	@scripts/bootstrap services
	@+$(MAKE) lib
	@scripts/check_services

bench:
	@scripts/bootstrap build
	@+$(MAKE) lib
	@scripts/bench

bench-peers:
	@scripts/bootstrap build
	@+$(MAKE) lib
	@set -e; for script in benchmarks/peers/*.sh; do "$$script"; done
	@benchmarks/peers/run

bench-http:
	@scripts/bootstrap bench
	@+$(MAKE) lib
	@scripts/bench_http

soak:
	@scripts/bootstrap bench
	@+$(MAKE) lib
	@scripts/soak '$(or $(REQUESTS),1000000)'

deb:
	@scripts/deb --arch $(ARCH)

check-foreign:
	@scripts/bootstrap foreign
	@+$(MAKE) lib
	@scripts/check_foreign $(B)

check-clean-root: deb wheel
	@set -e; for suite in bookworm trixie; do SUITE=$$suite scripts/check_clean_root; done
	@set -e; for release in 12 13; do DEBIAN=$$release scripts/check_clean_image; done

check-packages:
	@scripts/check_packages $(ARCH)

clean:
	rm -rf build .build .build-address .build-thread

# For the checks: the layers as `name: imports`.
layers:
	@$(foreach name,$(LAYERS),echo '$(name): $($(name).imports)';)

# For scripts/fuzz: what the library is linked from.
objects:
	@echo $(objects)

unicode:
	@echo $(UNICODE)
