/** The command lines of all tools. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t from 'tap';
import { BENCH } from '../../bench/options.ts';
import { readCommand } from '../support/command.ts';

const file = (path: string) => new URL(path, import.meta.url).pathname;

const ask = async (...args: readonly string[]) => {
  const loader = ['--require', file('../support/loader/typescript.cjs')];
  const { stdout } = await promisify(execFile)(process.execPath, [...loader, file('ask.ts'), ...args]);
  return JSON.parse(stdout) as Readonly<Record<string, { code: number | null; said: string }>>;
};

/** Scripts that take options: all that start a program in `bench` or `test`, except the tests themselves. */
const scripts = Object.entries(
  (JSON.parse(readFileSync(file('../../package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
)
  .filter(
    ([name, line]) =>
      /(bench\/start\.mjs|dist\/test\/|typescript\.cjs)/.test(line) && !name.startsWith('build'),
  )
  .map(([name]) => name)
  .sort();

t.test('every command shows its help without starting anything', async (t) => {
  const answers = await ask('--help');
  t.strictSame(Object.keys(answers).sort(), scripts, 'all commands of package.json were run');
  for (const [name, { code, said }] of Object.entries(answers)) {
    t.equal(code, 0, name);
    t.equal(said.split('\n')[0]!.split(' -- ')[0], `npm run ${name}`);
    t.match(said, /^Options, with their defaults:\n {2}--/m, name);
    t.match(said, /^Examples:\n {2}npm run /m, name);
    t.ok(
      said.split('\n').every((line) => line.length <= 120),
      `${name} fits a terminal`,
    );
  }
});

t.test('every command rejects an unknown option by name, points to its help, and exits with 2', async (t) => {
  for (const [name, { code, said }] of Object.entries(await ask('--halp'))) {
    t.equal(code, 2, `${name}: ${said}`);
    t.match(said, 'there is no option --halp: did you mean --help?', name);
    t.match(said, `npm run ${name} -- --help lists the options`);
  }
});

t.test('help and faults of options need no build', async (t) => {
  const start = (...args: readonly string[]) =>
    promisify(execFile)(process.execPath, [file('../../bench/start.mjs'), ...args], { env: { PATH: '' } });
  t.match((await start('capacity/main', '--help')).stdout, /^npm run capacity -- /);
  await t.rejects(start('capacity/main', '--slo', 'soon'), { code: 2, stderr: /^--slo "soon" must be/ });
});

t.test('a missing, non-numeric or too small value is rejected with the name of its option', async (t) => {
  const faultOf = (...args: readonly string[]) => {
    const reading = readCommand(BENCH, args);
    return reading.kind === 'fault' ? reading.text : reading.kind;
  };
  t.match(faultOf('--rounds', 'many'), '--rounds must be a whole number of at least 1, not "many"');
  t.match(faultOf('--rounds', '0'), '--rounds must be');
  t.match(faultOf('--csv'), '--csv');
  t.match(faultOf('--rouns', '3'), 'did you mean --rounds?');
  t.notMatch(faultOf('--xyz'), 'did you mean');
  t.equal(faultOf('--seconds', '0.5'), 'given');
});

t.test('bench rejects invalid combinations of options with an explanation', async (t) => {
  const wanted = (...args: readonly string[]) => {
    const reading = readCommand(BENCH, args);
    return reading.kind === 'given' ? reading.wanted : reading.text;
  };
  t.match(wanted('--quick'), { kind: 'run', run: { rounds: 1, seconds: 1, warmUpS: 0.5 } });
  t.match(wanted('--compare', 'a', 'b'), { kind: 'compare', before: 'a', after: 'b' });
  t.match(wanted('--from', 'a', '--require', 'miss 300=2000'), {
    uses: { required: [{ name: 'miss 300', value: 2000 }] },
  });
  for (const [args, fault] of [
    [['--compare', 'a'], '--compare needs two reports'],
    [['--compare', '--from', 'a'], '--compare and --from cannot be given together'],
    [['--from'], '--from needs reports'],
    [['a.json'], '"a.json" belongs to no option'],
    [['--only', 'bare,redirects'], '--only has "redirects"; there are: bare,'],
    [['--stages', 'compair'], '--stages has "compair"; there are: compare,'],
    [['--require', 'redirect'], '--require "redirect" must be the name of a figure and a number above 0'],
  ] as const)
    t.match(wanted(...args), fault);
});
