"""Memory instructions, instructions between the threads of a block, and jumps: one method for each."""
from ptx_module import SPACES, TYPES, Refused, ctype, ident, size_of


class MemoryAndThreads:
    MEMORY_HINTS = {'weak', 'volatile', 'relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst', 'cta', 'cluster', 'gpu', 'sys', 'ca', 'cg', 'cs', 'lu', 'cv', 'wb', 'wt', 'nc', 'mmio'}

    def memory(self, mods):
        space, vector, strong, shared = 'generic', 1, False, None
        for m in mods:
            base = m.split(':')[0]
            if base in SPACES:
                space = base
                if m not in (base, base + '::cta'):
                    raise Refused('.' + m)
            elif m in ('v2', 'v4', 'v8'):
                vector = int(m[1])
            elif m in ('volatile', 'relaxed', 'acquire', 'release', 'seq_cst', 'acq_rel'):
                strong = True
            elif m not in self.MEMORY_HINTS and m not in TYPES and base not in ('L1', 'L2', 'level'):
                raise Refused('.' + m)
        return space, vector, strong

    def op_ld(self, mods, t, o):
        space, vector, strong = self.memory(mods)
        names = [x.strip() for x in o[0].strip('{}').split(',')]
        if len(names) != vector:
            raise Refused('vector')
        part, size = ctype(t), size_of(t)
        lines = ['const uint8_t* const at = emu_at_%s<%d>(c, %s, %s, %s);' % (space, size * vector, self.address(o[1]), 'STRONG_READ' if strong else 'READ', self.here())]
        for k, x in enumerate(names):
            lines.append(self.assign(x, 'emu_read<%s>(at + %d)' % (part, k * size), t))
        return '{ %s }' % ' '.join(lines)

    op_ldu = op_ld

    def op_st(self, mods, t, o):
        space, vector, strong = self.memory(mods)
        values = [x.strip() for x in o[1].strip('{}').split(',')]
        if len(values) != vector:
            raise Refused('vector')
        size = size_of(t)
        values = ['(%s)(%s)' % (ctype(t), self.value(x, t)) for x in values]
        # The checks get the new value, since a second write of the same bits is a harmless conflict.
        lines = ['const %s v[] = {%s};' % (ctype(t), ', '.join(values)),
                 'uint8_t* const at = emu_at_%s<%d>(c, %s, %s, %s, v);' % (space, size * vector, self.address(o[0]), 'STRONG_WRITE' if strong else 'WRITE', self.here()),
                 '__builtin_memcpy(at, v, sizeof v);']
        return '{ %s }' % ' '.join(lines)

    ATOMICS = {'add', 'min', 'max', 'and', 'or', 'xor', 'inc', 'dec', 'exch', 'cas'}

    def atomic(self, mods, t, o, keep):
        which = next(m for m in mods if m in self.ATOMICS)
        space, _, _ = self.memory([m for m in mods if m != which])
        shift = 1 if keep else 0
        at = 'uint8_t* const at = emu_at_%s<%d>(c, %s, ATOMIC, %s);' % (space, size_of(t), self.address(o[shift]), self.here())
        ct = ctype(t)
        b = self.value(o[shift + 1], t)
        c = self.value(o[shift + 2], t) if which == 'cas' else None
        call = 'emu_atomic_%s<%s>(at, %s)' % (which, ct, b if c is None else b + ', ' + c)
        return '{ %s const %s old = %s; %s }' % (at, ct, call, self.assign(o[0], 'old', t) if keep else '(void)old;')

    def op_atom(self, mods, t, o):
        return self.atomic(mods, t, o, True)

    def op_red(self, mods, t, o):
        return self.atomic(mods, t, o, False)

    def op_prefetch(self, mods, t, o):
        return ';'

    op_prefetchu = op_discard = op_applypriority = op_prefetch

    def op_membar(self, mods, t, o):
        return 'emu_fence(c);'

    op_fence = op_membar

    def op_griddepcontrol(self, mods, t, o):
        return ';'  # launches run one after the other

    def op_pmevent(self, mods, t, o):
        return ';'

    # ---- threads of a block --------------------------------------------------------------------------------
    def op_nanosleep(self, mods, t, o):
        self.unit.fibers = True
        return 'emu_yield(c);'

    def op_bar(self, mods, t, o):
        self.unit.fibers = True
        mods = [m for m in mods if m != 'cta' and m != 'aligned']
        if mods[0] == 'warp':
            return 'emu_warp_sync(c, %s, %s);' % (self.value(o[0], 'u32'), self.here())
        if mods[0] == 'sync':
            return 'emu_barrier(c, %s, %s, %s);' % (self.value(o[0], 'u32'), self.value(o[1], 'u32') if len(o) > 1 else '0u', self.here())
        if mods[0] == 'arrive':
            raise Refused('bar.arrive')
        if mods[0] == 'red':
            which = mods[1]
            count = self.value(o[2], 'u32') if len(o) > 3 else '0u'
            e = 'emu_barrier_count(c, %s, %s, %s, %s)' % (self.value(o[1], 'u32'), count, self.value(o[-1], 'pred'), self.here())
            if which == 'popc':
                return self.assign(o[0], '(uint32_t)(%s)' % e, 'u32')
            return '{ const uint64_t found = %s; %s }' % (e, self.assign(o[0], '(uint32_t)found %s' % ('> 0' if which == 'or' else '== (uint32_t)(found >> 32)'), 'pred'))
        raise Refused('bar')

    def op_barrier(self, mods, t, o):
        if mods[0] == 'cluster':
            raise Refused('clusters')
        return self.op_bar(mods, t, o)

    def op_shfl(self, mods, t, o):
        self.unit.fibers = True
        if mods[0] != 'sync':
            raise Refused('shfl without .sync')
        target = [x.strip() for x in o[0].split('|')]
        e = 'emu_shfl_%s(c, %s, %s, %s, %s, ok, %s)' % (mods[1], self.value(o[1], 'b32'), self.value(o[2], 'u32'), self.value(o[3], 'u32'), self.value(o[4], 'u32'), self.here())
        return '{ bool ok; const uint32_t v = %s; %s %s }' % (e, self.assign(target[0], 'v', 'b32'), self.assign(target[1], 'ok', 'pred') if len(target) > 1 else '')

    def op_vote(self, mods, t, o):
        self.unit.fibers = True
        if 'sync' not in mods:
            raise Refused('vote without .sync')
        mods = ['sync'] + [m for m in mods if m != 'sync']
        p = self.value(o[1], 'pred')
        e = 'emu_ballot(c, %s, %s, %s)' % (p, self.value(o[2], 'u32'), self.here())
        if mods[1] == 'ballot':
            return self.assign(o[0], e, 'b32')
        mask = self.value(o[2], 'u32')
        result = {'any': 'b != 0', 'all': 'b == (%s)' % mask, 'uni': '(b == 0 || b == (%s))' % mask}[mods[1]]
        return '{ const uint32_t b = %s; %s }' % (e, self.assign(o[0], result, 'pred'))

    def op_match(self, mods, t, o):
        self.unit.fibers = True
        target = [x.strip() for x in o[0].split('|')]
        e = 'emu_match_%s(c, (uint64_t)%s, %s, %s)' % (mods[0], self.value(o[1], t), self.value(o[2], 'u32'), self.here())
        lines = 'const uint32_t m = %s; %s' % (e, self.assign(target[0], 'm', 'b32'))
        if len(target) > 1:
            lines += ' ' + self.assign(target[1], 'm != 0', 'pred')
        return '{ %s }' % lines

    def op_redux(self, mods, t, o):
        self.unit.fibers = True
        which = next(m for m in mods if m in ('add', 'min', 'max', 'and', 'or', 'xor'))
        return self.assign(o[0], 'emu_redux_%s<%s>(c, %s, %s, %s)' % (which, ctype(t), self.value(o[1], t), self.value(o[2], 'u32'), self.here()), t)

    def op_activemask(self, mods, t, o):
        return self.assign(o[0], '(1u << c->lane)', 'b32')  # no two threads are promised to run together

    def op_elect(self, mods, t, o):
        self.unit.fibers = True
        target = [x.strip() for x in o[0].split('|')]
        return '{ const uint32_t first = emu_elect(c, %s, %s); %s %s }' % (self.value(o[1], 'u32'), self.here(), '' if target[0] == '_' else self.assign(target[0], 'first', 'b32'), self.assign(target[1], 'first == c->lane', 'pred'))

    # ---- flow ----------------------------------------------------------------------------------------------
    def op_bra(self, mods, t, o):
        return 'goto %s;' % ident(o[0])

    def op_brx(self, mods, t, o):
        labels = self.tables[o[1]]
        cases = ' '.join('case %d: goto %s;' % (k, ident(x)) for k, x in enumerate(labels))
        return 'switch (%s) { %s default: emu_trap(c, %s); }' % (self.value(o[0], 'u32'), cases, self.here())

    def op_ret(self, mods, t, o):
        return 'return;'

    def op_exit(self, mods, t, o):
        if self.unit.depth > 0:
            raise Refused('exit in a function')
        return 'return;'

    def op_trap(self, mods, t, o):
        return 'emu_trap(c, %s);' % self.here()

    op_brkpt = op_trap

    def op_call(self, mods, t, o):
        o = [x for x in o]
        returns = []
        if o[0].startswith('('):
            returns = [x.strip() for x in o[0].strip('()').split(',')]
            o = o[1:]
        name, arguments = o[0], []
        if len(o) > 1:
            arguments = [x.strip() for x in o[1].strip('()').split(',') if x.strip()]
        pass_on = ['(uint8_t*)(%s)' % self.address_of(x) for x in returns + arguments]
        return '%s(%s);' % (self.unit.call(name), ', '.join(['c'] + pass_on))
