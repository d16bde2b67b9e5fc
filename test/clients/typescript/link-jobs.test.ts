/** Link jobs in one call, against a service that a test makes up. */
import t from 'tap';
import { createClient, type LinkJob, TesseraError } from '../../../clients/typescript/src/index.ts';

const ID = '00000000-0000-4000-8000-000000000000';

interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly type: string | null;
  readonly body: string;
}

/** A service whose job has these states one after the other, and a client of it. */
const clientOf = (...jobs: readonly object[]) => {
  const asked: Asked[] = [];
  let looks = 0;
  const service: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    const body = await new Response(init?.body ?? null).text();
    const at = new URL(String(url));
    asked.push({ method: init?.method ?? '', url: at, type: headers.get('content-type'), body });
    if (at.pathname.endsWith('/faults'))
      return new Response('{"row":2,"field":"slug","message":"there is no such short link"}\n');
    if (init?.method === 'POST') return Response.json({ id: ID, state: 'running' }, { status: 202 });
    looks += 1;
    return Response.json({
      id: ID,
      reason: null,
      faults: 0,
      finished_at: null,
      ...jobs[Math.min(looks, jobs.length) - 1],
    });
  };
  return { client: createClient({ url: 'http://qr.test', key: 'k', fetch: service }), asked };
};

const ENDED = { state: 'done', finished_at: '2026-01-01T00:00:00Z' };
const ROWS = [{ slug: 'a-b-c', destination: 'https://example.com/' }];

t.test('rows are sent as NDJSON, and the job is returned when it has ended', async (t) => {
  const { client, asked } = clientOf({ state: 'checking' }, { state: 'running' }, ENDED);
  const states: string[] = [];
  const onProgress = ({ state }: LinkJob) => void states.push(state);
  const job = await client.changeLinks({ rows: ROWS, query: { all_or_nothing: true } }, { onProgress });
  t.match(job, { id: ID, state: 'done' });
  t.strictSame(states, ['checking', 'running', 'done']);
  t.equal(asked[0]!.url.href, 'http://qr.test/api/v1/link-jobs?all_or_nothing=true');
  t.strictSame([asked[0]!.type, asked[0]!.body], ['application/x-ndjson', `${JSON.stringify(ROWS[0])}\n`]);
  t.ok(asked.slice(1).every(({ url }) => url.pathname === `/api/v1/link-jobs/${ID}`));
});

t.test('a file is sent with its media type, and rows may come as they are made', async (t) => {
  const { client, asked } = clientOf(ENDED);
  const file = new Blob(['keyword,url\na-b-c,https://example.com/\n']);
  await client.importLinks({ file, contentType: 'text/csv', query: { source: 'yourls' } });
  t.match(asked[0], { type: 'text/csv', body: /^keyword,url\na-b-c/ });
  t.equal(`${asked[0]!.url.pathname}${asked[0]!.url.search}`, '/api/v1/links/imports?source=yourls');
  const rows = async function* () {
    yield* ROWS;
  };
  await client.importLinks({ rows: rows() });
  t.equal(asked[2]!.body, `${JSON.stringify(ROWS[0])}\n`);
});

t.test('a job that fails or is cancelled throws, with the faults of its first rows', async (t) => {
  const failed = clientOf({ ...ENDED, state: 'failed', reason: 'A row has a fault.', faults: 1 });
  const error = await failed.client.changeLinks({ rows: ROWS }).catch((thrown: unknown) => thrown);
  t.ok(error instanceof TesseraError);
  t.match(error, {
    code: 'link_job_failed',
    details: 'A row has a fault.',
    faults: [{ field: 'rows.2.slug', message: 'there is no such short link' }],
  });
  const cancelled = clientOf({ ...ENDED, state: 'cancelled', reason: 'It was cancelled.' });
  await t.rejects(cancelled.client.importLinks({ rows: ROWS }), { code: 'link_job_cancelled', faults: [] });
  t.match(await cancelled.client.followLinkJob(ID), { state: 'cancelled' });
});
