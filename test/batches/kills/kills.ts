/** Kills gateways repeatedly while they make a batch, and reports what is wrong afterwards. */
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../servers/until.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';
import type { Ledger } from '../../support/database/ledger.ts';
import { createFractions } from '../../support/random.ts';
import { faultsOfOrder } from './order.ts';
import { readResults } from './results.ts';

/** A gateway that can be killed. */
export interface Victim {
  readonly url: string;
  /** Sends SIGKILL and waits until the process has ended. */
  kill(): Promise<void>;
}

export interface KillOptions {
  readonly adminToken: string;
  readonly rows: number;
  readonly kills: number;
  /** Seed that decides which gateway is killed when. */
  readonly seed: number;
  /** The design of all rows. */
  readonly design: object;
  /** The files of each row, PNG first. */
  readonly formats: readonly string[];
  readonly ledger: Ledger;
  /** Downloads one part at a time. */
  readonly folder: string;
  /** One of this many pictures is decoded. */
  readonly sampled: number;
  /** Starts a gateway, at the beginning or to replace one that was killed. */
  start(place: number): Promise<Victim>;
  say(text: string): void;
}

/** Figures of a run, and what went wrong. */
export interface KillVerdict {
  readonly kills: number;
  readonly seconds: number;
  readonly parts: number;
  readonly bytes: number;
  readonly decoded: number;
  readonly units: number;
  readonly faults: readonly string[];
}

const GATEWAYS = 2;
const END_MAX_MS = 300_000;
/** A kill follows the progress that triggers it after a random delay up to this, to hit any moment of a piece. */
const LATER_MAX_MS = 1500;

/** The gateway numbers the rows. */
const COUNTER = 'kills';
const TEMPLATE = `https://example.com/{${COUNTER}}`;

const rowOf = (index: number): string => `{"dynamic":true,"external_id":"row ${index}"}\n`;

const callsOf = (url: () => string) => {
  const ask = (path: string, token: string, init: RequestInit = {}) =>
    fetch(url() + path, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } });
  const json = async (path: string, token: string, init?: RequestInit): Promise<AnswerBody> => {
    const answer = await ask(path, token, init);
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as AnswerBody;
  };
  const post = (path: string, token: string, body: unknown) =>
    json(path, token, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return { ask, json, post };
};

/** What the database records about the rows. */
const faultsOfRecord = async (
  { sql, openReservations, differences }: Ledger,
  {
    rows,
    folderId,
    manifest,
  }: {
    readonly rows: number;
    readonly folderId: string;
    readonly manifest: readonly Readonly<Record<string, string>>[];
  },
): Promise<string[]> => {
  const faults: string[] = [];
  const expect = (holds: boolean, what: string): void => {
    if (!holds) faults.push(what);
  };
  const saved = await sql<{ slug: string; destination: string }[]>`
    select c.slug, l.destination from codes c join links l on l.slug = c.slug
    where c.folder_id = ${folderId} order by c.id`;
  const isInPlace = saved.every(({ destination }, index) => destination === `https://example.com/${index}`);
  expect(isInPlace, 'the codes are not in row order');
  const [{ codes }] = await sql<[{ codes: number }]>`select count(*)::int as codes from codes`;
  const destinations = new Map(saved.map(({ slug, destination }) => [slug, destination]));
  expect(codes === rows, `${codes} codes are saved`);
  expect(saved.length === rows && destinations.size === rows, `${destinations.size} short links are saved`);
  expect(manifest.length === rows, `the manifests have ${manifest.length} lines`);
  const inOrder = manifest.every(
    ({ row, external_id: id, content }, index) =>
      Number(row) === index + 1 && id === `row ${index}` && content === `https://example.com/${index}`,
  );
  expect(inOrder, 'the manifests do not have every row once, in order');
  const linked = manifest.every(({ slug, content }) => destinations.get(slug!) === content);
  expect(linked, 'a short link leads elsewhere than its row says');
  const [{ open }] = await sql<[{ open: number }]>`
    select count(*)::int as open from quota_holds where released_at is null or applied_at is null`;
  expect(open === 0, `${open} holds are left`);
  const reserved = await openReservations();
  expect(reserved === 0, `${reserved} reservations are open`);
  const differing = await differences();
  expect(differing.length === 0, `the ledgers differ: ${JSON.stringify(differing)}`);
  return faults;
};

/**
 * Sends a batch to two gateways, and kills one of them at random each time the batch has gone on for a while. In the middle
 * Redis is emptied.
 */
export const killGateways = async (options: KillOptions): Promise<KillVerdict> => {
  const { adminToken, rows, seed, design, ledger, start, say } = options;
  const random = createFractions(seed);
  const gateways = await Promise.all(Array.from({ length: GATEWAYS }, (_, place) => start(place)));
  const { ask, json, post } = callsOf(() => gateways[0]!.url);
  const quota = rows + 100;
  const account = { name: 'kills', plan: 'pro', monthly_quota: quota };
  const { id } = await post('/admin/v1/accounts', adminToken, account);
  const { key } = await post(`/admin/v1/accounts/${id}/keys`, adminToken, { name: 'kills' });
  await json(`/api/v1/counters/${COUNTER}`, key, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: '{"next":0}',
  });
  const startedMs = performance.now();
  const sent = await json(`/api/v1/batches?formats=${options.formats}`, key, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-ndjson',
      design: JSON.stringify({ ...design, template: TEMPLATE }),
    },
    body: Array.from({ length: rows }, (_, index) => rowOf(index)).join(''),
  });
  const show = () => json(`/api/v1/batches/${sent.id}`, key);

  let kills = 0;
  let emptied = false;
  for (; kills < options.kills; kills += 1) {
    // Even the last kill comes long before the end, which a busy machine could reach during the wait.
    const wanted = ((kills + 0.5) * rows) / (options.kills + 1);
    const isThere = async () => {
      const { made, finished_at } = await show();
      return made >= wanted || finished_at !== null;
    };
    await until(isThere, { pauseMs: 50, deadlineMs: END_MAX_MS });
    await sleep(random() * LATER_MAX_MS);
    const { made, finished_at } = await show();
    if (finished_at !== null) break;
    const place = Math.floor(random() * GATEWAYS);
    await gateways[place]!.kill();
    say(`${kills + 1}: gateway ${place + 1} is killed at ${made} of ${rows} rows`);
    if (!emptied && kills + 1 >= options.kills / 2) {
      await ledger.emptyRedis();
      emptied = true;
      say('Redis is emptied');
    }
    gateways[place] = await start(place);
  }
  // Another gateway takes over the piece of a killed one after twenty seconds.
  await until(async () => (await show()).finished_at !== null, { pauseMs: 200, deadlineMs: END_MAX_MS });
  const seconds = (performance.now() - startedMs) / 1000;

  const batch = await show();
  const results = await readResults((path) => ask(path, key), sent.id, options);
  // One line a row; each has as many as there are formats.
  const manifest = results.manifest.filter((_, index) => index % options.formats.length === 0);
  const orders = await faultsOfOrder((path, init) => ask(path, key, init), String(batch.folder_id), rows);
  const usage = await json('/api/v1/usage', key);
  await until(async () => (await ledger.undrained()) === 0);
  const faults = [
    ...results.faults,
    ...orders,
    ...(await faultsOfRecord(ledger, {
      rows,
      folderId: String(batch.folder_id),
      manifest,
    })),
  ];
  const expected = { state: 'done', rows, made: rows, failed: 0, errors: 0, refunded: 0 };
  for (const [name, value] of Object.entries(expected))
    if (batch[name as keyof AnswerBody] !== value)
      faults.push(`${name} is ${batch[name as keyof AnswerBody]}, not ${value}`);
  const blocks = JSON.stringify((await json(`/api/v1/counters/${COUNTER}/blocks`, key)).data);
  if (!blocks.startsWith(`[{"first":0,"last":${rows - 1},"batch_id":"${sent.id}","made":${rows},"failed":0,`))
    faults.push(`the blocks of the counter are ${blocks}`);
  if (usage.usage_count !== rows) faults.push(`${usage.usage_count} units are charged for ${rows} rows`);
  if (kills < options.kills) faults.push(`only ${kills} gateways could be killed before the end`);
  if (!emptied) faults.push('Redis was not emptied');
  const { parts, bytes, decoded } = results;
  return { kills, seconds, parts, bytes, decoded, units: Number(usage.usage_count), faults };
};
