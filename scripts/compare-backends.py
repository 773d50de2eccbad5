#!/usr/bin/env python3
"""Compares state hashes of the host and the CUDA backend, in longer runs than the golden hashes have.

Usage: compare-backends.py [OPTIONS]

Without a GPU, give it a program of scripts/emulate-cuda.sh. Exits 1 when any hash differs.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SMALL_CELL = ['--set', 'domain.periodic.size=[0.012,0.012,0.012]']
HOPPER = ['--set', 'particles.0.fill.count=600']
DOUBLE = ['--set', 'precision=double']
LEDGER = ['--set', 'output.series.energies=true']
ROLLING = '{"stiffness": 0.2, "friction": 0.1, "twisting_stiffness": 0.2, "twisting_friction": 0.1}'
SHEAR = '{"name":"shear","xy":{"strain_rate":3000}%s}'


def law(material, name, **more):
    extra = ''.join(', "%s": %s' % item for item in more.items())
    return ['--set', 'contacts=[{"between":["%s","%s"],"law":"%s"%s}]' % (material, material, name, extra)]


def control(stage):
    return ['--set', 'domain.control=[%s]' % stage]


# Name, config, steps, options. Each run is long enough for hundreds of contacts and dozens of searches.
CASES = [
    ('minimal', 'minimal', 3000, []),
    ('triaxial', 'triaxial', 12000, SMALL_CELL),
    ('hopper', 'hopper', 5000, HOPPER),
    ('conveyor', 'conveyor', 8000, []),
    ('triaxial jaeger', 'triaxial', 12000, SMALL_CELL + law('sand', 'jaeger')),
    ('bonded_block', 'bonded_block', 800, []),
    ('clumps', 'clumps', 3000, []),
    ('press', 'press', 2500, []),
    ('simple_shear', 'simple_shear', 8000, SMALL_CELL),
    ('hopper adaptive', 'hopper', 3000, HOPPER + ['--set', 'time.adaptive=true']),
    ('hopper ledger', 'hopper', 3000, HOPPER + LEDGER),
    ('hopper double', 'hopper', 4000, HOPPER + DOUBLE),
    ('triaxial double', 'triaxial', 8000, SMALL_CELL + DOUBLE),
    ('cyclic_undrained', 'cyclic_undrained', 8000, SMALL_CELL),
    ('packing', 'packing', 8000, SMALL_CELL),
    ('minimal jaeger double', 'minimal', 3000, DOUBLE + law('glass', 'jaeger')),
    ('triaxial mindlin_reversal', 'triaxial', 8000, SMALL_CELL + law('sand', 'mindlin_reversal')),
    ('triaxial rolling', 'triaxial', 8000, SMALL_CELL + law('sand', 'hertz_mindlin', rolling=ROLLING)),
    ('triaxial cundall_strack', 'triaxial', 8000, SMALL_CELL + law('sand', 'cundall_strack')),
    ('triaxial rescaled', 'triaxial', 8000, SMALL_CELL + law('sand', 'hertz_mindlin_rescaled')),
    ('triaxial jaeger ledger', 'triaxial', 8000, SMALL_CELL + law('sand', 'jaeger') + LEDGER),
    ('minimal double', 'minimal', 3000, DOUBLE),
    # The cell flips some ten times.
    ('flips', 'packing', 4000, SMALL_CELL + control(SHEAR % '')),
    ('flips with a goal of stress', 'packing', 4000,
     SMALL_CELL + control(SHEAR % ',"zz":{"stress":-1e5},"inertial_number":3e-3')),
]


class Run:
    """Runs a case on backends one after the other. Each later one continues from the checkpoint of the one before."""

    def __init__(self, scree, case, steps, options, backends, environment, out):
        self.seconds, self.code, self.text = 0, 0, ''
        parts = len(backends)
        for k, backend in enumerate(backends):
            end = steps * (k + 1) // parts
            command = [scree, 'run', os.path.join(ROOT, 'configs', case + '.json'), '--backend', backend, '--out', out,
                       '--quiet', '--steps', str(end), '--threads', '1'] + options
            if parts > 1:
                command += ['--set', 'output.checkpoints={"every":1e6}']
            if k > 0:
                command.append('--resume')
            start = time.time()
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            self.seconds += time.time() - start
            self.code = self.code or done.returncode
            self.text += done.stdout
        log = os.path.join(out, 'run.log')
        text = open(log).read() if os.path.exists(log) else ''
        found = re.findall(r'state hash +([0-9a-f]{32})', text)
        self.hash = found[-1] if found else None

    def complaint(self):
        return None if self.code in (0, 3) and 'cudaemu' not in self.text and self.hash else self.text.strip()[-6000:]


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument('--program', default=os.path.join(ROOT, 'build/emulated/bin/scree'))
    p.add_argument('--only', default='', help='cases whose name matches')
    p.add_argument('--check', default='', help='of the emulator: 1 or race')
    p.add_argument('--order', default='shuffled', help='of threads, on the emulator')
    p.add_argument('--steps-factor', type=float, default=1)
    p.add_argument('--resume', action='store_true', help='each backend goes on from a checkpoint of the other, too')
    a = p.parse_args()
    ways = [['cuda'], ['host', 'cuda'], ['cuda', 'host']] if a.resume else [['cuda']]
    environment = dict(os.environ, CUDAEMU_CHECK=a.check, CUDAEMU_ORDER=a.order, OMP_WAIT_POLICY='passive')
    wrong = 0
    for name, case, steps, options in CASES:
        if not re.search(a.only, name):
            continue
        steps = max(2, int(steps * a.steps_factor))
        work = tempfile.mkdtemp()
        host = Run(a.program, case, steps, options, ['host'], environment, work + '/host')
        for way in ways:
            cuda = Run(a.program, case, steps, options, way, environment, work + '/' + '-'.join(way))
            verdict = 'FAILED' if not (host.hash and cuda.hash) else 'same' if host.hash == cuda.hash else 'DIFFERENT'
            wrong += verdict != 'same' or cuda.complaint() is not None
            print('%-9s %-28s %6d steps  host %s %6.1f s  %s %s %6.1f s' % (
                verdict, name, steps, (host.hash or '-')[:12], host.seconds, ', '.join(way), (cuda.hash or '-')[:12],
                cuda.seconds), flush=True)
            for run in (host, cuda):
                if run.complaint() is not None:
                    print('    exit code %d: %s' % (run.code, run.complaint()), flush=True)
        shutil.rmtree(work)
    sys.exit(wrong > 0)


if __name__ == '__main__':
    main()
