/** Attacks a running gateway: `npm run attack -- --help`. */
import { ATTACKS } from './all.ts';
import { createClient } from './client.ts';
import { type AttackOptions, readOptions } from './options.ts';
import { runAttack } from './runner.ts';
import { rowOf, TABLE_HEAD } from './table.ts';

/** Exit codes: `BROKEN` when something did not hold, `MISUSED` when the command line is wrong. */
const BROKEN = 1;
const MISUSED = 2;

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const complain = (text: string): number => {
  process.stderr.write(`${text}\n`);
  return MISUSED;
};

const attackAll = async ({ target, only, json }: AttackOptions): Promise<number> => {
  const unknown = only.filter((name) => !ATTACKS.some((attack) => attack.name === name));
  if (unknown.length > 0) return complain(`there is no attack ${unknown.join(', ')}; see --list`);
  const customer = createClient(target.host, target.port);
  const { status } = await customer.ask({ path: '/api/v1/usage', key: target.key });
  if (status !== 200) return complain(`${target.url} answers the key with ${status ?? 'nothing'}`);

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
    say(`Not run, since they need --admin-token: ${impossible.map(({ name }) => name).join(', ')}`);
  }
  return broken > 0 ? BROKEN : 0;
};

const main = async (): Promise<number> => {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options === 'list') for (const { name, holds } of ATTACKS) say(`${name.padEnd(28)}${holds}`);
  else if ('help' in options) say(options.help);
  else return 'fault' in options ? complain(options.fault) : attackAll(options);
  return 0;
};

try {
  process.exitCode = await main();
} catch (error) {
  process.exitCode = complain((error as Error).message);
}
