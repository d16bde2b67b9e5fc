/** The attacks of `npm run attack`, against a gateway in a separate process, as an operator would run them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { createAccount } from '../servers/account.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { readCommand } from '../support/command.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { ATTACK, optionsOf } from './options.ts';
import type { Verdict } from './runner.ts';

const MAIN = fileURLToPath(new URL('../../dist/test/attack/main.js', import.meta.url));

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
}

const attack = async (
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<Ran> => {
  const child: ChildProcess = spawn(process.execPath, ['--enable-source-maps', MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  for (const stream of [child.stdout!, child.stderr!]) {
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  }
  const [code] = (await once(child, 'close')) as [number];
  return { code, lines };
};

t.test('the command refuses to attack any host but this machine', async (t) => {
  for (const url of [
    'http://192.0.2.1:3000',
    'http://example.com',
    'https://127.0.0.1',
    'http://127.0.0.1.example.com',
    'http://[::2]:3000',
    'file:///etc/passwd',
    'nowhere',
  ]) {
    const given = readCommand(ATTACK, ['--url', url, '--key', 'tsr_x']);
    t.match(given.kind === 'given' && optionsOf(given.values, {}), /^--url must be /, url);
  }
  const { code, lines } = await attack(['--url', 'http://example.com', '--key', 'tsr_x']);
  t.equal(code, 2);
  t.match(lines[0], /^--url must be /);
});

t.test('the command shows its usage and lists the attacks', async (t) => {
  t.match(await attack(['--help']), { code: 0, lines: [/^npm run attack -- \[options\]/] });
  t.match(await attack(['--unknown']), { code: 2, lines: [/^there is no option --unknown/] });
  const listed = await attack(['--list']);
  t.equal(listed.code, 0);
  t.ok(listed.lines.length >= 19, `${listed.lines.length} attacks`);
});

t.test('every attack leaves the gateway healthy and passes its checks', { timeout: 900_000 }, async (t) => {
  const gateway = await startGateway(t, {
    DATABASE_URL: await realDatabaseUrl(),
    LOG_LEVEL: 'error',
    ADMIN_TOKEN,
    RATE_LIMIT_PER_SECOND: '100',
  });
  const { key } = await createAccount(gateway.url, ADMIN_TOKEN, 'A customer', { monthlyQuota: 1_000_000 });

  const args = ['--url', gateway.url, '--key', key, '--admin-token', ADMIN_TOKEN, '--json', '--count', '60'];
  // Other tests run at the same time.
  args.push('--patience', '5');
  const attacked: string[] = [];
  const { code } = await attack(args, (line) => {
    if (!line.startsWith('{')) {
      t.fail(line);
      return;
    }
    const { name, requests, worstStatus, slowestHealthMs, seconds, faults }: Verdict = JSON.parse(line);
    t.comment(
      `${name}: ${requests} requests, worst ${worstStatus}, /healthz ${Math.round(slowestHealthMs)} ms, ${seconds.toFixed(1)} s`,
    );
    attacked.push(name);
    t.strictSame(faults, [], name);
  });
  t.equal(code, 0);
  t.ok(attacked.length > 5, `${attacked.length} attacks`);
  t.equal(gateway.process.exitCode, null, 'the gateway is still running');
  t.notMatch(gateway.output(), /"level":(50|60)/, 'and has logged no error');
});
