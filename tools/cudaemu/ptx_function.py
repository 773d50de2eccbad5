"""The body of a PTX function: scopes, operands, declarations and statements."""
import re

from ptx_arithmetic import Arithmetic
from ptx_memory import MemoryAndThreads
from ptx_module import TYPES, Refused, ctype, ident, size_of, unsigned

SREGS = {'%tid': 'c->tid', '%ntid': 'c->ntid', '%ctaid': 'c->ctaid', '%nctaid': 'c->nctaid'}
SREG_PLAIN = {'%laneid': 'c->lane', '%warpid': 'c->warp', '%lanemask_eq': '(1u << c->lane)', '%lanemask_lt': '((1u << c->lane) - 1u)',
              '%lanemask_le': '((2u << c->lane) - 1u)', '%lanemask_ge': '(~0u << c->lane)', '%lanemask_gt': '(~1u << c->lane)',
              '%clock': '(uint32_t)emu_clock()', '%clock64': 'emu_clock()', '%globaltimer': 'emu_clock()', '%smid': '0u', '%nsmid': '1u',
              '%gridid': '1ull', '%dynamic_smem_size': 'c->dynamic_shared', '%total_smem_size': 'c->shared_size', '%nwarpid': '64u'}


class Function(Arithmetic, MemoryAndThreads):
    """Translates one body."""

    def __init__(self, module, name, body, params, returns, unit):
        self.module, self.name, self.body, self.unit = module, name, body, unit
        self.param_expr = {}
        self.regs = [{}]      # scopes: register -> type
        self.vars = [{}]      # scopes: variable -> expression of its address
        self.out, self.decl_local = [], []
        self.location, self.chain = None, {}
        self.site = 0
        self.tables = {}
        for n, e in params + returns:
            self.vars[0][n] = e

    # ---- operands ------------------------------------------------------------------------------------------
    def reg_type(self, name):
        for scope in reversed(self.regs):
            if name in scope:
                return scope[name]
        return None

    def address_of(self, name):
        for scope in reversed(self.vars):
            if name in scope:
                return scope[name]
        return self.unit.symbol(name)

    def value(self, op, t):
        """C++ expression for the operand `op`, read as type t."""
        op = op.strip()
        if op.startswith('!') and t == 'pred':
            return '!' + self.value(op[1:], t)
        if op.startswith('-') and op[1:].startswith('%'):
            raise Refused('negated register operand ' + op)
        rt = self.reg_type(op)
        if rt:
            e = ident(op)
            if rt == t:
                return e
            if rt == 'pred' or t == 'pred':
                raise Refused('predicate mixed with %s: %s' % (t, op))
            if rt in ('f32', 'f64'):
                if size_of(t) != size_of(rt):
                    raise Refused('width of %s as %s' % (op, t))
                return '(%s)bits(%s)' % (ctype(t), e)
            if t in ('f32', 'f64'):
                if size_of(t) != size_of(rt):
                    raise Refused('width of %s as %s' % (op, t))
                return 'as_%s(%s)' % (t, e)
            return '(%s)%s' % (ctype(t), e)
        m = re.match(r'0[fF]([0-9a-fA-F]{8})$', op)
        if m:
            if t == 'f64':
                raise Refused('0f immediate as f64')
            return 'as_f32(0x%su)' % m.group(1) if t == 'f32' else '(%s)0x%su' % (ctype(t), m.group(1))
        m = re.match(r'0[dD]([0-9a-fA-F]{16})$', op)
        if m:
            return 'as_f64(0x%sull)' % m.group(1) if t == 'f64' else '(%s)0x%sull' % (ctype(t), m.group(1))
        m = re.match(r'(-?)(0[xX][0-9a-fA-F]+|\d+)[uU]?$', op)
        if m:
            if t in ('f32', 'f64'):
                raise Refused('integer immediate as ' + t)
            if t == 'pred':
                return 'true' if int(m.group(2), 0) else 'false'
            number = int(m.group(1) + m.group(2), 0) & 0xffffffffffffffff
            return '(%s)%dull' % (ctype(t), number)
        base = op.split('.')[0]
        if base in SREGS:
            return '(%s)%s[%d]' % (ctype(t), SREGS[base], 'xyz'.index(op.split('.')[1]))
        if op in SREG_PLAIN:
            return '(%s)%s' % (ctype(t), SREG_PLAIN[op])
        if op.startswith('%'):
            raise Refused('special register ' + op)
        m = re.match(r'([\w$]+)(?:\+(-?\d+))?$', op)
        if m:
            e = self.address_of(m.group(1))
            if m.group(2):
                e = '(%s + (uint64_t)(%sll))' % (e, m.group(2))
            return '(%s)(%s)' % (ctype(t), e)
        raise Refused('operand ' + op)

    def address(self, op):
        """(expression, name of the variable it is based on or None)"""
        m = re.match(r'\[\s*([^\]+]+?)\s*(?:\+\s*(-?(?:0[xX][0-9a-fA-F]+|\d+)))?\s*\]$', op)
        if not m:
            raise Refused('address ' + op)
        base, offset = m.group(1), m.group(2)
        rt = self.reg_type(base)
        if rt:
            e = '(uint64_t)' + ident(base)
        elif re.match(r'\d', base):
            e = '%sull' % base
        else:
            e = '(uint64_t)(%s)' % self.address_of(base)
        if offset:
            e = '%s + (uint64_t)(%sll)' % (e, int(offset, 0))
        return e

    def assign(self, dst, expression, t):
        """Assigns an expression of type t to dst."""
        dst = dst.strip()
        if dst == '_':
            return '(void)(%s);' % expression
        rt = self.reg_type(dst)
        if not rt:
            raise Refused('destination ' + dst)
        e = ident(dst)
        if rt == t or (rt[0] not in 'fp' and t[0] not in 'fp'):
            return '%s = (%s)(%s);' % (e, ctype(rt), expression)
        if rt == 'pred' or t == 'pred' or size_of(rt) != size_of(t):
            raise Refused('%s of type %s = %s' % (dst, rt, t))
        if rt[0] == 'f' and t[0] == 'f':
            raise Refused('%s of type %s = %s' % (dst, rt, t))
        if t[0] == 'f':
            return '%s = bits(%s);' % (e, expression)
        return '%s = as_%s((%s)(%s));' % (e, rt, unsigned(rt), expression)

    # ---- scanning ------------------------------------------------------------------------------------------
    def statements(self):
        text, i, n = self.body, 0, len(self.body)
        label = re.compile(r'([\w$]+)\s*:(?!:)')
        while i < n:
            if text[i].isspace() or text[i] == ';':
                i += 1
            elif text[i] == '{':
                yield ('open', None)
                i += 1
            elif text[i] == '}':
                yield ('close', None)
                i += 1
            elif text.startswith(('.loc ', '.loc\t'), i):
                j = text.find('\n', i)
                j = n if j < 0 else j
                yield ('loc', text[i:j])
                i = j
            elif text.startswith('.pragma', i):
                i = text.index(';', i) + 1
            else:
                m = label.match(text, i)
                if m:
                    rest = text[m.end():m.end() + 200].lstrip()
                    if rest.startswith(('.branchtargets', '.callprototype')):
                        j = text.index(';', i)
                        yield ('targets', (m.group(1), text[m.end():j].strip()))
                        i = j + 1
                        continue
                    yield ('label', m.group(1))
                    i = m.end()
                else:
                    j = text.index(';', i)
                    yield ('code', ' '.join(text[i:j].split()))
                    i = j + 1

    def set_location(self, line):
        m = re.match(r'\.loc\s+(\d+)\s+(\d+)\s+(\d+)(?:.*inlined_at\s+(\d+)\s+(\d+)\s+(\d+))?', line)
        here = tuple(int(x) for x in m.group(1, 2, 3))
        if m.group(4):
            self.chain[here] = tuple(int(x) for x in m.group(4, 5, 6))
        else:
            self.chain.pop(here, None)
        places, at, seen = [], here, set()
        while at and at not in seen and len(places) < 8:
            seen.add(at)
            places.append('%s:%d' % ('/'.join(self.module.files.get(at[0], '?').split('/')[-2:]), at[1]))
            at = self.chain.get(at)
        self.location = ' < '.join(places)

    def here(self):
        return 'SITE("%s")' % (self.location or '?')

    def run(self):
        items = list(self.statements())
        for kind, what in items:
            if kind == 'targets':
                if not what[1].startswith('.branchtargets'):
                    raise Refused('indirect call')
                self.tables[what[0]] = [x.strip() for x in what[1][len('.branchtargets'):].split(',')]
        for kind, what in items:
            if kind == 'open':
                self.out.append('{')
                self.regs.append({})
                self.vars.append({})
            elif kind == 'close':
                self.out.append('}')
                self.regs.pop()
                self.vars.pop()
            elif kind == 'loc':
                self.set_location(what)
            elif kind == 'label':
                self.out.append('%s:;' % ident(what))
            elif kind == 'code':
                try:
                    self.out.append(self.statement(what))
                except Refused as e:
                    raise Refused('%s in "%s" (%s)' % (e, what, self.location))
                except (KeyError, IndexError, ValueError) as e:
                    raise Refused('%r in "%s" (%s)' % (e, what, self.location))
        return '\n'.join(self.out)

    def declaration(self, s):
        words = s.split(None, 1)
        space = words[0]
        if space == '.reg':
            t, names = words[1].split(None, 1)
            t = t[1:]
            if t not in TYPES:
                raise Refused('register type ' + t)
            store = t if t in ('f32', 'f64', 'pred') else 'b' + t[1:]
            declared = []
            for name in names.split(','):
                m = re.match(r'([%\w$]+)(?:<(\d+)>)?$', name.strip())
                all_names = [m.group(1)] if not m.group(2) else [m.group(1) + str(k) for k in range(int(m.group(2)))]
                for x in all_names:
                    self.regs[-1][x] = store
                    declared.append(ident(x))
            return '%s %s;' % (ctype(store), ', '.join(declared))
        m = re.match(r'\.(local|shared|param)\s+(?:\.align\s+(\d+)\s+)?\.(\w+)\s+([\w$%]+)\s*((?:\[\s*\d*\s*\])*)$', s)
        if not m:
            raise Refused('declaration')
        kind, align, t, name, dims = m.groups()
        size = size_of(t)
        for d in re.findall(r'\d+', dims or ''):
            size *= int(d)
        align = int(align or size_of(t))
        if kind == 'shared':
            self.vars[0][name] = self.unit.place_shared(name, size, align)
            return ''
        self.vars[-1][name] = '(uint64_t)(uintptr_t)&V_%s[0]' % ident(name)
        text = 'alignas(%d) uint8_t V_%s[%d];' % (align, ident(name), size)
        if kind == 'local':  # fresh local memory is poisoned
            text += ' __builtin_memset(V_%s, 0xFF, %d);' % (ident(name), size)
        return text

    def statement(self, s):
        if s.startswith('.'):
            return self.declaration(s)
        guard = None
        m = re.match(r'@(!?)([%\w$]+)\s+(.*)$', s)
        if m:
            guard, s = m.group(1) + ident(m.group(2)), m.group(3)
        m = re.match(r'([a-z][\w.:]*)\s*(.*)$', s)
        parts = m.group(1).split('.')
        operands = self.split_operands(m.group(2))
        code = self.instruction(parts[0], parts[1:], operands)
        return 'if (%s) { %s }' % (guard, code) if guard else code

    @staticmethod
    def split_operands(text):
        out, depth, current = [], 0, ''
        for ch in text:
            if ch in '{[(':
                depth += 1
            elif ch in '}])':
                depth -= 1
            if ch == ',' and depth == 0:
                out.append(current.strip())
                current = ''
            else:
                current += ch
        if current.strip():
            out.append(current.strip())
        return out
