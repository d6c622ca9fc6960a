# Builds the C library from the Swift sources: one swiftc run for each layer, then one link.  `swift build` builds the ordinary
# Swift modules (Package.swift).
#
#   make                     build/embedded/libroutable.so.0 and libroutable.a, without the Swift runtime
#   make RUNTIME=static      build/static/libroutable.so.0, with the ordinary runtime linked in
#   make ARCH=arm64          build/embedded-arm64/libroutable.so.0 and libroutable.a, for another processor (also: amd64); wheel
#                            and deb, too (docs/platforms.md)
#   make SANITIZE=address    build/embedded-address/libroutable.so.0 (also: thread)
#   make DRAFT=1             build/embedded-draft/libroutable.so.0, not optimized, for development and for make check
#   make typecheck           type-checks the layers without generating code, in seconds
#   make fuzz [SECONDS=60] [TARGET=name]     runs each target of fuzz/ for this many seconds
#   make fuzz-long [HOURS=1]     all targets and all readers, in turns, with coverage by file at the end
#   make fuzz-diff [SECONDS=60]  compares with independent readers in Python, for this many seconds each
#   make check-pages         reads 10,000 pages of twelve kinds in Python and in C; memory must not grow
#   make check-services      calls real services on loopback, and prints requests and responses
#   make bench-http          compares requests with libcurl, pycurl, aiohttp and httpx (nginx on loopback)
#   make soak [REQUESTS=1000000]   performs this many requests; memory must not grow
#   make torture             fails each allocation of the scenarios of Tests/torture, and each check of the library
#   make torture-programs    runs the C tests with every 97th allocation of the library refused, each in a run of its own
#   make bench               compares with hand-written code over libcurl, jansson and snprintf
#   make bench-peers         compares with other routers, URL builders and validators, which it fetches on the first
#                            run; BENCH_DATA=folder of tables
#   make ROUTES=FILE         build/routes/NAME/libNAME.so.0, NAME.h and NAME.py of the API that FILE declares in Swift; NAME is
#                            the file's, or ROUTES_NAME=; ROUTES_VERSION= (docs/swift-to-c.md)
#   make interface           generates files from include/*.h: version script, Python prototypes, pages (docs/interface.md)
#   make check                    the tests; scripts/check --list lists them, --step NAME runs one
#   make check-all                the tests that take longer: other builds, failed allocations, growth, other processors, packages
#   make check-data DATA=FOLDER   tests with documents and vectors of others, with the layout of Tests/conformance/own; single ones are:
#                                 make conformance, check-trees, check-convert, check-generated-data, check-hostile,
#                                 check-mock
#   make check-stranger           bootstrap, demo and check of a fresh clone in a minimal Debian, with their times (as root)
#   make check-environments       a part of the checks with other paths, TMPDIR, HOME, umask, locale and user, and without a network
#   make check-generated DATA=FOLDER   generated code of all documents of FOLDER
#   make check ARCH=arm64         the tests of the library for that processor, under emulation; also: make check-arm64
#   make demo | sanitize | install DESTDIR= PREFIX= LIBDIR= | clean
#   make command             build/command/routable, the command; with DRAFT=1 build/command-draft/routable, not optimized
#   make install-command     installs the command, its manual page and completions below PREFIX
#   make deb                 the Debian packages, in build/deb; with ROUTES=FILE those of its library, in build/routes/NAME/deb
#   make wheel               the Python package with the library inside, and the sdist without it, in build/wheel
#   make dist                the source archive, the packages and the wheels of both processors, in build/dist
#   make check-wheels        the wheels of both processors in new environments, with all tests of the binding, and auditwheel
#   make check-foreign       calls the library from Rust, Go, LuaJIT and Ruby
#   make check-clean-root    installs the packages in a minimal Debian 12 and 13, runs their tests there, and carries out the
#                            Dockerfile of debian/examples (as root; ARCH=arm64: under emulation)
#   make check-declared-root  the packages of make deb ROUTES=examples/Social.swift in a minimal Debian (as root)
#   make check-packages ARCH=arm64    unpacks the packages in both and runs the examples there, under emulation

# --- Layers, lowest first, with the modules that each may import (docs/architecture.md) ---

LAYERS := RoutableCore RoutablePresentation RoutableJSON RoutableSchema RoutableDocuments RoutableService RoutablePerform RoutableClient RoutableMock RoutableABI
RoutableCore.imports    := CSystem CPCRE2
RoutablePresentation.imports := RoutableCore
RoutableJSON.imports    := RoutableCore CJansson CSystem CYAML
RoutableSchema.imports  := RoutableCore RoutableJSON CSystem
RoutableDocuments.imports := RoutableCore RoutableJSON RoutableSchema CSystem
RoutableService.imports := RoutableCore RoutableJSON CSystem CZlib
RoutablePerform.imports := RoutableCore CCurl CSystem
RoutableClient.imports  := RoutableCore RoutableJSON RoutablePerform CSystem
RoutableMock.imports    := RoutableCore RoutableJSON RoutableService RoutablePerform CSystem
RoutableABI.imports     := RoutableCore RoutablePresentation RoutableJSON RoutableSchema RoutableDocuments RoutableService RoutableMock RoutableClient CJansson CSystem CRoutable
# Optimizes for size.  Functions on hot paths are marked @_optimize(speed) in the source: matching and writing plans are as
# fast as with -O for a whole layer, at four fifths of the size.
OPTIMIZE := -Osize
# Without optimization the compiler would read a module twice, for its code and for its interface.
DRAFT_OPTIONS := -Onone -no-emit-module-separately-wmo

# CSystem has the C code on hot paths: the scanners of JSON and text, and the allocations.
c_optimize = $(if $(filter CSystem/system CSystem/files,$(1)),-Os,$(if $(filter CSystem/%,$(1)),-O2,-Os))

# C shims, and the libraries that the result is linked with.  libcurl, libyaml and zlib are opened at run time and not linked.
SHIMS := CSystem CJansson CCurl CPCRE2 CYAML CZlib
LIBRARIES := jansson libpcre2-8
# CRoutable is include/ as a module.

# --- Choices ---

RUNTIME ?= embedded
# The processor by its Debian name; default: that of this machine.
ARCH ?=
SANITIZE ?=
DRAFT ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
DESTDIR ?=
PYTHON ?= python3
# The C function that a failed check of the Swift code calls instead of an illegal instruction.  The compiler flag for it is not
# documented: set the variable to nothing if a compiler rejects the flag.
TRAP_FUNCTION ?= csystem_trap
# Limits of the compiler, which can use unbounded time and memory: KB of address space, and seconds of processor time.
MEMORY_LIMIT_KB ?= 16777216
TIME_LIMIT_S ?= 1800

# A folder with the Swift packages that the command and the tests use; scripts/bootstrap fetches it.  Without it they are resolved
# from their addresses.
ROUTABLE_PACKAGES ?= $(if $(wildcard build/packages/packages.txt),$(CURDIR)/build/packages)
export ROUTABLE_PACKAGES

# Data that is not in the repository, and the targets that read it.
DATA ?=
DATA_TARGETS := check-data conformance check-trees check-convert check-generated-data check-hostile check-mock check-generated bench-generated

# --- Version: defined in the header alone ---

version_part = $(shell sed -n 's/^.define ROUTABLE_VERSION_$(1) \([0-9]*\)$$/\1/p' include/routable_values.h)
MAJOR := $(call version_part,MAJOR)
VERSION := $(MAJOR).$(call version_part,MINOR).$(call version_part,PATCH)
SONAME := libroutable.so.$(MAJOR)
REALNAME := libroutable.so.$(VERSION)

# --- Environment: as in scripts/environment.sh ---

ifneq ($(shell printf '%s' "$$TMPDIR" | LC_ALL=C tr -d ' -~'),)
export TMPDIR := /tmp
endif

# --- Toolchain: the swiftc on PATH, with its clang and lld ---

SWIFTC ?= swiftc
TARGET_INFO := $(shell $(SWIFTC) -print-target-info 2>/dev/null)
target_info = $(shell printf '%s' '$(TARGET_INFO)' | sed -n 's/.*"$(1)": *"\([^"]*\)".*/\1/p')
SWIFT_RESOURCES := $(call target_info,runtimeResourcePath)
TRIPLE := $(call target_info,moduleTriple)
TOOLS := $(SWIFT_RESOURCES:%/lib/swift=%)/bin
CLANG := $(TOOLS)/clang
OBJCOPY := $(TOOLS)/llvm-objcopy

# --- Processor: that of this machine, or another one with Debian packages in build/sysroot (scripts/sysroot) ---

OWN_ARCH := $(or $(patsubst x86_64,amd64,$(filter x86_64,$(shell uname -m))),$(patsubst aarch64,arm64,$(filter aarch64,$(shell uname -m))),$(shell uname -m))
override ARCH := $(or $(strip $(ARCH)),$(OWN_ARCH))
ifneq ($(filter amd64 arm64,$(ARCH))|$(words $(ARCH)),$(ARCH)|1)
$(error ARCH is '$(ARCH)'; Routable is built for amd64 and arm64$(if $(filter arm armel armhf armv% i%86 mips mipsel powerpc riscv32,$(ARCH)),: it needs a processor of 64 bits)$(patsubst %,; Debian's name of this processor is %,$(filter-out $(ARCH),$(patsubst x86_64,amd64,$(patsubst aarch64,arm64,$(filter x86_64 aarch64,$(ARCH)))))))
endif
OTHER_ARCH := $(filter-out $(OWN_ARCH),amd64 arm64)
CROSS := $(filter-out $(OWN_ARCH),$(ARCH))
ifneq ($(CROSS),)
  ifneq ($(RUNTIME)$(SANITIZE),embedded)
$(error With ARCH=$(ARCH) on $(OWN_ARCH), RUNTIME is embedded and SANITIZE is empty: Swift has nothing else for another processor)
  endif
  HERE_ONLY := $(filter command install-command sanitize fuzz bench bench-http bench-peers soak check-pages check-services check-foreign check-all $(DATA_TARGETS),$(MAKECMDGOALS))
  ifneq ($(HERE_ONLY),)
$(error make $(HERE_ONLY) is for the processor of this machine, $(OWN_ARCH), not for ARCH=$(ARCH))
  endif
  MULTIARCH := $(patsubst amd64,x86_64,$(patsubst arm64,aarch64,$(ARCH)))-linux-gnu
  # The Embedded modules of Swift for other processors have no operating system; the C code is compiled for Linux.
  TRIPLE := $(patsubst amd64,x86_64-unknown-none-elf,$(patsubst arm64,aarch64-none-none-elf,$(ARCH)))
  SYSROOT ?= build/sysroot/$(ARCH)
  CROSS_C := --target=$(MULTIARCH) --sysroot=$(SYSROOT)
  CROSS_SWIFT := -target $(TRIPLE) $(addprefix -Xcc ,$(CROSS_C))
  packages_config := PKG_CONFIG_SYSROOT_DIR=$(SYSROOT) PKG_CONFIG_LIBDIR=$(SYSROOT)/usr/lib/$(MULTIARCH)/pkgconfig:$(SYSROOT)/usr/share/pkgconfig pkg-config
else
  packages_config := pkg-config
endif

# --- Flags ---

# DWARF 4, because the valgrind and the gdb of Debian 12 do not support all of version 5.

ifeq ($(filter embedded static,$(RUNTIME)),)
$(error RUNTIME is '$(RUNTIME)'; it is embedded or static)
endif
ifeq ($(filter address thread,$(SANITIZE))$(if $(SANITIZE),,none),)
$(error SANITIZE is '$(SANITIZE)'; it is address or thread)
endif

B := build/$(RUNTIME)$(CROSS:%=-%)$(if $(SANITIZE),-$(SANITIZE))$(if $(DRAFT),-draft)

# The compiler finds Debian's headers for another processor in the sysroot.
C_PACKAGE_FLAGS := $(if $(CROSS),,$(shell pkg-config --cflags $(LIBRARIES) 2>/dev/null))
INCLUDES := -Iinclude $(SHIMS:%=-ISources/%/include)
# Paths of sources are relative to the repository, and no module cache is named, so that a build does not depend on its
# directory.  The shell expands TOP, because make splits a path at a space.
export TOP := $(CURDIR)
CODE_FLAGS := -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections "-ffile-prefix-map=$$TOP/=" -ffile-compilation-dir=. $(CROSS:%=-ffile-prefix-map=$(SYSROOT)/=/) \
    $(if $(filter embedded,$(RUNTIME)),-fno-asynchronous-unwind-tables -fno-unwind-tables)
CFLAGS_ALL := $(CROSS_C) -std=c11 -gdwarf-4 -Wall -Wextra -Werror $(CODE_FLAGS) $(INCLUDES) $(C_PACKAGE_FLAGS) $(CFLAGS)
SWIFTFLAGS_ALL := $(CROSS_SWIFT) -swift-version 6 -wmo $(if $(DRAFT),-gline-tables-only,-g) -dwarf-version=4 -Xfrontend -no-clang-module-breadcrumbs -parse-as-library -package-name routable -file-prefix-map "$$TOP/=" -file-compilation-dir . \
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature MemberImportVisibility \
    $(INCLUDES) -I $(B) $(addprefix -Xcc ,$(CODE_FLAGS) $(C_PACKAGE_FLAGS)) -Xfrontend -function-sections $(SWIFTFLAGS)
# Options that clang and swiftc pass to the linker.  Folding identical functions is safe, because Swift does not compare
# functions; lld does not fold data.  -O2 makes it share the ends of strings.
LINK_WORDS := -O2 -soname=$(SONAME) --version-script=Sources/RoutableABI/routable.map --gc-sections --icf=all --build-id \
    -z relro -z now -z pack-relative-relocs --undefined-version $(if $(SANITIZE),,-z defs) -Map=$(B)/link.map
LINK_LIBRARIES = $(shell $(packages_config) --libs $(LIBRARIES)) $(if $(filter static,$(RUNTIME)),-lm)

ifeq ($(RUNTIME),embedded)
  SWIFTFLAGS_ALL += -enable-experimental-feature Embedded
  ifneq ($(TRAP_FUNCTION),)
    SWIFTFLAGS_ALL += -Xfrontend -trap-function -Xfrontend $(TRAP_FUNCTION)
  endif
  SWIFTFLAGS_ALL += $(if $(DRAFT),-D ROUTABLE_ONE_OBJECT)
  CFLAGS_ALL += -DROUTABLE_EMBEDDED
  # Swift's code allocates with the library's allocator (Sources/CSystem/memory.c), and rounds with its functions (system.c):
  # loading libm would take longer than loading the library.
  OWN_CALLS := --redefine-sym posix_memalign=csystem_allocate_object --redefine-sym free=csystem_free \
      $(foreach function,ceil floor round trunc,--redefine-sym $(function)=csystem_$(function))
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

# As many jobs as processors, unless the caller sets -j.
ifeq ($(filter -j% --jobs%,$(MAKEFLAGS)),)
MAKEFLAGS += --jobs=$(shell nproc)
endif
MAKEFLAGS += --no-builtin-rules --no-print-directory
.SUFFIXES:
.DELETE_ON_ERROR:
.PHONY: all lib routes check-declared-root wheel command install-command demo check sanitize fuzz fuzz-long fuzz-diff check-pages check-services bench bench-peers install deb dist interface check-clean-root check-foreign clean layers objects unicode FORCE bench-http soak torture torture-programs typecheck check-arm64 check-amd64 check-packages check-wheels wheel-command check-stranger check-environments check-all $(DATA_TARGETS)

all: $(if $(ROUTES),routes,lib)

say = @printf '  %-8s%s\n' '$(1)' '$(2)'

lib: $(B)/$(REALNAME) $(B)/$(SONAME) $(B)/libroutable.so $(if $(filter embedded,$(RUNTIME)),$(if $(SANITIZE),,$(B)/libroutable.a))

# Files that are written only if their content changes, so that a removed source or another flag causes a rebuild.
define remember
	@mkdir -p $(@D); printf '%s\n' '$(subst ','\'',$(1))' >$@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@
endef

ifneq ($(CROSS),)
$(B)/flags: $(SYSROOT)/usr/lib/$(MULTIARCH)/libjansson.a
$(SYSROOT)/usr/lib/$(MULTIARCH)/libjansson.a:
	@scripts/bootstrap $(ARCH)
endif

$(B)/flags: FORCE
	@$(packages_config) --exists $(LIBRARIES) && [ -n '$(TRIPLE)' ] || { echo "build dependencies are missing; run: scripts/bootstrap $(or $(CROSS),build)" >&2; exit 1; }
	$(call remember,$(SWIFTFLAGS_ALL) $(OPTIMIZE) | $(call c_optimize) $(CFLAGS_ALL) | $(LINK) | $(LINK_LIBRARIES) | $(TARGET_INFO) | $(CURDIR))

swift_layers = $(filter $(LAYERS),$(1))
# The layers whose code is compiled.  In the Embedded mode the object of the last layer contains all code that it calls; a draft has no
# other object, which halves the time.
CODE_LAYERS := $(if $(and $(DRAFT),$(filter embedded,$(RUNTIME))),$(lastword $(LAYERS)),$(LAYERS))
shim_headers := $(foreach shim,$(SHIMS),$(wildcard Sources/$(shim)/include/* Sources/$(shim)/*.h)) $(wildcard include/*)

define layer
$(1).sources := $$(sort $$(shell find Sources/$(1) -name '*.swift' 2>/dev/null))

$(B)/$(1).sources: FORCE
	$$(call remember,$$($(1).sources))

$(if $(filter $(1),$(CODE_LAYERS)),$(B)/$(1).o) $(B)/$(1).swiftmodule &: $$($(1).sources) $(B)/$(1).sources $(B)/flags $$(shim_headers) \
    $(patsubst %,$(B)/%.swiftmodule,$(call swift_layers,$($(1).imports)))
	$$(call say,SWIFT,$(1)$(if $(SANITIZE), ($(SANITIZE)),$(if $(filter static,$(RUNTIME)), (static))))
	@ulimit -v $(if $(SANITIZE),unlimited,$(MEMORY_LIMIT_KB)); ulimit -t $(TIME_LIMIT_S); $(SWIFTC) $$(SWIFTFLAGS_ALL) \
	    $(if $(DRAFT),$(if $(filter $(1),$(CODE_LAYERS)),$(DRAFT_OPTIONS),-Onone),$(OPTIMIZE)) -module-name $(1) \
	    -emit-module -emit-module-path $(B)/$(1).swiftmodule $(if $(filter $(1),$(CODE_LAYERS)),-o $(B)/$(1).o -c) $$($(1).sources)
	@$(if $(filter $(1),$(CODE_LAYERS)),$(OBJCOPY) --remove-section=.swift_modhash $(OWN_CALLS) $(B)/$(1).o) # the section depends on the directory of the build
	@touch $(if $(filter $(1),$(CODE_LAYERS)),$(B)/$(1).o) $(B)/$(1).swiftmodule # swiftc does not write a file whose content is unchanged
endef
$(foreach name,$(LAYERS),$(eval $(call layer,$(name))))

# Makes modules without code, in a few seconds for each layer, in a folder that no build uses.
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
	@$(CLANG) $(call c_optimize,$*) $(CFLAGS_ALL) -c $< -o $@

objects := $(CODE_LAYERS:%=$(B)/%.o) $(shim_objects)

# The library with symbols and the link map, for the checks.  The stripped library is the product.
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

# One object in which all symbols except the functions of the headers are local, as in the shared library.
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
# The declaration is compiled without the package name and the upcoming features of this package, because it is not part of it.
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
	@$(PYTHON) scripts/routes api '$(ROUTES)' >/dev/null
	@$(SWIFTC) $(ROUTES_FLAGS) -module-name Routable -emit-module -emit-module-path $(R)/module/Routable.swiftmodule bindings/swift/Routable.swift
	@$(SWIFTC) $(ROUTES_FLAGS) -module-name Declaration -emit-module -emit-module-path $(R)/module/Declaration.swiftmodule \
	    -emit-symbol-graph -emit-symbol-graph-dir $(R)/module -symbol-graph-minimum-access-level internal '$(ROUTES)'
	@$(PYTHON) scripts/routes export '$(ROUTES)' $(ROUTES_NAME) $(R)/module >$(R)/module/export.swift
	@$(SWIFTC) $(ROUTES_FLAGS) -module-name Declaration -c '$(ROUTES)' $(R)/module/export.swift -o $@
	@$(OBJCOPY) $(OWN_CALLS) $@
endif

# --- The command: behind a trait of the package; only with this trait are third-party packages resolved ---

COMMAND := build/command$(if $(DRAFT),-draft)
# Without these flags the output depends on the directory of the build.
COMMAND_FLAGS := -Osize -Xfrontend -disable-incremental-llvm-codegen -Xfrontend -no-clang-module-breadcrumbs -file-prefix-map "$$TOP/=" -file-compilation-dir .
# _FORTIFY_SOURCE is a setting of the C targets in Package.swift.
COMMAND_LINK := --gc-sections -z relro -z now

command:
	$(call say,SWIFT,$(COMMAND)/routable)
	@$(if $(DRAFT),scripts/swift build,swift build --traits Command --scratch-path $(COMMAND)/swift -c release) --product routable \
	    $(if $(DRAFT),,--static-swift-stdlib $(addprefix -Xswiftc ,$(COMMAND_FLAGS)) \
	    -Xcc "-ffile-prefix-map=$$TOP/=" -Xcc -ffile-compilation-dir=. $(addprefix -Xcc ,$(filter-out -D_FORTIFY_SOURCE=%,$(CFLAGS))) $(addprefix -Xlinker ,$(COMMAND_LINK)))
	@mkdir -p $(COMMAND)/unstripped
	@cp $(if $(DRAFT),.build/debug,$(COMMAND)/swift/release)/routable $(COMMAND)/unstripped/routable
	@$(OBJCOPY) --strip-all $(COMMAND)/unstripped/routable $(COMMAND)/routable

# The command with its manual page and completions.  It is built only if it is missing, as in install.
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

# For the wheel: jansson and PCRE2 are linked in, and glibc 2.34 or later suffices.
$(B)/wheel/libroutable.so.0: $(objects) bindings/python/wheel_stdin.c $(B)/flags Sources/RoutableABI/routable.map
	$(call say,LINK,$@)
	@mkdir -p $(@D)
	@$(CLANG) $(CROSS_C) -O2 -fPIC -c bindings/python/wheel_stdin.c -o $(@D)/stdin.o
	@$(subst -Xlinker -z -Xlinker pack-relative-relocs,,$(LINK)) -s -o $@ $(objects) $(@D)/stdin.o $(UNICODE) -l:libjansson.a -l:libpcre2-8.a \
	    -Xlinker --exclude-libs=ALL -Xlinker -Map=$(B)/wheel/link.map

# The command in the wheel: jansson and PCRE2 are linked in, as archives, and glibc 2.34 suffices.  With WHEEL_DRAFT=1, it is the
# unoptimized one of the tests, for the check of the wheel.
WHEEL_DRAFT ?=
WHEEL_COMMAND := build/wheel-command$(if $(WHEEL_DRAFT),-draft)
WHEEL_OBJECTS := $(if $(WHEEL_DRAFT),.build/debug,build/command/swift/release)/routable.product/Objects.LinkFileList
# The libraries that SwiftPM adds for a static runtime.
WHEEL_LIBRARIES := $(if $(WHEEL_DRAFT),-l_FoundationCollections -l_FoundationCShims -l_FoundationICU -lswiftSynchronization)
WHEEL_ARCHIVES := jansson pcre2-8
wheel-command:
	@$(MAKE) DRAFT=$(WHEEL_DRAFT) command
	$(call say,LINK,$(WHEEL_COMMAND)/routable)
	@mkdir -p $(WHEEL_COMMAND)/archives
	@for name in $(WHEEL_ARCHIVES); do \
	    ln -sf "$$($(CLANG) -print-file-name=lib$$name.a)" $(WHEEL_COMMAND)/archives/; done
	@$(CLANG) -O2 -Wall -Wextra -Werror -Wno-missing-prototypes -c bindings/python/wheel_command.c -o $(WHEEL_COMMAND)/wheel_command.o
	@$(SWIFTC) -static-stdlib -use-ld=lld -emit-executable -o $(WHEEL_COMMAND)/routable @$(WHEEL_OBJECTS) \
	    $(WHEEL_COMMAND)/wheel_command.o -L $(WHEEL_COMMAND)/archives $(WHEEL_LIBRARIES) -Xlinker --defsym=main=RoutableCommand_main -Xlinker --build-id=none \
	    $(addprefix -Xlinker ,$(COMMAND_LINK))
	@$(OBJCOPY) --strip-all $(WHEEL_COMMAND)/routable
	@rm -rf $(WHEEL_COMMAND)/installed
	@$(MAKE) -s DRAFT=$(WHEEL_DRAFT) install-command DESTDIR=$(WHEEL_COMMAND)/installed PREFIX=

# The command is built for the processor of this machine only.
wheel: $(B)/wheel/libroutable.so.0 $(if $(CROSS),,wheel-command)
	@scripts/wheel $< $(if $(CROSS),,$(WHEEL_COMMAND)/routable $(WHEEL_COMMAND)/installed/share)

# --- Use ---

# Does not rebuild an existing library, so that `sudo make install` needs no Swift on the PATH of root.
install:
	@[ -e $(B)/$(REALNAME) ] || $(MAKE) lib
	$(call say,INSTALL,$(DESTDIR)$(PREFIX))
	@DESTDIR='$(DESTDIR)' PREFIX='$(PREFIX)' LIBDIR='$(LIBDIR)' VERSION='$(VERSION)' FROM='$(B)' \
	    REALNAME='$(REALNAME)' SONAME='$(SONAME)' PYTHON='$(PYTHON)' scripts/install

interface:
	@scripts/interface

demo:
	@scripts/bootstrap $(or $(CROSS:%=check-%),build)
	@+$(MAKE) DRAFT=1 lib
	@scripts/demo $(patsubst %-draft,%,$(B))-draft

check:
	@+scripts/check $(CROSS:%=--arch %)

check-all:
	@+scripts/check --all

check-stranger:
	@scripts/check_stranger

check-environments:
	@scripts/check --step library command >/dev/null
	@scripts/check_environments

# Targets that read data that is not in the repository; DATA must be set.
ifneq ($(filter $(DATA_TARGETS),$(MAKECMDGOALS)),)
  ifeq ($(DATA),)
$(error make $(filter $(DATA_TARGETS),$(MAKECMDGOALS)) needs DATA=FOLDER, a folder that is laid out as Tests/conformance/own)
  endif
endif

check-data:
	@+scripts/check --data '$(DATA)'

conformance check-trees check-convert check-generated-data check-hostile check-mock:
	@+scripts/check --data '$(DATA)' --step $(patsubst conformance,data-vectors,$(patsubst check-%,data-%,$(@:%-data=%)))

check-arm64 check-amd64:
	@+scripts/check --arch $(@:check-%=%)

# make check reads 150 pages of each kind.
check-pages: lib
	@Tests/pages/run.py '$(B)' --pages 10000

sanitize:
	@scripts/bootstrap check
	@+scripts/sanitize

# Generated code of all documents of DATA; `make check-data` uses three of them.
check-generated: lib command
	@swift build --target Routable
	@Tests/generate/measure.py --command $(COMMAND)/routable --documents '$(DATA)/openapi-docs'
	@Tests/generate/run.py --command $(COMMAND)/routable --library $(B) --data '$(DATA)/openapi-docs' every every-trip every-schema every-performing every-walk-compiled pyright

# Compares generated Python with openapi-python-client.
bench-generated: lib command
	@benchmarks/generated/compare.py --command $(COMMAND)/routable --library $(B)/libroutable.so.0 --documents '$(DATA)/openapi-docs/real'

fuzz:
	@scripts/bootstrap check
	@scripts/fuzz --seconds '$(or $(SECONDS),60)' $(if $(TARGET),--target '$(TARGET)')

fuzz-long:
	@scripts/bootstrap check
	@scripts/fuzz_long --hours '$(or $(HOURS),1)'

fuzz-diff:
	@scripts/fuzz_diff --seconds '$(or $(SECONDS),60)'

check-services:
	@scripts/bootstrap services
	@+$(MAKE) lib command
	@scripts/check_services

bench:
	@scripts/bootstrap build
	@+$(MAKE) lib
	@scripts/bench

bench-peers:
	@scripts/bootstrap bench
	@+$(MAKE) lib
	@set -e; for script in benchmarks/peers/*.sh; do "$$script"; done
	@benchmarks/peers/run

bench-http:
	@scripts/bootstrap bench
	@+$(MAKE) lib
	@scripts/bench_http
	@benchmarks/http/typed

soak:
	@scripts/bootstrap bench
	@+$(MAKE) lib
	@scripts/soak '$(or $(REQUESTS),1000000)'

torture:
	@scripts/bootstrap check
	@+$(MAKE) lib
	@Tests/torture/run $(B)
	@Tests/torture/run $(B) --checks

torture-programs:
	@scripts/bootstrap check
	@+$(MAKE) lib
	@Tests/torture/programs/run $(B)

ifeq ($(ROUTES),)
deb:
	@scripts/deb --arch $(ARCH)
else
deb: routes
	@scripts/routes_deb $(ROUTES_NAME) $(R) $(ROUTES_VERSION) $(ARCH)
endif

# Everything that a release publishes, in build/dist.
dist:
	@scripts/dist

check-foreign:
	@scripts/bootstrap foreign
	@+$(MAKE) lib
	@scripts/check_foreign $(B)

check-clean-root: deb wheel
	@set -e; for suite in bookworm trixie; do ARCH=$(ARCH) SUITE=$$suite scripts/check_clean_root; done
	@set -e; for release in 12 13; do ARCH=$(ARCH) DEBIAN=$$release scripts/check_clean_image; done

check-wheels:
	@scripts/bootstrap check
	@ALL=yes scripts/check_wheel
	@ALL=yes scripts/check_wheel $(OTHER_ARCH)
	@scripts/audit_wheels

# As root: builds C and Python programs from examples/Social.swift in a minimal Debian without Swift.
check-declared-root: lib command
	@swift build --target Routable
	@Tests/generate/run.py --command $(COMMAND)/routable --library $(B) declared-root

check-packages:
	@scripts/check_packages $(ARCH)

clean:
	rm -rf build .build .build-address .build-thread

# Prints the layers as `name: imports`, for the checks.
layers:
	@$(foreach name,$(LAYERS),echo '$(name): $($(name).imports)';)

# Prints the objects of the library, for scripts/fuzz.
objects:
	@echo $(objects)

unicode:
	@echo $(UNICODE)
