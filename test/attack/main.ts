/** Attacks a running gateway: `npm run attack -- --help`. */

import { say } from '../../bench/say.ts';
import { commandLine, misuse } from '../support/command.ts';
import { ATTACKS } from './all.ts';
import { createClient } from './client.ts';
import { ATTACK, type AttackOptions, optionsOf } from './options.ts';
import { runAttack, type Verdict } from './runner.ts';

const COLUMNS = [28, 10, 8, 10, 9] as const;

const line = (cells: readonly string[], last: string): string =>
  cells.map((cell, i) => (i === 0 ? cell.padEnd(COLUMNS[i]!) : cell.padStart(COLUMNS[i]!))).join('') +
  `  ${last}`;

const TABLE_HEAD = line(['attack', 'requests', 'worst', '/healthz', 'took'], 'verdict');

/** Returns a line for the table, and a further one for each fault. */
const rowOf = ({ name, requests, worstStatus, slowestHealthMs, seconds, faults }: Verdict): string => {
  const cells = [
    name,
    requests,
    worstStatus ?? 'none',
    `${Math.round(slowestHealthMs)} ms`,
    `${seconds.toFixed(1)} s`,
  ];
  const row = line(cells.map(String), faults.length === 0 ? 'holds' : 'BROKEN');
  return [row, ...faults.map((fault) => `    ${fault}`)].join('\n');
};

/** Returns the exit code: 1 when a check failed. */
const attackAll = async ({ target, only, json }: AttackOptions): Promise<number> => {
  const unknown = only.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) return misuse(`there is no attack ${unknown.join(', ')}; see --list`);
  const customer = createClient(target.host, target.port);
  const { status } = await customer.ask({ path: '/api/v1/usage', key: target.key });
  if (status !== 200) return misuse(`${target.url} answers a call with this key with ${status ?? 'nothing'}`);

  const wanted = ATTACKS.filter(({ name }) => only.length === 0 || only.includes(name));
  const [possible, impossible] = [
    wanted.filter(({ needsAccount = false }) => !needsAccount || target.adminToken !== null),
    wanted.filter(({ needsAccount = false }) => needsAccount && target.adminToken === null),
  ];
  if (!json) say(`seed ${target.seed}\n${TABLE_HEAD}`);
  let broken = 0;
  for (const attack of possible) {
    const verdict = await runAttack(attack, target, customer);
    if (verdict.faults.length > 0) broken += 1;
    say(json ? JSON.stringify(verdict) : rowOf(verdict));
  }
  customer.close();
  if (!json && impossible.length > 0) {
    say(`Not run, because they need --admin-token: ${impossible.map(({ name }) => name).join(', ')}`);
  }
  return broken > 0 ? 1 : 0;
};

const { values } = commandLine(ATTACK);
if (values.list) for (const { name, holds } of ATTACKS) say(`${name.padEnd(28)}${holds}`);
else {
  const options = optionsOf(values, process.env);
  process.exitCode = typeof options === 'string' ? misuse(options) : await attackAll(options);
}
