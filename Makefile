# GNU make. Everything is built under $(O); nothing beside the sources.
#
#	make [CC=clang] [STATIC=1] [SAN=address,undefined] [O=DIR]
#	make demo | check | check-fast | lint | bench | fuzz
#	make check-corpus CORPUS=DIR | check-torch | check-yaml
#	make install | uninstall [PREFIX=/usr/local] [DESTDIR=]
#	make dist | clean

VERSION := $(shell cat VERSION)
O ?= build
CC ?= cc
AR ?= ar
CFLAGS ?= -O2 -g
PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
MANDIR ?= $(PREFIX)/share/man
BASHCOMPDIR ?= $(PREFIX)/share/bash-completion/completions
ZSHCOMPDIR ?= $(PREFIX)/share/zsh/site-functions
BATS ?= bats

tools := msp-check-env msp-scan-paths msp-inject msp-run msp-verify
warnings := -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
	-Wstrict-prototypes -Wmissing-prototypes -Wvla -Wwrite-strings
cppflags := -D_XOPEN_SOURCE=700 -D_FILE_OFFSET_BITS=64 -Ilib \
	-DMSP_VERSION='"$(VERSION)"' $(CPPFLAGS)
cflags := -std=c99 $(warnings) $(CFLAGS)
ldflags := $(LDFLAGS)

ifdef WERROR
cflags += -Werror
endif
ifdef STATIC # in as few mappings as can be: starting is most of the work
ldflags += -static -Wl,-z,noseparate-code
endif
ifdef SAN
cflags += -fsanitize=$(SAN) -fno-sanitize-recover=all \
	-fno-omit-frame-pointer
ldflags += -fsanitize=$(SAN)
endif
ifdef FAULT
cppflags += -DMSP_FAULT
endif

lib_src := $(sort $(wildcard lib/*.c))
lib_obj := $(lib_src:%.c=$(O)/%.o)
unit_src := $(sort $(wildcard test/unit/t_*.c))
unit := $(unit_src:test/unit/%.c=$(O)/test/unit/%)
bins := $(tools:%=$(O)/%)

# V=1 shows the commands.
ifdef V
say = @:
quiet =
else
say = @printf '  %-4s %s\n'
quiet = @
endif

all: $(bins)

# Rebuilt when compiler or flags change, so that builds never mix.
$(O)/flags: force
	@mkdir -p $(@D)
	@echo '$(CC) $(cppflags) $(cflags) $(ldflags)' | cmp -s - $@ || \
		echo '$(CC) $(cppflags) $(cflags) $(ldflags)' >$@
force:

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(say) CC $<
	$(quiet)$(CC) $(cppflags) -I$(<D) $(cflags) -MMD -MP -c -o $@ $<

$(O)/libmsp.a: $(lib_obj)
	$(say) AR $@
	@rm -f $@
	$(quiet)$(AR) rc $@ $(lib_obj)

define tool
$(1)_obj := $$(patsubst %.c,$$(O)/%.o,$$(sort $$(wildcard cmd/$(1)/*.c)))
$$(O)/$(1): $$($(1)_obj) $$(O)/libmsp.a
	$$(say) LD $$@
	$$(quiet)$$(CC) $$(cflags) $$(ldflags) -o $$@ $$($(1)_obj) \
		$$(O)/libmsp.a
endef
$(foreach t,$(tools),$(eval $(call tool,$(t))))

$(O)/test/unit/%: $(O)/test/unit/%.o $(O)/libmsp.a
	$(say) LD $@
	$(quiet)$(CC) $(cflags) $(ldflags) -o $@ $< $(O)/libmsp.a

.PRECIOUS: $(O)/%.o

-include $(shell find $(O) -name '*.d' 2>/dev/null)

# --- tests ----------------------------------------------------------------

test_programs := $(bins) $(unit) $(O)/test/unit/shdump \
	$(O)/test/unit/shvaldump

# In a build of its own the n-th allocation, read or write fails on demand.
check: all $(test_programs)
	@$(MAKE) --no-print-directory -s O=$(O)/fault FAULT=1 all
	@test/check $(O)

check-fast: all $(test_programs)
	@test/check $(O) unit

demo: all
	@test/demo $(O)

lint:
	@test/lint $(O)

# What starts fastest is static, with musl where that is there.
bench: all
	@$(MAKE) --no-print-directory O=$(O)/static STATIC=1 all \
		$(if $(shell command -v musl-gcc),CC=musl-gcc)
	@test/bench/run $(O)

fuzz:
	@test/fuzz/run $(O)

check-corpus: all $(O)/test/unit/shdump $(O)/test/unit/shvaldump
	@test/corpus $(O) $(CORPUS)
	@test/soundness $(O) $(CORPUS)
	@test/soundness-paths $(O) $(CORPUS)
	@test/alarms-paths $(O) $(CORPUS)

check-torch: all
	@test/real/run $(O)

check-yaml: all
	@test/yaml $(O)

# --- installation ---------------------------------------------------------

install: all
	install -d $(DESTDIR)$(BINDIR) $(DESTDIR)$(MANDIR)/man1 \
		$(DESTDIR)$(MANDIR)/man5 $(DESTDIR)$(MANDIR)/man7 \
		$(DESTDIR)$(BASHCOMPDIR) $(DESTDIR)$(ZSHCOMPDIR)
	install -m 755 $(bins) $(DESTDIR)$(BINDIR)
	install -m 644 $(tools:%=man/%.1) $(DESTDIR)$(MANDIR)/man1
	install -m 644 man/msp.5 $(DESTDIR)$(MANDIR)/man5
	install -m 644 man/msp.7 $(DESTDIR)$(MANDIR)/man7
	for t in $(tools); do \
		install -m 644 cmd/completion/msp.bash \
			$(DESTDIR)$(BASHCOMPDIR)/$$t || exit; \
	done
	install -m 644 cmd/completion/_msp $(DESTDIR)$(ZSHCOMPDIR)

uninstall:
	rm -f $(tools:%=$(DESTDIR)$(BINDIR)/%) \
		$(tools:%=$(DESTDIR)$(MANDIR)/man1/%.1) \
		$(DESTDIR)$(MANDIR)/man5/msp.5 $(DESTDIR)$(MANDIR)/man7/msp.7 \
		$(tools:%=$(DESTDIR)$(BASHCOMPDIR)/%) \
		$(DESTDIR)$(ZSHCOMPDIR)/_msp

dist:
	@grep -q '^## $(VERSION)' CHANGELOG.md || \
		{ echo "CHANGELOG.md has no entry for $(VERSION)" >&2; exit 1; }
	@mkdir -p $(O)
	git archive --prefix=msp-$(VERSION)/ HEAD | gzip -n9 \
		>$(O)/msp-$(VERSION).tar.gz
	cd $(O) && sha256sum msp-$(VERSION).tar.gz >msp-$(VERSION).tar.gz.sha256

clean:
	rm -rf $(O)

.PHONY: all force check check-fast demo lint bench fuzz check-corpus \
	check-torch check-yaml install uninstall dist clean
