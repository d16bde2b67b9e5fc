/** Two gateways number the rows of small batches, and are killed while they validate, queue and make them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { startGateway } from '../servers/gateway-process.ts';
import { until } from '../servers/until.ts';
import type { AnswerBody } from '../support/app/answer-body.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { startStores } from './stack.ts';

const ROUNDS = 5;
const BATCHES = 6;
const ROWS = 40;
/** About the time in which a small batch is validated, queued and made. */
const LIFE_MS = 600;
const FIRST = 95;

t.test('when gateways are killed at any step of a batch, no number is lost or given twice', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-counters-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const ledger = await startStores(t);
  const start = () =>
    startGateway(t, {
      ...ledger.env,
      BATCH_STORE: folder,
      RATE_LIMIT_PER_SECOND: '0',
      BATCHES_OPEN_MAX: '100',
      LOG_LEVEL: 'error',
    });
  const gateways = await Promise.all([start(), start()]);
  const ask = async (path: string, token: string, method = 'GET', body?: string, headers = {}) => {
    const answer = await fetch(gateways[0]!.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as AnswerBody;
  };
  const account = '{"name":"counters","plan":"pro","monthly_quota":100000}';
  const { id } = await ask('/admin/v1/accounts', ADMIN_TOKEN, 'POST', account);
  const { key } = await ask(`/admin/v1/accounts/${id}/keys`, ADMIN_TOKEN, 'POST', '{"name":"counters"}');
  await ask('/api/v1/counters/n', key, 'PUT', `{"next":${FIRST}}`);

  const rows = Array.from({ length: ROWS }, (_, i) => `{"external_id":"${i}"}\n`).join('');
  const headers = { 'content-type': 'application/x-ndjson', design: '{"template":"no {n}"}' };
  const sent: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let batch = 0; batch < BATCHES; batch += 1)
      sent.push((await ask('/api/v1/batches', key, 'POST', rows, headers)).id);
    await sleep((LIFE_MS * round) / ROUNDS);
    const victim = gateways[round % 2]!;
    victim.process.kill('SIGKILL');
    await victim.ended;
    gateways[round % 2] = await start();
  }
  const { sql } = ledger;
  await until(async () => (await sql`select from batches where finished_at is null`).length === 0, {
    pauseMs: 200,
    deadlineMs: 240_000,
  });
  t.match(await sql`select state, sum(made)::int as made from batches group by state`, [
    { state: 'done', made: sent.length * ROWS },
  ]);
  const blocks = await sql<{ first: number; last: number; batchId: string; made: number }[]>`
    select first, last, batch_id, made from counter_blocks order by first`;
  t.strictSame(blocks.map(({ batchId }) => batchId).sort(), sent.sort(), 'a batch has one block');
  t.strictSame(
    blocks.map(({ first, last, made }) => [first, last, made]),
    sent.map((_, i) => [FIRST + i * ROWS, FIRST + (i + 1) * ROWS - 1, ROWS]),
    'blocks are consecutive',
  );
  const codes = await sql<{ content: string }[]>`select content from codes`;
  t.strictSame(
    codes.map(({ content }) => Number(content.slice('no '.length))).sort((a, b) => a - b),
    Array.from({ length: sent.length * ROWS }, (_, i) => FIRST + i),
    'each number is in exactly one code',
  );
});
