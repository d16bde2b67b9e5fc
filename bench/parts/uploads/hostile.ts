import { Agent, request } from 'undici';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { createAccount } from '../../../test/servers/account.ts';
import type { Scope } from '../../../test/servers/scope.ts';
import { ADMIN_TOKEN, GATEWAY_ENV, startBackends, startGateway } from '../../../test/servers/testbed.ts';
import { escaped, textRow, workbookOf, zipOf } from '../../../test/support/files/xlsx.ts';
import { quantile } from '../../stats.ts';
import { atMost, type Verdict } from '../../verdict.ts';
import { type Part, timesOf } from '../part.ts';

const CALLS = 240;
const ROUNDS = 6;
const ATTACKERS = 2;
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
const PATHS = { 'a preview': '/batches/preview?rows=1000', 'a batch': '/batches' } as const;

type Call = (path: string, body: string | Buffer, type: string) => Promise<number>;

const callerOf = (scope: Scope, url: string, key: string): Call => {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
  scope.teardown(() => agent.destroy());
  return async (path, body, type) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': type };
    const answer = await request(`${url}/api/v1${path}`, {
      ...{ method: 'POST', headers, body, dispatcher: agent },
    });
    await answer.body.dump();
    return answer.statusCode;
  };
};

/** Statuses of answers to an attacker who has reached a limit. */
const HELD_BACK = [429, 503];
/** Statuses of answers to a file that was read, or refused while it was read. */
const READ = [200, 202, 400, 413];

/** Sends a file again and again until the returned function is called, which returns how many were read. */
const attack = (calls: readonly Call[], path: string, file: Buffer) => {
  let hasEnded = false;
  let read = 0;
  const run = async (call: Call): Promise<void> => {
    while (!hasEnded) {
      const status = await call(path, file, XLSX_TYPE);
      if (READ.includes(status)) read += 1;
      else if (HELD_BACK.includes(status)) await new Promise((resolve) => setTimeout(resolve, 50));
      else throw new Error(`a file is answered with ${status}`);
    }
  };
  const runs = calls.map(run);
  return async () => {
    hasEnded = true;
    await Promise.all(runs);
    return read;
  };
};

/** The effect of hostile uploads on other accounts. */
export const hostile: Part = {
  about: 'the effect on other accounts of small spreadsheets that expand to much data or take long',
  async run(scope, { share }) {
    const backends = await startBackends(scope);
    const env = { ...GATEWAY_ENV, REDIS_URL: backends.redis.url, GATEWAYS: '1' };
    const { url } = await startGateway(scope, backends, { database: 'hostile', env });
    const callOf = async (name: string) =>
      callerOf(scope, url, (await createAccount(url, ADMIN_TOKEN, name)).key);
    const victim = await callOf('victim');
    const attackers = await Promise.all(Array.from({ length: ATTACKERS }, (_, n) => callOf(`attacker ${n}`)));
    const rounds = Math.max(1, Math.round(ROUNDS * share));
    let n = 0;
    const measure = (): Promise<number[]> =>
      timesOf(CALLS / ROUNDS, async () => {
        n += 1;
        const status = await victim(
          '/qr',
          JSON.stringify({ data: `https://example.com/${n}` }),
          'application/json',
        );
        if (status !== 200) throw new Error(`a call is answered with ${status}`);
      });
    for (let round = 0; round < ROUNDS; round += 1) await measure();

    const verdicts: Verdict[] = [];
    for (const [kind, path] of Object.entries(PATHS))
      for (const [name, file] of Object.entries(FILES)) {
        const [aloneMs, besideMs]: [number[], number[]] = [[], []];
        let read = 0;
        for (let round = 0; round < rounds; round += 1) {
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
  },
};
