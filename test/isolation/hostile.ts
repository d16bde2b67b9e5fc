import { setTimeout as sleep } from 'node:timers/promises';
import { type Part, timesOf } from '../../bench/parts/part.ts';
import { atMost, type Verdict } from '../../bench/say.ts';
import { quantile } from '../../bench/stats.ts';
import { XLSX_TYPE } from '../../src/http/bodies/row-types.ts';
import { createAccount } from '../servers/account.ts';
import { type Caller, createCaller } from '../servers/caller.ts';
import { ADMIN_TOKEN, startBackends, startGateway } from '../servers/testbed.ts';
import { escaped, textRow, workbookOf, zipOf } from '../support/files/xlsx.ts';

const CALLS = 240;
const ROUNDS = 6;
/** The p99 of another account during an upload, as a multiple of its p99 without one. */
const RISE_MAX = 3;

const cellAt = (place: string, text: string): string =>
  `<row><c r="${place}" t="str"><v>${text}</v></c></row>`;
const farAway = (column: string, rows: number): Buffer =>
  zipOf(workbookOf(cellAt(`${column}1`, 'data') + cellAt(column, 'x').repeat(rows)));
const sharedText = (length: number, rows: number): Buffer =>
  zipOf(
    workbookOf(textRow(['data']) + '<row><c t="s"><v>0</v></c></row>'.repeat(rows), {
      strings: `<si><t>${escaped('x'.repeat(length))}</t></si>`,
    }),
  );

/** Small files that expand to much data or take long to process. */
const FILES: Readonly<Record<string, Buffer>> = {
  'a cell in the last column': farAway('XFD', 200_000),
  'a cell in column 1,000': farAway('ALL', 200_000),
  'a shared text of 262,000 characters': sharedText(262_000, 10_000),
  'a shared text of 4,200 characters': sharedText(4200, 400_000),
};
const PATHS = { 'a preview': '/api/v1/batches/preview?rows=1000', 'a batch': '/api/v1/batches' } as const;

/** Statuses of answers to an attacker who has reached a limit. */
const HELD_BACK = [429, 503];
/** Statuses of answers to a file that was read, or refused while it was read. */
const READ = [200, 202, 400, 413];

/** Sends a file again and again until the returned function is called, which returns how many were read. */
const attack = (callers: readonly Caller[], path: string, body: Buffer) => {
  let [read, hasEnded] = [0, false];
  const runs = callers.map(async ({ send }) => {
    while (!hasEnded) {
      const { status } = await send('POST', path, { body, headers: { 'content-type': XLSX_TYPE } });
      if (READ.includes(status)) read += 1;
      else if (HELD_BACK.includes(status)) await sleep(50);
      else throw new Error(`a file is answered with ${status}`);
    }
  });
  return async () => {
    hasEnded = true;
    await Promise.all(runs);
    return read;
  };
};

/** The effect of hostile uploads on other accounts. */
export const hostile: Part<{ readonly share: number }> = async (scope, { share }) => {
  const backends = await startBackends(scope);
  const env = { REDIS_URL: backends.redis.url, GATEWAYS: '1' };
  const { url } = await startGateway(scope, backends, { database: 'hostile', env });
  const callerOf = async (name: string): Promise<Caller> => {
    const caller = createCaller({ url, key: (await createAccount(url, ADMIN_TOKEN, name)).key });
    scope.teardown(() => caller.end());
    return caller;
  };
  const victim = await callerOf('victim');
  const attackers = [await callerOf('attacker 1'), await callerOf('attacker 2')];
  let calls = 0;
  const measure = (): Promise<number[]> =>
    timesOf(CALLS / ROUNDS, async () => {
      calls += 1;
      const { status } = await victim.send('POST', '/api/v1/qr', {
        body: { data: `https://example.com/${calls}` },
      });
      if (status !== 200) throw new Error(`a call is answered with ${status}`);
    });
  for (let round = 0; round < ROUNDS; round += 1) await measure();

  const verdicts: Verdict[] = [];
  for (const [kind, path] of Object.entries(PATHS))
    for (const [name, file] of Object.entries(FILES)) {
      const [aloneMs, besideMs]: [number[], number[]] = [[], []];
      let read = 0;
      for (let round = 0; round < Math.max(1, Math.round(ROUNDS * share)); round += 1) {
        aloneMs.push(...(await measure()));
        const end = attack(attackers, path, file);
        besideMs.push(...(await measure()));
        read += await end();
      }
      if (read === 0) throw new Error(`no file of ${name} was read`);
      const rise = quantile(besideMs, 0.99) / quantile(aloneMs, 0.99);
      verdicts.push(atMost(`p99 beside ${kind} of ${name}`, rise, RISE_MAX, 'times alone'));
    }
  return verdicts;
};
