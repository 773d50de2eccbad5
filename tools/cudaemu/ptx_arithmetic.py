"""Arithmetic instructions: one method for each, which returns a C++ statement with exactly its semantics."""
from ptx_module import SPACES, TYPES, Refused, ctype, size_of, unsigned


class Arithmetic:
    def instruction(self, op, mods, o):
        t = next((x for x in reversed(mods) if x in TYPES), None)
        name = op
        handler = getattr(self, 'op_' + name, None)
        if handler is None:
            raise Refused('instruction')
        return handler(mods, t, o)

    def need(self, mods, allowed):
        for x in mods:
            if x not in allowed and x not in TYPES:
                raise Refused('.' + x)

    def op_mov(self, mods, t, o):
        self.need(mods, ())
        vector = lambda x: [y.strip() for y in x.strip('{}').split(',')]
        if o[0].startswith('{'):
            names = vector(o[0])
            part = 'b%d' % (8 * size_of(t) // len(names))
            lines = ['const %s whole = %s;' % (unsigned(t), self.value(o[1], 'b' + t[1:]))]
            for k, x in enumerate(names):
                if x != '_':
                    lines.append(self.assign(x, '(%s)(whole >> %d)' % (unsigned(part), k * 8 * size_of(part)), part))
            return '{ %s }' % ' '.join(lines)
        if o[1].startswith('{'):
            names = vector(o[1])
            part = 'b%d' % (8 * size_of(t) // len(names))
            e = ' | '.join('((%s)%s << %d)' % (unsigned(t), self.value(x, part), k * 8 * size_of(part)) for k, x in enumerate(names))
            return self.assign(o[0], e, 'b' + t[1:])
        return self.assign(o[0], self.value(o[1], t), t)

    def arithmetic(self, mods, t, o, sign):
        if t[0] == 'f':
            self.need(mods, ('rn',))
            if 'rn' not in mods:
                self.unit.contractible += 1
            return self.assign(o[0], '%s %s %s' % (self.value(o[1], t), sign, self.value(o[2], t)), t)
        self.need(mods, ('lo', 'cc'))
        u = 'u' + t[1:]
        w = unsigned(t)
        if 'cc' in mods:
            if sign == '+':
                return '{ const %s a = %s, b = %s, s = (%s)(a + b); carry = s < a; %s }' % (w, self.value(o[1], u), self.value(o[2], u), w, self.assign(o[0], 's', u))
            if sign == '-':
                return '{ const %s a = %s, b = %s; carry = a < b; %s }' % (w, self.value(o[1], u), self.value(o[2], u), self.assign(o[0], '(%s)(a - b)' % w, u))
            raise Refused('.cc')
        wide = '(uint64_t)' if size_of(t) == 8 else '(uint32_t)'
        return self.assign(o[0], '(%s)(%s%s %s %s%s)' % (w, wide, self.value(o[1], u), sign, wide, self.value(o[2], u)), u)

    def op_add(self, mods, t, o):
        return self.arithmetic(mods, t, o, '+')

    def op_sub(self, mods, t, o):
        return self.arithmetic(mods, t, o, '-')

    def op_addc(self, mods, t, o):
        u, w = 'u' + t[1:], unsigned(t)
        return '{ unsigned __int128 s = (unsigned __int128)%s + %s + (carry ? 1 : 0); %s %s }' % (
            self.value(o[1], u), self.value(o[2], u), 'carry = (s >> %d) != 0;' % (8 * size_of(t)) if 'cc' in mods else '', self.assign(o[0], '(%s)s' % w, u))

    def op_subc(self, mods, t, o):
        u, w = 'u' + t[1:], unsigned(t)
        return '{ const unsigned __int128 a = %s, b = (unsigned __int128)%s + (carry ? 1 : 0); %s %s }' % (
            self.value(o[1], u), self.value(o[2], u), 'carry = a < b;' if 'cc' in mods else '', self.assign(o[0], '(%s)(a - b)' % w, u))

    def product(self, mods, t, a, b):
        """(expression, type) of an integer product."""
        if 'wide' in mods:
            double = t[0] + str(16 * size_of(t))
            return '(%s)%s * (%s)%s' % (ctype(double), self.value(a, t), ctype(double), self.value(b, t)), double
        if 'hi' in mods:
            if size_of(t) == 8:
                big = '__int128' if t[0] == 's' else 'unsigned __int128'
            else:
                big = ctype(t[0] + str(16 * size_of(t)))
            return '(%s)(((%s)%s * (%s)%s) >> %d)' % (ctype(t), big, self.value(a, t), big, self.value(b, t), 8 * size_of(t)), t
        u = 'u' + t[1:]
        wide = 'uint64_t' if size_of(t) == 8 else 'uint32_t'
        return '(%s)((%s)%s * (%s)%s)' % (unsigned(t), wide, self.value(a, u), wide, self.value(b, u)), u

    def op_mul(self, mods, t, o):
        if t[0] == 'f':
            return self.arithmetic(mods, t, o, '*')
        self.need(mods, ('lo', 'hi', 'wide'))
        e, r = self.product(mods, t, o[1], o[2])
        return self.assign(o[0], e, r)

    def op_mad(self, mods, t, o):
        if t[0] == 'f':
            return self.op_fma(mods, t, o)
        self.need(mods, ('lo', 'hi', 'wide'))
        e, r = self.product(mods, t, o[1], o[2])
        u = 'u' + r[1:]
        return self.assign(o[0], '(%s)((%s)(%s) + %s)' % (ctype(u), ctype(u), e, self.value(o[3], u)), u)

    def op_fma(self, mods, t, o):
        self.need(mods, ('rn',))
        if 'rn' not in mods:
            raise Refused('fma without .rn')
        return self.assign(o[0], '__builtin_fma%s(%s, %s, %s)' % (('f' if t == 'f32' else '',) + tuple(self.value(x, t) for x in o[1:4])), t)

    def op_div(self, mods, t, o):
        if t[0] == 'f':
            self.need(mods, ('rn',))
            if 'rn' not in mods:
                raise Refused('approximate division')
            return self.assign(o[0], '%s / %s' % (self.value(o[1], t), self.value(o[2], t)), t)
        return self.assign(o[0], 'emu_div<%s>(%s, %s)' % (ctype(t), self.value(o[1], t), self.value(o[2], t)), t)

    def op_rem(self, mods, t, o):
        return self.assign(o[0], 'emu_rem<%s>(%s, %s)' % (ctype(t), self.value(o[1], t), self.value(o[2], t)), t)

    def op_rcp(self, mods, t, o):
        self.need(mods, ('rn',))
        if 'rn' not in mods:
            raise Refused('approximate reciprocal')
        return self.assign(o[0], '%s / %s' % ('1.0f' if t == 'f32' else '1.0', self.value(o[1], t)), t)

    def op_sqrt(self, mods, t, o):
        self.need(mods, ('rn',))
        if 'rn' not in mods:
            raise Refused('approximate square root')
        return self.assign(o[0], '__builtin_sqrt%s(%s)' % ('f' if t == 'f32' else '', self.value(o[1], t)), t)

    def op_neg(self, mods, t, o):
        self.need(mods, ())
        if t[0] == 'f':
            return self.assign(o[0], '-(%s)' % self.value(o[1], t), t)
        u = 'u' + t[1:]
        return self.assign(o[0], '(%s)(0 - %s)' % (unsigned(t), self.value(o[1], u)), u)

    def op_abs(self, mods, t, o):
        self.need(mods, ())
        if t[0] == 'f':
            return self.assign(o[0], '__builtin_fabs%s(%s)' % ('f' if t == 'f32' else '', self.value(o[1], t)), t)
        return self.assign(o[0], 'emu_abs<%s>(%s)' % (ctype(t), self.value(o[1], t)), t)

    def min_max(self, which, mods, t, o):
        self.need(mods, ('NaN',))
        if t[0] == 'f':
            name = 'emu_%s%s' % (which, '_nan' if 'NaN' in mods else '')
            return self.assign(o[0], '%s<%s>(%s, %s)' % (name, ctype(t), self.value(o[1], t), self.value(o[2], t)), t)
        sign = '<' if which == 'min' else '>'
        a, b = self.value(o[1], t), self.value(o[2], t)
        return self.assign(o[0], '(%s %s %s ? %s : %s)' % (a, sign, b, a, b), t)

    def op_min(self, mods, t, o):
        return self.min_max('min', mods, t, o)

    def op_max(self, mods, t, o):
        return self.min_max('max', mods, t, o)

    def op_copysign(self, mods, t, o):
        return self.assign(o[0], '__builtin_copysign%s(%s, %s)' % ('f' if t == 'f32' else '', self.value(o[2], t), self.value(o[1], t)), t)

    def op_testp(self, mods, t, o):
        kind = next(m for m in mods if m not in TYPES)
        return self.assign(o[0], 'emu_testp_%s(%s)' % (kind, self.value(o[1], t)), 'pred')

    def bitwise(self, t, o, sign):
        if t == 'pred':
            return self.assign(o[0], '(bool)((int)(%s) %s (int)(%s))' % (self.value(o[1], t), sign, self.value(o[2], t)), t)
        return self.assign(o[0], '(%s)(%s %s %s)' % (ctype(t), self.value(o[1], t), sign, self.value(o[2], t)), t)

    def op_and(self, mods, t, o):
        return self.bitwise(t, o, '&')

    def op_or(self, mods, t, o):
        return self.bitwise(t, o, '|')

    def op_xor(self, mods, t, o):
        return self.bitwise(t, o, '^')

    def op_not(self, mods, t, o):
        if t == 'pred':
            return self.assign(o[0], '!(%s)' % self.value(o[1], t), t)
        return self.assign(o[0], '(%s)~%s' % (ctype(t), self.value(o[1], t)), t)

    def op_shl(self, mods, t, o):
        return self.assign(o[0], 'emu_shl<%s>(%s, %s)' % (unsigned(t), self.value(o[1], 'u' + t[1:]), self.value(o[2], 'u32')), 'u' + t[1:])

    def op_shr(self, mods, t, o):
        return self.assign(o[0], 'emu_shr<%s>(%s, %s)' % (ctype(t), self.value(o[1], t), self.value(o[2], 'u32')), t)

    def op_shf(self, mods, t, o):
        side, mode = mods[0], mods[1]
        return self.assign(o[0], 'emu_shf_%s(%s, %s, %s)' % (side, self.value(o[1], 'u32'), self.value(o[2], 'u32'), (
            '%s & 31u' if mode == 'wrap' else 'emu_clamp32(%s)') % self.value(o[3], 'u32')), 'u32')

    def op_bfe(self, mods, t, o):
        return self.assign(o[0], 'emu_bfe<%s>(%s, %s, %s)' % (ctype(t), self.value(o[1], t), self.value(o[2], 'u32'), self.value(o[3], 'u32')), t)

    def op_bfi(self, mods, t, o):
        return self.assign(o[0], 'emu_bfi<%s>(%s, %s, %s, %s)' % (unsigned(t), self.value(o[1], t), self.value(o[2], t), self.value(o[3], 'u32'), self.value(o[4], 'u32')), t)

    def op_bfind(self, mods, t, o):
        return self.assign(o[0], 'emu_bfind<%s>(%s, %s)' % (ctype(t), self.value(o[1], t), 'true' if 'shiftamt' in mods else 'false'), 'u32')

    def op_prmt(self, mods, t, o):
        self.need(mods, ())
        return self.assign(o[0], 'emu_prmt(%s, %s, %s)' % tuple(self.value(x, 'u32') for x in o[1:4]), 'u32')

    def op_lop3(self, mods, t, o):
        self.need(mods, ())
        return self.assign(o[0], 'emu_lop3(%s, %s, %s, %s)' % tuple(self.value(x, 'u32') for x in o[1:5]), 'u32')

    def op_popc(self, mods, t, o):
        return self.assign(o[0], '(uint32_t)__builtin_popcountll(%s)' % self.value(o[1], t), 'u32')

    def op_clz(self, mods, t, o):
        return self.assign(o[0], 'emu_clz<%s>(%s)' % (unsigned(t), self.value(o[1], t)), 'u32')

    def op_brev(self, mods, t, o):
        return self.assign(o[0], 'emu_brev<%s>(%s)' % (unsigned(t), self.value(o[1], t)), t)

    def op_selp(self, mods, t, o):
        return self.assign(o[0], '(%s ? %s : %s)' % (self.value(o[3], 'pred'), self.value(o[1], t), self.value(o[2], t)), t)

    def compare(self, how, t, a, b):
        a, b = self.value(a, t), self.value(b, t)
        if t[0] == 'f':
            plain = {'eq': '==', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>='}
            if how in plain:
                return '(%s %s %s)' % (a, plain[how], b)
            if how == 'ne':
                return '(%s < %s || %s > %s)' % (a, b, a, b)
            if how == 'neu':
                return '(%s != %s)' % (a, b)
            if how == 'equ':
                return '!(%s < %s || %s > %s)' % (a, b, a, b)
            opposite = {'ltu': '>=', 'leu': '>', 'gtu': '<=', 'geu': '<'}
            if how in opposite:
                return '!(%s %s %s)' % (a, opposite[how], b)
            if how == 'num':
                return '(%s == %s && %s == %s)' % (a, a, b, b)
            if how == 'nan':
                return '(%s != %s || %s != %s)' % (a, a, b, b)
        else:
            plain = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>=', 'lo': '<', 'ls': '<=', 'hi': '>', 'hs': '>='}
            if how in plain:
                return '(%s %s %s)' % (a, plain[how], b)
        raise Refused('comparison ' + how)

    def op_setp(self, mods, t, o):
        how = mods[0]
        boolean = next((m for m in mods[1:] if m in ('and', 'or', 'xor')), None)
        self.need(mods[1:], ('and', 'or', 'xor'))
        e = self.compare(how, t, o[1], o[2])
        targets = o[0].split('|')
        sign = {'and': '&', 'or': '|', 'xor': '^'}.get(boolean)
        join = lambda x: x if not boolean else '(bool)((int)(%s) %s (int)(%s))' % (x, sign, self.value(o[3], 'pred'))
        if len(targets) == 1:
            return self.assign(targets[0], join(e), 'pred')
        return '{ const bool q = %s; const bool yes = %s, no = %s; %s %s }' % (e, join('q'), join('!q'), self.assign(targets[0], 'yes', 'pred'), self.assign(targets[1], 'no', 'pred'))

    def op_set(self, mods, t, o):
        types = [m for m in mods if m in TYPES]
        if len(types) != 2 or len(o) != 3:
            raise Refused('set')
        e = self.compare(mods[0], types[1], o[1], o[2])
        if types[0] == 'f32':
            return self.assign(o[0], '(%s ? 1.0f : 0.0f)' % e, 'f32')
        return self.assign(o[0], '(%s ? 0xffffffffu : 0u)' % e, 'u32')

    def op_cvt(self, mods, t, o):
        types = [m for m in mods if m in TYPES]
        if len(types) != 2:
            raise Refused('cvt')
        to, frm = types
        rounding = [m for m in mods if m not in TYPES]
        v = self.value(o[1], frm)
        if to[0] != 'f' and frm[0] != 'f':
            if rounding == ['sat']:
                return self.assign(o[0], 'emu_saturate<%s>(%s)' % (ctype(to), v), to)
            if rounding:
                raise Refused('cvt')
            return self.assign(o[0], '(%s)%s' % (ctype(to), v), to)
        if to[0] != 'f':
            mode = rounding[0] if rounding else None
            if mode not in ('rni', 'rzi', 'rmi', 'rpi') or [m for m in rounding[1:] if m != 'sat']:
                raise Refused('cvt')
            return self.assign(o[0], 'emu_to_int<%s, %s>(emu_%s(%s))' % (ctype(to), ctype(frm), mode, v), to)
        if frm[0] != 'f':
            if rounding != ['rn']:
                raise Refused('cvt rounding')
            return self.assign(o[0], '(%s)%s' % (ctype(to), v), to)
        if to == frm and len(rounding) == 1 and rounding[0] in ('rni', 'rzi', 'rmi', 'rpi'):
            return self.assign(o[0], 'emu_%s(%s)' % (rounding[0], v), to)
        if to == 'f64' and frm == 'f32' and not rounding:
            return self.assign(o[0], '(double)%s' % v, to)
        if to == 'f32' and frm == 'f64' and rounding == ['rn']:
            return self.assign(o[0], '(float)%s' % v, to)
        raise Refused('cvt rounding')

    def op_cvta(self, mods, t, o):
        space = next(m for m in mods if m in SPACES)
        v = self.value(o[1], t)
        if space == 'shared':
            v = '%s %s c->shared_address' % (v, '-' if 'to' in mods else '+')
        return self.assign(o[0], v, t)

    def op_isspacep(self, mods, t, o):
        return self.assign(o[0], 'emu_is_%s(c, %s)' % (mods[0], self.value(o[1], 'u64')), 'pred')
