"""The text of a PTX module: its functions, variables and files; C++ names and types for those of PTX."""
import re

SIZE = {'8': 1, '16': 2, '32': 4, '64': 8}
TYPES = {'u8', 's8', 'b8', 'u16', 's16', 'b16', 'u32', 's32', 'b32', 'u64', 's64', 'b64', 'f32', 'f64', 'pred'}
SPACES = {'global', 'shared', 'local', 'param', 'const'}


class Refused(Exception):
    pass


def size_of(t):
    return 1 if t == 'pred' else SIZE[t[1:]]


def ctype(t):
    if t == 'pred':
        return 'bool'
    if t == 'f32':
        return 'float'
    if t == 'f64':
        return 'double'
    return ('int' if t[0] == 's' else 'uint') + t[1:] + '_t'


def unsigned(t):
    return 'uint%d_t' % (8 * size_of(t))


def signed(t):
    return 'int%d_t' % (8 * size_of(t))


def strip_comments(text):
    text = re.sub(r'/\*.*?\*/', '', text, flags=re.S)
    return re.sub(r'//[^\n]*', '', text)


def matching(text, start, opening='{', closing='}'):
    depth = 0
    for m in re.compile('[%s%s]' % (re.escape(opening), re.escape(closing))).finditer(text, start):
        depth += 1 if m.group() == opening else -1
        if depth == 0:
            return m.start()
    raise Refused('unbalanced ' + opening)


def ident(name):
    return name.replace('%', 'R_').replace('$', '_S_').replace('.', '_D_')


class Module:
    def __init__(self, text):
        self.text = text
        self.files = {int(m.group(1)): m.group(2) for m in re.finditer(r'^\s*\.file\s+(\d+)\s+"([^"]*)"', text, re.M)}
        # Variables of the module: statements that begin with a state space outside of functions.
        self.variables = {}
        pattern = re.compile(r'^\s*(?:\.(?:visible|weak|extern|common)\s+)*\.(global|const|shared)\s+([^;{]*?)(\w[\w$]*)\s*((?:\[\s*\d*\s*\])*)\s*(=[^;]*)?;', re.M)
        for m in pattern.finditer(text):
            self.variables.setdefault(m.group(3), (m.group(1), m.group(2), m.group(4), m.group(5)))

    def function(self, kind, name):
        m = re.search(r'\.%s\s+(?:\(([^)]*)\)\s*)?%s\s*\(([^)]*)\)\s*([^{;]*)([{;])' % (kind, re.escape(name)), self.text)
        # A declaration may come before the definition.
        while m and m.group(4) == ';':
            m = re.compile(r'\.%s\s+(?:\(([^)]*)\)\s*)?%s\s*\(([^)]*)\)\s*([^{;]*)([{;])' % (kind, re.escape(name))).search(self.text, m.end())
        if not m:
            return None
        begin = m.end() - 1
        end = matching(self.text, begin)
        return (m.group(1) or '', m.group(2), strip_comments(self.text[begin + 1:end]))


def parse_params(text):
    """[(name, size, align)] of a parameter list."""
    out = []
    for part in [p.strip() for p in text.split(',') if p.strip()]:
        words = part.split()
        align, t, name, count = None, None, None, 1
        i = 0
        while i < len(words):
            w = words[i]
            if w in ('.param', '.reg') or w == '.ptr' or w in ('.global', '.const', '.shared', '.local'):
                if w == '.reg':
                    raise Refused('functions with .reg parameters')
            elif w == '.align':
                align = int(words[i + 1])
                i += 1
            elif w.startswith('.'):
                t = w[1:]
            else:
                m = re.match(r'([\w$%]+)(?:\[(\d+)\])?$', w)
                name, count = m.group(1), int(m.group(2) or 1)
            i += 1
        size = size_of(t)
        out.append((name, size * count, align or size))
    return out
