import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import t from 'tap';
import { gzipped, ndjson, sharedBatchApp } from '../../batches/support.ts';
import { until } from '../../servers/until.ts';
import type { AnswerBody } from '../../support/app/answer-body.ts';
import { newClient, RANDOM_ID } from '../../support/app/client.ts';

const { app, store, sql } = await sharedBatchApp();

/** An account with links, and functions that send its link jobs. */
const newChanger = async (links = 3) => {
  const client = await newClient(app, { plan: 'pro', monthlyQuota: 10_000 });
  const { get, post } = client;
  const codes: { id: string; slug: string }[] = [];
  for (let i = 0; i < links; i += 1) {
    const code = {
      data: `https://example.com/${i}`,
      dynamic: true,
      external_id: `item ${i}`,
      tags: ['first'],
    };
    const { id } = (await post('/codes', code)).json;
    codes.push({ id, slug: (await get(`/codes/${id}`)).json.slug });
  }
  const show = async (id: string) => (await get(`/link-jobs/${id}`)).json;
  const send = (body: string | Buffer, query = '', headers: Record<string, string> = {}) =>
    post(`/link-jobs${query}`, body, { 'content-type': 'application/x-ndjson', ...headers });
  const ended = async (id: string) => {
    await until(async () => (await show(id)).finished_at !== null, { pauseMs: 20 });
    return show(id);
  };
  return {
    ...client,
    codes,
    slugs: codes.map(({ slug }) => slug),
    show,
    send,
    ended,
    /** Sends a job that must be accepted, and waits until it has ended. */
    async run(rows: readonly object[] | string, query = '', headers: Record<string, string> = {}) {
      const sent = await send(typeof rows === 'string' ? rows : ndjson(rows), query, headers);
      if (sent.status !== 202) throw new Error(`${sent.status} ${sent.text}`);
      return ended(sent.json.id);
    },
    linkOf: async (slug: string) => (await get(`/links/${slug}`)).json,
    leadsTo: async (slug: string) => (await app.call({ url: `/l/${slug}` })).headers.location,
    async faultsOf(id: string): Promise<readonly Record<string, unknown>[]> {
      const { text } = await get(`/link-jobs/${id}/faults`);
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
  };
};

const countsOf = ({ state, rows, handled, changed, unchanged, faults }: AnswerBody) => ({
  state,
  rows,
  handled,
  changed,
  unchanged,
  faults,
});

t.test(
  'each link gets what its row says, once in its history, and a second sending changes nothing',
  async (t) => {
    const { slugs, run, linkOf, leadsTo, get } = await newChanger();
    const rows = [
      { slug: slugs[0], destination: 'https://example.org/a', tags: ['spring', 'menu'] },
      { external_id: 'item 1', destination: 'https://example.org/b', active_until: '2090-01-01T00:00:00Z' },
    ];
    t.equal(await leadsTo(slugs[0]!), 'https://example.com/0');
    const job = await run(rows);
    t.strictSame(countsOf(job), { state: 'done', rows: 2, handled: 2, changed: 2, unchanged: 0, faults: 0 });
    t.equal(await leadsTo(slugs[0]!), 'https://example.org/a');
    t.strictSame((await linkOf(slugs[0]!)).tags, ['spring', 'menu']);
    const second = await linkOf(slugs[1]!);
    t.match(second, { destination: 'https://example.org/b', active_until: '2090-01-01T00:00:00.000Z' });
    t.equal((await linkOf(slugs[2]!)).destination, 'https://example.com/2');
    const history = (await get(`/links/${slugs[0]}/history`)).json.data as unknown as { change_id: string }[];
    t.strictSame(
      history.map(({ change_id }) => change_id),
      [job.id, null],
    );
    const again = await run(rows);
    t.strictSame(countsOf(again), {
      state: 'done',
      rows: 2,
      handled: 2,
      changed: 0,
      unchanged: 2,
      faults: 0,
    });
    t.equal(again.undoable, false);
    t.equal(((await get(`/links/${slugs[0]}/history`)).json.data as unknown as unknown[]).length, 2);
  },
);

t.test('a table leaves a field with an empty cell, and removes one with "null"', async (t) => {
  const { slugs, run, linkOf } = await newChanger();
  const until2090 = { active_until: '2090-01-01T00:00:00Z', after_destination: 'https://example.org/over' };
  await run(slugs.map((slug) => ({ slug, ...until2090 })));
  const csv = [
    'slug;destination;active_until;tags',
    `${slugs[0]};https://example.org/x;;a;`,
    `${slugs[1]};;null;`,
    `${slugs[2]};;;[]`,
  ];
  csv[1] = `${slugs[0]};https://example.org/x;;"a;b"`;
  const job = await run(csv.join('\r\n'), '', { 'content-type': 'text/csv' });
  t.match(countsOf(job), { state: 'done', changed: 3, faults: 0 });
  t.match(await linkOf(slugs[0]!), {
    destination: 'https://example.org/x',
    active_until: '2090-01-01T00:00:00.000Z',
    tags: ['a', 'b'],
  });
  t.match(await linkOf(slugs[1]!), {
    destination: 'https://example.com/1',
    active_until: null,
    after_destination: 'https://example.org/over',
    tags: ['first'],
  });
  t.strictSame((await linkOf(slugs[2]!)).tags, []);
});

const FAULTY = (slugs: readonly string[]) => [
  { slug: slugs[0], destination: 'https://example.org/good' },
  { slug: 'unknown-slug', destination: 'https://example.org/x' },
  { external_id: 'nobody', destination: 'https://example.org/x' },
  { slug: slugs[1], destination: 'ftp://example.org' },
  { slug: slugs[0], destination: 'https://example.org/twice' },
  { slug: slugs[2], active_from: '2050-01-01T00:00:00Z', active_until: '2049-01-01T00:00:00Z' },
  { slug: slugs[2], colour: 'red' },
  { slug: slugs[2] },
  { destination: 'https://example.org/x' },
  { slug: slugs[2], tags: [''] },
  { slug: slugs[2], external_id: 'item 2', destination: 'https://example.org/x' },
];
const NAMED = [
  'slug',
  'external_id',
  'destination',
  'slug',
  'active_until',
  'colour',
  'row',
  'slug',
  'tags.0',
  'slug',
];

t.test('a row with a fault is named and changes nothing, and the others are handled', async (t) => {
  const { slugs, run, faultsOf, linkOf } = await newChanger();
  const job = await run(FAULTY(slugs));
  t.strictSame(countsOf(job), { state: 'done', rows: 11, handled: 11, changed: 1, unchanged: 0, faults: 10 });
  const faults = await faultsOf(job.id);
  t.strictSame(
    faults.map(({ row }) => row),
    [2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  );
  t.strictSame(
    faults.map(({ field }) => field),
    NAMED,
  );
  t.match(faults[0], { row: 2, file_row: 2, slug: 'unknown-slug', external_id: null });
  t.match(faults[1], { slug: null, external_id: 'nobody' });
  t.equal((await linkOf(slugs[0]!)).destination, 'https://example.org/good');
  t.equal((await linkOf(slugs[1]!)).destination, 'https://example.com/1');
});

t.test('all or nothing: one fault, and nothing changes', async (t) => {
  const { slugs, run, linkOf, faultsOf } = await newChanger();
  const job = await run(FAULTY(slugs), '?all_or_nothing=true');
  t.match(countsOf(job), { state: 'failed', faults: 10 });
  t.equal((await faultsOf(job.id)).length, 10);
  t.equal(job.undoable, false);
  t.equal((await linkOf(slugs[0]!)).destination, 'https://example.com/0');
  const good = await run(FAULTY(slugs).slice(0, 1), '?all_or_nothing=true');
  t.match(countsOf(good), { state: 'done', handled: 1, changed: 1, faults: 0 });
});

t.test('a dry run counts and names the same as the job, and changes nothing', async (t) => {
  const { slugs, run, faultsOf, linkOf } = await newChanger();
  const dry = await run(FAULTY(slugs), '?dry_run=true');
  t.equal(dry.dry_run, true);
  t.equal((await linkOf(slugs[0]!)).destination, 'https://example.com/0');
  const wet = await run(FAULTY(slugs));
  t.strictSame(countsOf(dry), countsOf(wet));
  t.strictSame(await faultsOf(dry.id), await faultsOf(wet.id));
});

t.test('an undo brings back routes and tags, leaves out deleted links, and can be undone', async (t) => {
  const { slugs, codes, run, post, ended, linkOf, leadsTo, faultsOf, get } = await newChanger();
  const job = await run(
    slugs.map((slug, i) => ({ slug, destination: `https://example.org/${i}`, tags: ['new'] })),
  );
  t.equal(job.undoable, true);
  await post('/codes/delete', { ids: [codes[2]!.id] });
  const begun = await post(`/link-jobs/${job.id}/undo`);
  t.equal(begun.status, 202);
  t.match(begun.json, { kind: 'undo', undoes: job.id, rows: 3 });
  const undone = await ended(begun.json.id);
  t.strictSame(countsOf(undone), { state: 'done', rows: 3, handled: 3, changed: 2, unchanged: 0, faults: 1 });
  t.match(await faultsOf(undone.id), [{ slug: slugs[2], field: 'slug' }]);
  t.match(await linkOf(slugs[0]!), { destination: 'https://example.com/0', tags: ['first'] });
  t.equal(await leadsTo(slugs[1]!), 'https://example.com/1');
  const redone = await ended((await post(`/link-jobs/${undone.id}/undo`)).json.id);
  t.match(countsOf(redone), { state: 'done', changed: 2 });
  t.match(await linkOf(slugs[1]!), { destination: 'https://example.org/1', tags: ['new'] });
  const history = (await get(`/links/${slugs[1]}/history`)).json.data as unknown as { change_id: string }[];
  t.strictSame(
    history.map(({ change_id }) => change_id),
    [redone.id, undone.id, job.id, null],
  );
});

const RULE = { name: 'de', when: { language: ['de'] }, destination: 'https://example.com/de' };

t.test('rules, a rule set, a limit and a password are set by rows, once, and brought back', async (t) => {
  const { slugs, run, post, del, ended, linkOf, leadsTo } = await newChanger();
  const { id } = (await post('/rule-sets', { name: 'Shops', rules: [RULE] })).json;
  const rows = [
    { slug: slugs[0], rules: [RULE], visit_limit: 7 },
    { slug: slugs[1], rule_set: 'Shops', password: 'open sesame' },
    { slug: slugs[2], rule_set_id: id, password: 'open sesame' },
  ];
  t.match(countsOf(await run(rows, '?dry_run=true')), { changed: 3, faults: 0 });
  const job = await run(rows);
  t.match(countsOf(job), { changed: 3, faults: 0 });
  t.match(await linkOf(slugs[0]!), { rules: [RULE], visit_limit: 7, has_password: false });
  for (const slug of slugs.slice(1))
    t.match(await linkOf(slug), { rule_set_id: id, rules: null, has_password: true });
  t.equal(await leadsTo(slugs[1]!), undefined);
  const again = await run(rows);
  t.match(countsOf(again), { changed: 0, unchanged: 3, faults: 0 }, 'the second sending');
  t.match(countsOf(await run(rows, '?dry_run=true')), { changed: 0, unchanged: 3 });
  const undone = await ended((await post(`/link-jobs/${job.id}/undo`)).json.id);
  t.match(countsOf(undone), { state: 'done', changed: 3 });
  t.match(await linkOf(slugs[1]!), { rule_set_id: null, has_password: false });
  const redone = await ended((await post(`/link-jobs/${undone.id}/undo`)).json.id);
  t.match(countsOf(redone), { state: 'done', changed: 3 });
  t.match(await linkOf(slugs[1]!), { rule_set_id: id, has_password: true });
  const without = { rules: null, rule_set: null, visit_limit: null, password: null };
  t.match(countsOf(await run(slugs.map((slug) => ({ slug, ...without })))), { changed: 3 });
  t.match(await linkOf(slugs[0]!), { rules: null, visit_limit: null });
  t.equal((await del(`/rule-sets/${id}`)).status, 204);
});

t.test('an undo leaves out a rule set that was deleted since', async (t) => {
  const { slugs, run, post, del, ended, linkOf } = await newChanger();
  const { id } = (await post('/rule-sets', { name: 'Gone', rules: [RULE] })).json;
  await run([{ slug: slugs[0], rule_set: 'Gone' }]);
  const job = await run([{ slug: slugs[0], rule_set: null, destination: 'https://example.org/x' }]);
  t.equal((await del(`/rule-sets/${id}`)).status, 204);
  const undone = await ended((await post(`/link-jobs/${job.id}/undo`)).json.id);
  t.match(countsOf(undone), { state: 'done', changed: 1, faults: 0 });
  t.match(await linkOf(slugs[0]!), { destination: 'https://example.com/0', rule_set_id: null });
});

t.test('what rows say about visits is checked as an edit is', async (t) => {
  const { slugs, run, faultsOf } = await newChanger(7);
  const [other] = [await newChanger(1)];
  const { id: theirs } = (await other.post('/rule-sets', { name: 'Theirs', rules: [RULE] })).json;
  const wrong = [
    { rules: [{ ...RULE, destination: 'ftp://x' }] },
    { rules: [RULE, RULE] },
    { visit_limit: 0 },
    { password: 'abc' },
    { rule_set: 'Theirs' },
    { rule_set_id: theirs },
    { rule_set: null, rule_set_id: null },
  ];
  const job = await run(wrong.map((own, i) => ({ slug: slugs[i], ...own })));
  t.match(countsOf(job), { changed: 0, faults: 7 });
  t.strictSame(
    (await faultsOf(job.id)).map(({ field }) => field),
    ['rules.0.destination', 'rules.1.name', 'visit_limit', 'password', 'rule_set', 'rule_set_id', 'rule_set'],
  );
});

t.test('passwords have bounds: in a turn, however their field is spelled, and in a file', async (t) => {
  const { slugs, run, send, faultsOf } = await newChanger(45);
  const spelled = (name: string, word: string) =>
    slugs.map((slug, i) => `{"slug":"${slug}","${name}":"${word} ${i}"}`).join('\n');
  t.match(countsOf(await run(spelled('password', 'first'))), { changed: 45, faults: 0 });
  const none = await run(slugs.map((slug) => ({ slug, password: null })));
  t.match(countsOf(none), { changed: 45 });
  const escaped = await run(spelled('p\\u0061ssword', 'second'));
  t.match(countsOf(escaped), { changed: 40, faults: 5 });
  t.match(await faultsOf(escaped.id), [{ row: 41, field: 'password', message: /more than 20 in one piece/ }]);
  const many = '{"slug":"x","password":"abcd"}\n'.repeat(10_001);
  t.match(await send(many), { status: 413, text: /at most 10000 rows with a password/ });
});

t.test('a table has rules and what is passed on as JSON', async (t) => {
  const { slugs, run, linkOf } = await newChanger();
  const cell = (value: unknown) => `"${JSON.stringify(value).replaceAll('"', '""')}"`;
  const forward = { query: 'keep-own', path: true, utm: { source: 'poster' } };
  const csv = [
    'slug,forward,rules,visit_limit',
    `${slugs[0]},${cell(forward)},${cell([RULE])},12`,
    `${slugs[1]},null,null,null`,
  ];
  const job = await run(csv.join('\n'), '', { 'content-type': 'text/csv' });
  t.match(countsOf(job), { changed: 1, unchanged: 1, faults: 0 });
  t.match(await linkOf(slugs[0]!), { forward, rules: [RULE], visit_limit: 12 });
});

t.test('jobs of an account do not exist for another, and rows never reach its links', async (t) => {
  const [mine, theirs] = [await newChanger(), await newChanger()];
  const job = await mine.run([{ slug: mine.slugs[0], destination: 'https://example.org/mine' }]);
  for (const path of ['', '/faults']) t.equal((await theirs.get(`/link-jobs/${job.id}${path}`)).status, 404);
  for (const path of ['/cancel', '/undo'])
    t.equal((await theirs.post(`/link-jobs/${job.id}${path}`)).status, 404);
  t.equal((await theirs.del(`/link-jobs/${job.id}`)).status, 404);
  t.strictSame((await theirs.get('/link-jobs')).json.data, []);
  const tried = await theirs.run([
    { slug: mine.slugs[1], destination: 'https://example.org/theirs' },
    { external_id: 'item 0', destination: 'https://example.org/own' },
  ]);
  t.match(countsOf(tried), { changed: 1, faults: 1 });
  t.match(await theirs.faultsOf(tried.id), [
    { row: 1, field: 'slug', message: 'there is no such short link' },
  ]);
  t.equal(await mine.leadsTo(mine.slugs[1]!), 'https://example.com/1');
  t.equal((await mine.linkOf(mine.slugs[0]!)).destination, 'https://example.org/mine');
  t.equal((await theirs.linkOf(theirs.slugs[0]!)).destination, 'https://example.org/own');
  t.equal((await mine.get(`/link-jobs/${RANDOM_ID}`)).status, 404);
});

t.test('an id that several links have names none of them', async (t) => {
  const { slugs, codes, patch, run, faultsOf } = await newChanger();
  await patch(`/links/${slugs[1]}`, { external_id: 'item 0' });
  const job = await run([{ external_id: 'item 0', destination: 'https://example.org/x' }]);
  t.match(await faultsOf(job.id), [{ row: 1, field: 'external_id', external_id: 'item 0' }]);
  t.equal(codes.length, 3);
});

t.test('the same key and rows are one job, and the same key with others is refused', async (t) => {
  const { slugs, send, ended } = await newChanger();
  const rows = ndjson([{ slug: slugs[0], destination: 'https://example.org/once' }]);
  const headers = { 'idempotency-key': 'once' };
  const first = await send(rows, '', headers);
  await ended(first.json.id);
  const second = await send(rows, '', headers);
  t.equal(second.headers['idempotent-replayed'], 'true');
  t.equal(second.json.id, first.json.id);
  t.equal((await send(`${rows}{}`, '', headers)).status, 422);
});

t.test('files that cannot be read are refused or fail whole, and leave nothing', async (t) => {
  const { slugs, send, run, faultsOf, get, linkOf } = await newChanger();
  t.equal((await send('', '')).status, 400);
  t.equal((await send('slug\n', '', { 'content-type': 'text/csv' })).status, 400);
  t.equal((await send('x', '', { 'content-type': 'application/json' })).status, 415);
  t.equal((await send('x', '?columns=1')).status, 400);
  t.equal((await send('x', `?webhook=${RANDOM_ID}`)).status, 400);
  t.strictSame((await get('/link-jobs')).json.data, []);
  const nameless = await run('destination\nhttps://example.org/x\n', '', { 'content-type': 'text/csv' });
  t.match(countsOf(nameless), { state: 'failed', faults: 1 });
  const broken = `slug,destination\n${slugs[0]},https://example.org/x\n"${slugs[1]},`;
  const job = await run(broken, '', { 'content-type': 'text/csv' });
  t.match(countsOf(job), { state: 'failed', changed: 0, faults: 1 });
  t.match(await faultsOf(job.id), [{ field: 'row' }]);
  t.equal((await linkOf(slugs[0]!)).destination, 'https://example.com/0');
});

t.test('columns by other names, and gzip', async (t) => {
  const { slugs, send, ended, linkOf } = await newChanger();
  const csv = `Short,Goes to,Note\n${slugs[0]},https://example.org/mapped,hello\n`;
  const columns = encodeURIComponent(JSON.stringify({ slug: 'Short', destination: 'Goes to' }));
  const type = { 'content-type': 'text/csv', 'content-encoding': 'gzip' };
  const refused = await send(gzipped(csv), `?columns=${columns}`, type);
  t.match(await ended(refused.json.id), { state: 'failed' });
  const sent = await send(gzipped(csv), `?columns=${columns}&other_columns=skip`, type);
  t.match(await ended(sent.json.id), { state: 'done', changed: 1 });
  t.equal((await linkOf(slugs[0]!)).destination, 'https://example.org/mapped');
});

t.test('an ended job leaves no rows, can be deleted, and then cannot be undone', async (t) => {
  const { slugs, run, del, post, get } = await newChanger();
  const job = await run([{ slug: slugs[0], destination: 'https://example.org/x' }]);
  await until(async () => {
    const [row] = await sql`select has_files from link_jobs where id = ${job.id}`;
    return row?.hasFiles === false;
  });
  t.strictSame(await readdir(join(store, 'link-jobs')).then((ids) => ids.filter((id) => id === job.id)), []);
  t.strictSame(
    await sql`select from link_job_pieces where job_id = ${job.id}`.then(({ length }) => length),
    0,
  );
  t.equal((await del(`/link-jobs/${job.id}`)).status, 204);
  t.equal((await get(`/link-jobs/${job.id}`)).status, 404);
  t.equal((await post(`/link-jobs/${job.id}/undo`)).status, 404);
  await until(async () => (await sql`select from link_jobs where id = ${job.id}`).length === 0);
});

t.test('whatever the rows, links are as a model says, and an undo brings all of them back', async (t) => {
  const { slugs, run, post, ended, linkOf } = await newChanger(6);
  const destination = fc.integer({ min: 0, max: 3 }).map((n) => `https://example.org/${n}`);
  const tags = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 3 });
  const row = fc.record(
    { link: fc.integer({ min: 0, max: 6 }), byId: fc.boolean(), destination, tags },
    { requiredKeys: ['link', 'byId'] },
  );
  const read = async () =>
    Promise.all(slugs.map((slug) => linkOf(slug).then(({ destination, tags }) => ({ destination, tags }))));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 8 }), fc.boolean(), async (rows, whole) => {
      const before = await read();
      const expected = structuredClone(before) as Record<string, unknown>[];
      const seen = new Set<number>();
      let faults = 0;
      for (const { link, byId: _, ...fields } of rows) {
        if (link === 6 || seen.has(link) || Object.keys(fields).length === 0) faults += 1;
        else {
          seen.add(link);
          Object.assign(expected[link]!, fields);
        }
      }
      const sent = rows.map(({ link, byId, ...fields }) => ({
        ...(byId ? { external_id: `item ${link}` } : { slug: slugs[link] ?? 'no-such-slug' }),
        ...fields,
      }));
      const job = await run(sent, `?all_or_nothing=${whole}`);
      const isNothing = whole && faults > 0;
      t.equal(job.faults, faults);
      t.equal(job.state, isNothing ? 'failed' : 'done');
      t.strictSame(await read(), isNothing ? before : expected);
      t.equal(job.undoable, !isNothing && job.changed > 0);
      if (!job.undoable) return;
      await ended((await post(`/link-jobs/${job.id}/undo`)).json.id);
      t.strictSame(await read(), before);
    }),
    { numRuns: 25 },
  );
});
