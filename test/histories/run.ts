/** Runs one history: clients, faults, and the final state. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../bench/stats.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { type Account, carryOut, createClient, insist } from './client.ts';
import { drawFault, type Fault, strike } from './faults.ts';
import { readFinal } from './final.ts';
import type { Call, Felt, History } from './history.ts';
import {
  contentOf,
  drawOperation,
  type Edited,
  giveRuleSet,
  KEY_QUOTAS,
  QUOTAS,
  type Request,
  ruleSetOf,
  visitOf,
  type Way,
} from './operations.ts';
import { ADMIN_TOKEN, type Stack, TTL_MS } from './stack.ts';

const CLIENTS = 8;
const THINK_MAX_MS = 80;
/** How the links of the pool are edited. */
const POOL: readonly Way[] = [
  'destination',
  'destination',
  'rules',
  'rule set',
  'rule set',
  'forward',
  'many',
];
/** The newest links are edited and visited too, so that many have a first scan. */
const NEWEST = 2;

/** The options of a run. */
export interface Wanted {
  readonly seed: number;
  /** The run ends after this many calls, or after this many seconds at the latest. */
  readonly calls: number;
  readonly seconds: number;
  readonly slackMs: number;
  say(text: string): void;
}

const createAccounts = async ({ urls, receiver }: Stack, seed: number): Promise<Account[]> => {
  const post = async (path: string, token: string, body: object) =>
    JSON.parse(await insist(urls[0]!, token, { method: 'POST', path, as: 'operator', body })) as AnswerBody;
  const accounts: Account[] = [];
  for (const monthlyQuota of QUOTAS) {
    const wanted = { name: `history ${seed}`, plan: 'pro', monthly_quota: monthlyQuota };
    const { id } = await post('/admin/v1/accounts', ADMIN_TOKEN, wanted);
    const keys = [await post(`/admin/v1/accounts/${id}/keys`, ADMIN_TOKEN, { name: 'history' })];
    for (const monthly_quota of KEY_QUOTAS.slice(1))
      keys.push(await post('/api/v1/keys', keys.at(-1)!.key, { name: 'made', monthly_quota }));
    const events = ['batch.done', 'batch.failed', 'link.first_scan', 'quota.low'];
    await post('/api/v1/webhooks', keys[0]!.key, { url: `${receiver.url}/${id}`, events });
    accounts.push({ id, keys });
  }
  return accounts;
};

/** Makes the links and the domain that all clients share. Links that are edited by their rule set have it in common. */
const createPool = async (
  { urls, ledger: { sql } }: Stack,
  { id, keys }: Account,
  nextName: () => string,
  call: ReturnType<typeof createClient>,
): Promise<readonly Edited[]> => {
  const insisted = async (request: Request) =>
    JSON.parse(await insist(urls[0]!, keys[0]!.key, request)) as AnswerBody;
  const own = { account: 0, by: 0 } as const;
  const items = POOL.map(() => 'dynamic' as const);
  const made = { ...own, name: nextName(), kind: 'bulk', isKeyed: true, folder: 'pool', items } as const;
  const slugs = (await call(made, 0)).answer!.slugs as readonly string[];
  const shared = slugs.filter((_, n) => POOL[n] === 'rule set');
  const { id: setId } = await insisted(ruleSetOf(made.name));
  await insisted(giveRuleSet(shared, setId));
  const host = `${made.name}.brand.example`;
  // It is proved already, and not looked at again.
  await sql`insert into domains (account_id, host, token, verified_at)
    values (${id}, ${host}, ${'t'.repeat(32)}, now())`;
  const together: readonly Edited[] = [
    { way: 'rule set', slugs: shared, setId, first: '' },
    { way: 'domain', slugs: [host], setId: null, first: '' },
  ];
  for (const edited of together) {
    const named = { ...own, name: nextName() };
    await call({ ...named, ...edited, kind: 'edit', isKeyed: false, destination: contentOf(named, 0) }, 0);
  }
  for (const url of urls) await insist(url, '', visitOf(host));
  const single = slugs.flatMap((slug, n): Edited[] =>
    POOL[n] === 'rule set' ? [] : [{ way: POOL[n]!, slugs: [slug], setId: null, first: contentOf(made, n) }],
  );
  return [...together, ...single];
};

const isKill = ({ kind }: Fault['blows'][number]): boolean => kind === 'kill';

/** Inflicts blows, waits, and undoes them. Killed gateways come last, since they need their stores to start. */
const inflict = async (fault: Fault, stack: Stack, nowMs: () => number): Promise<Felt[]> => {
  const beginMs = nowMs();
  const undo = [];
  for (const blow of fault.blows.toSorted((a, b) => Number(isKill(b)) - Number(isKill(a))))
    undo.push(await strike(blow, stack));
  await sleep(fault.lastsMs);
  for (const back of undo.reverse()) await back();
  return fault.blows.map((blow) => ({ blow, beginMs, endMs: nowMs() }));
};

/** Runs the clients and the faults of a seed, waits until everything is settled, and returns the history. */
export const runHistory = async (stack: Stack, wanted: Wanted): Promise<History> => {
  const { seed, seconds, slackMs, say } = wanted;
  const accounts = await createAccounts(stack, seed);
  const startMs = performance.now();
  const nowMs = () => performance.now() - startMs;
  const calls: Call[] = [];
  const faults: Felt[] = [];
  const links: Edited[] = [];
  let [names, pool] = [0, 0];
  const nextName = () => {
    names += 1;
    return `h${seed}-${names}`;
  };
  /** Links of the other account are neither edited nor visited. */
  const learn = ({ operation, answer }: Call): void => {
    if (operation.account !== 0) return;
    const newest = (answer?.slugs ?? []).flatMap((slug, n) =>
      slug === null
        ? []
        : [{ way: 'destination', slugs: [slug], setId: null, first: contentOf(operation, n) } as const],
    );
    links.push(...newest);
    if (links.length > pool + NEWEST) links.splice(pool, links.length - pool - NEWEST);
  };
  const { urls } = stack;
  const record = (call: Call) => void calls.push(call);
  const call = createClient({ urls, accounts, adminToken: ADMIN_TOKEN, nowMs, record });

  links.push(...(await createPool(stack, accounts[0]!, nextName, call)));
  pool = links.length;

  const endMs = seconds * 1000;
  const isOver = () => nowMs() > endMs || calls.length >= wanted.calls;
  const client = async (index: number): Promise<void> => {
    const random = createRandom(seed * 100 + index + 1);
    while (!isOver()) {
      learn(await carryOut(call, drawOperation(random, { nextName, links }), random));
      await sleep(random() * THINK_MAX_MS);
    }
  };
  const disturb = async (): Promise<void> => {
    const random = createRandom(seed * 100);
    while (!isOver()) {
      const fault = drawFault(random);
      await sleep(fault.calmMs);
      faults.push(...(await inflict(fault, stack, nowMs)));
    }
  };
  await Promise.all([disturb(), ...Array.from({ length: CLIENTS }, (_, index) => client(index))]);
  say(`seed ${seed}: ${calls.length} calls, ${faults.length} faults; waiting until everything is settled`);
  const final = await readFinal(stack, accounts);
  return { seed, calls, faults, final, ttlMs: TTL_MS, slackMs };
};
