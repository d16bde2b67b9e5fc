/** Races and failures between two steps of a batch. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { takeNextStep } from '../../src/batches/engine.ts';
import { readStored } from '../../src/batches/rows/stored.ts';
import type { WorkParts } from '../../src/batches/work/parts.ts';
import { createNotes } from '../../src/csv/notes.ts';
import { findStoreMark } from '../../src/db/tables/batches/parts.ts';
import { endReceiving, forgetReceiving, takeAbandoned } from '../../src/db/tables/batches/receiving.ts';
import { takeStep } from '../../src/db/tables/batches/steps.ts';
import type { Balance, Hold, Release } from '../../src/quota/quota.ts';
import { createFolderStore } from '../../src/storage/folder.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until } from '../servers/until.ts';
import { ADMIN_TOKEN, startApp } from '../support/app/app.ts';
import { openFor, realDatabaseUrl } from '../support/database/database.ts';
import { silent } from '../support/silent-log.ts';
import { ndjson, newSender, plainRows } from './support.ts';

const folder = await temporaryFolder(t);
const url = await realDatabaseUrl();
/** This gateway accepts batches and processes none. */
const idle = await startApp(t, {
  BATCH_STORE: folder,
  DATABASE_URL: url,
  BATCH_WORKERS: '0',
  BATCHES_OPEN_MAX: '2',
});
const database = await openFor(t, { url, dataDir: '' });
const { sql } = database;
const { port } = await idle.app.gateway
  .listen({ host: '127.0.0.1', port: 0 })
  .then(() => idle.app.gateway.server.address() as AddressInfo);

const LEASE_MS = 20_000;
const BALANCE = { remaining: 0 } as unknown as Balance;

/** A ledger that may lose its first answer to a hold before recording it, as one does whose Redis is disconnected. */
const createLedger = ({ losesFirst }: { readonly losesFirst: boolean }) => {
  const held = new Map<string, 'in Redis' | 'recorded' | 'released'>();
  return {
    held,
    async hold({ id }: Hold) {
      const known = held.get(id);
      if (known === undefined && losesFirst) {
        held.set(id, 'in Redis');
        throw new Error('the answer is lost');
      }
      if (known !== 'released') held.set(id, 'recorded');
      return { outcome: 'held', fromMonthly: 1, fromCredits: 0, balance: BALANCE } as const;
    },
    async release({ id }: Release) {
      if (held.get(id) !== 'recorded') return null;
      held.set(id, 'released');
      return BALANCE;
    },
  };
};

const workParts = (quota: object): WorkParts =>
  ({ sql, quota, store: createFolderStore(folder), log: silent }) as unknown as WorkParts;

/** A batch whose rows are all validated, and that waits for its units. */
const sendValidated = async () => {
  const { begin, cancel, show } = await newSender(idle);
  const id = await begin(plainRows(3));
  await sql`delete from batch_pieces where batch_id = ${id}`;
  await sql`update batches set unchecked_pieces = 0 where id = ${id}`;
  return { id, cancel: () => cancel(id), show: () => show(id) };
};

/** What a gateway does that takes the next batch. */
const takeOne = async () => (await takeStep(sql, randomUUID(), LEASE_MS))!;

t.test('a cancelled batch gives back the units of an admission that was never answered', async (t) => {
  const ledger = createLedger({ losesFirst: true });
  const { id, cancel, show } = await sendValidated();
  const step = await takeOne();
  t.equal(step.id, id);
  await t.rejects(takeNextStep(workParts(ledger), step), /lost/);
  t.equal((await cancel()).json.state, 'finishing');
  await sql`update batches set leased_until = now() where id = ${id}`;
  await takeNextStep(workParts(ledger), await takeOne());
  t.equal(ledger.held.get(id), 'released');
  t.match(await show(), { state: 'cancelled', refunded: 3 });
});

t.test('when two gateways admit the same batch, its units are held once', async (t) => {
  const ledger = createLedger({ losesFirst: false });
  const { id, show } = await sendValidated();
  const slow = await takeOne();
  await sql`update batches set leased_until = now() where id = ${id}`;
  const quick = await takeOne();
  await takeNextStep(workParts(ledger), slow);
  t.equal(ledger.held.get(id), 'recorded', 'the slower gateway gives nothing back');
  await takeNextStep(workParts(ledger), quick);
  t.equal((await show()).state, 'queued');
  t.equal(ledger.held.get(id), 'recorded');
  await sql`update batches set ending = 'cancelled' where id = ${id}`;
  await takeNextStep(workParts(ledger), await takeOne());
  t.equal(ledger.held.get(id), 'released');
});

t.test('units that are admitted after their batch has ended are given back', async (t) => {
  const ledger = createLedger({ losesFirst: false });
  const { id, cancel } = await sendValidated();
  const slow = await takeOne();
  await cancel();
  // The batch ended before the slow gateway asked for the units.
  await sql`update batches set state = 'cancelled', finished_at = now(), lessee = null where id = ${id}`;
  await takeNextStep(workParts(ledger), slow);
  t.equal(ledger.held.get(id), 'released');
});

t.test('a gateway whose lease ran out adds nothing to a batch that is being removed', async (t) => {
  const id = await (await newSender(idle)).begin(plainRows(3));
  const leaseHolder = randomUUID();
  await sql`update batches set state = 'receiving', lessee = ${leaseHolder}, leased_until = now() - interval '1 second' where id = ${id}`;
  t.equal(await takeAbandoned(sql), id);
  t.equal(
    await sql.begin((tx) =>
      endReceiving(tx, id, leaseHolder, { requestSha256: 'x', fault: null, notes: createNotes() }),
    ),
    false,
  );
  t.equal(await takeAbandoned(sql), null, 'only one gateway removes it');
  await sql`update batches set leased_until = now() - interval '1 second' where id = ${id}`;
  t.equal(await takeAbandoned(sql), id, 'another gateway takes over when that one is killed');
  await forgetReceiving(sql, id);
  t.equal(await takeAbandoned(sql), null);
});

/** Sends the first rows of a batch, and the last one when `end` is called. */
const sendSlowly = async () => {
  const { key, cancel, get, show } = await newSender(idle, { monthlyQuota: 10_000 });
  const sent = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/v1/batches',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-ndjson' },
  });
  const answered = once(sent, 'response');
  sent.write(ndjson(plainRows(600)));
  const list = async () => (await get('/batches')).json.data as unknown as { id: string; rows: number }[];
  await until(async () => (await list())[0]?.rows === 500);
  const { id } = (await list())[0]!;
  return {
    id,
    cancel: () => cancel(id),
    show: () => show(id),
    async end() {
      sent.end(ndjson(plainRows(1)));
      const [response] = await answered;
      return { status: response.statusCode, json: JSON.parse(await text(response)) };
    },
  };
};

t.test('a batch that is cancelled during its upload ends as cancelled, at no cost', async (t) => {
  const upload = await sendSlowly();
  t.match(await upload.cancel(), { status: 202, json: { state: 'finishing' } });
  t.match(await upload.end(), { status: 202, json: { state: 'finishing' } });
  const ledger = createLedger({ losesFirst: false });
  await takeNextStep(workParts(ledger), await takeOne());
  t.match(await upload.show(), { state: 'cancelled', rows: 601, made: 0, refunded: 0 });
  t.equal(ledger.held.size, 0);
});

t.test('a batch whose deadline passes during its upload expires', async (t) => {
  const upload = await sendSlowly();
  await sql`update batches set expires_at = now() where id = ${upload.id}`;
  t.equal((await upload.end()).status, 202);
  await takeNextStep(workParts(createLedger({ losesFirst: false })), await takeOne());
  t.match(await upload.show(), { state: 'expired', made: 0 });
});

t.test('an unreadable file that is sent again under its Idempotency-Key is the same batch', async (t) => {
  const { key } = await idle.account({ monthlyQuota: 100 });
  // Over a socket, so that the error is found long before the body has ended.
  const send = async (body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/batches`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'text/csv',
        'idempotency-key': 'unreadable',
      },
      body,
    });
    return { status: answer.status, id: ((await answer.json()) as { id?: string }).id };
  };
  const body = `data\n"a"b\n${'c\n'.repeat(500_000)}`;
  const first = await send(body);
  t.equal(first.status, 202);
  t.strictSame(await send(body), first);
  t.equal((await send(`${body}d\n`)).status, 422);
  await sql`update batches set state = 'failed', finished_at = now() where id = ${first.id!}`;
});

t.test('an account cannot exceed its limit of unfinished batches', async (t) => {
  const { send, show } = await newSender(idle);
  t.equal((await send('{"data":"a"}')).status, 202);
  const second = await send('{"data":"a"}');
  const third = await send('{"data":"a"}');
  t.match(third, { status: 409, json: { details: /2 of your batches have not ended/ } });
  t.equal((await show(second.json.id)).state, 'validating', 'a gateway without workers processes none');
  await sql`update batches set state = 'cancelled', finished_at = now() where finished_at is null`;
});

t.test('when the store is unavailable', async (t) => {
  const store = join(folder, 'away');
  /** Has the mark by which the installation recognises its store. */
  const createStore = async () => createFolderStore(store).writeMark((await findStoreMark(sql))!);
  await createStore();
  const app = await startApp(t, { BATCH_STORE: store, DATABASE_URL: url });

  await t.test('a batch that cannot end without its store expires and gives its units back', async (t) => {
    const { beginSlow, cancel, show, used } = await newSender(app);
    const id = await beginSlow(300);
    // The batch still writes: a folder is emptied too late, but renamed at once.
    await rename(store, `${store}-lost`);
    await writeFile(store, 'no folder');
    await cancel(id);
    await sql`update batches set expires_at = now() where id = ${id}`;
    await until(async () => {
      // A failed step is repeated after a pause.
      await sql`update batches set leased_until = now() where id = ${id} and lessee is null`;
      return (await show(id)).finished_at !== null;
    });
    const batch = await show(id);
    t.match(batch, { state: 'expired', refunded: 300 - batch.made });
    t.equal(await used(), batch.made);
    await rm(store);
    t.strictSame(await readdir(folder).then((names) => names.includes('away')), false);
  });

  await t.test('rows that cannot be made are retried, then given up, and metrics count both', async (t) => {
    await createStore();
    const { beginSlow, show, used } = await newSender(app);
    const id = await beginSlow(300);
    const metric = async (name: string) =>
      Number(
        new RegExp(`^${name} (.+)$`, 'm').exec(
          (await app.call({ url: '/metrics', key: ADMIN_TOKEN })).text,
        )?.[1],
      );
    const triedBefore = await metric('tessera_batches_tries_failed_total');
    await rename(store, `${store}-kept`);
    await writeFile(store, 'no folder');
    await until(async () => (await metric('tessera_batches_tries_failed_total')) > triedBefore);
    t.equal(await metric('tessera_batches_given_up_total'), 0);
    await until(async () => {
      await sql`
          update batch_pieces set failures = 100, leased_until = now()
          where batch_id = ${id} and state <> 'made' and lessee is null`;
      return (await metric('tessera_batches_given_up_total')) > 0;
    });
    await rm(store);
    await rename(`${store}-kept`, store);
    await until(async () => {
      await sql`update batches set leased_until = now() where id = ${id} and lessee is null`;
      return (await show(id)).finished_at !== null;
    });
    const batch = await show(id);
    const reason = /^Rows \d+ to \d+ of the file could not be made/;
    t.match(batch, { state: 'failed', reason, refunded: 300 - batch.made });
    t.equal(await used(), batch.made);
  });
});

t.test('stored rows that do not end with a row are refused', async (t) => {
  const read = async function* () {
    yield Buffer.from('{"data":"a"}\n{"data"');
  };
  await t.rejects(readStored({ read }, 'x', { start: 0, end: 20 }), /do not end with a row/);
});
