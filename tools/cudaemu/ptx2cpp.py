#!/usr/bin/env python3
"""ptx2cpp.py MODULE.ptx KERNEL OUT.cpp: translates one PTX kernel into a C++ function.

Every instruction becomes one statement with exactly its semantics (see device.hpp for the helpers). The translator
refuses unknown instructions and those that are approximate in hardware, and lists operations whose rounding depends on
ptxas (contraction). It never guesses.
"""
import re
import sys

from ptx_function import Function
from ptx_module import Module, Refused, ident, parse_params, size_of


class Unit:
    """The C++ file of one kernel."""

    BUILTIN = {'vprintf': 'emu_vprintf', '__assertfail': 'emu_assertfail'}

    def __init__(self, module):
        self.module = module
        self.shared, self.shared_size = {}, 0
        self.dynamic = set()
        self.globals, self.functions, self.queue = {}, {}, []
        self.fibers, self.contractible, self.depth = False, 0, 0

    def place_shared(self, name, size, align):
        if name not in self.shared:
            at = (self.shared_size + align - 1) // align * align
            self.shared[name] = at
            self.shared_size = at + size
        return '%dull' % self.shared[name]

    def symbol(self, name):
        if name not in self.module.variables:
            raise Refused('symbol ' + name)
        space, decl, dims, init = self.module.variables[name]
        t = re.search(r'\.([usbf]\d+)\s*$', decl.strip())
        size = size_of(t.group(1)) if t else 1
        align = re.search(r'\.align\s+(\d+)', decl)
        align = int(align.group(1)) if align else size
        if space == 'shared':
            if dims and not re.findall(r'\d+', dims):
                self.dynamic.add(name)
                return 'c->dynamic_offset'
            for d in re.findall(r'\d+', dims or ''):
                size *= int(d)
            return self.place_shared(name, size, align)
        element = size
        for d in re.findall(r'\d+', dims or ''):
            size *= int(d)
        data = b''
        if init:
            for item in [x.strip() for x in init.lstrip('= ').strip('{} ').split(',') if x.strip()]:
                m = re.match(r'0[fFdD]([0-9a-fA-F]+)$', item)
                number = int(m.group(1), 16) if m else int(item.rstrip('uU'), 0)  # addresses of symbols are not known here
                data += (number & (256 ** element - 1)).to_bytes(element, 'little')
            data = data.ljust(size, b'\0')  # zeros at the end may be left out
        if name not in self.globals:
            self.globals[name] = (len(self.globals), size, align, data)
        return 'emu_global_address[%d]' % self.globals[name][0]

    def call(self, name):
        if name in self.BUILTIN:
            return self.BUILTIN[name]
        if name not in self.functions:
            self.functions[name] = None
            found = self.module.function('func', name)
            if not found:
                raise Refused('function ' + name)
            self.queue.append((name, found))
        return 'F_' + ident(name)

    def translate(self, kernel):
        found = self.module.function('entry', kernel)
        if not found:
            raise Refused('no such kernel')
        layout, at = [], 0
        for name, size, align in parse_params(found[1]):
            at = (at + align - 1) // align * align
            layout.append((name, at, size))
            at += size
        params = [(n, '(uint64_t)(uintptr_t)(c->params + %d)' % offset) for n, offset, _ in layout]
        main = Function(self.module, kernel, found[2], params, [], self).run()
        bodies, prototypes = [], []
        self.depth = 1
        while self.queue:
            name, (returns, arguments, body) = self.queue.pop()
            names = [n for n, _, _ in parse_params(returns) + parse_params(arguments)]
            head = 'static void F_%s(%s)' % (ident(name), ', '.join(['Thread* c'] + ['uint8_t* A_%s' % ident(n) for n in names]))
            prototypes.append(head + ';')
            text = Function(self.module, name, body, [(n, '(uint64_t)(uintptr_t)A_' + ident(n)) for n in names], [], self).run()
            bodies.append('%s {\n[[maybe_unused]] bool carry;\n%s\n}' % (head, text))
        lines = ['// %s' % kernel, '#include "arithmetic.hpp"', '#include "warps.hpp"']
        lines.append('extern "C" { uint64_t emu_global_address[%d]; }' % max(1, len(self.globals)))
        for name, (index, size, align, data) in self.globals.items():
            if data:
                lines.append('static const uint8_t data_%d[] = {%s};' % (index, ','.join(str(b) for b in data)))
        lines.append('static const EmuGlobal emu_globals[] = {%s};' % ', '.join(
            ['{"%s", %d, %d, %s}' % (n, size, align, 'data_%d' % i if data else 'nullptr') for n, (i, size, align, data) in self.globals.items()] + ['{nullptr, 0, 0, nullptr}']))
        lines.append('static const EmuParam emu_params[] = {%s};' % ', '.join(['{%d, %d}' % (a, s) for _, a, s in layout] + ['{0, 0}']))
        lines += prototypes + bodies
        lines.append('static void emu_body(Thread* c) {\n[[maybe_unused]] bool carry;\n%s\n}' % main)
        lines.append('extern "C" const EmuKernel emu_kernel{emu_body, %d, %d, emu_params, emu_globals, %d, %s, %d};' % (
            len(layout), at, self.shared_size, 'true' if self.fibers else 'false', self.contractible))
        return '\n'.join(lines) + '\n'


def main():
    source, kernel, target = sys.argv[1:4]
    with open(source) as f:
        module = Module(f.read())
    try:
        text = Unit(module).translate(kernel)
    except Refused as e:
        sys.exit('ptx2cpp: %s: refused: %s' % (kernel, e))
    with open(target, 'w') as f:
        f.write(text)


if __name__ == '__main__':
    main()
