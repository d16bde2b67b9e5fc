/**
 * Mutated bodies over real connections: each is answered or loses its connection, and occupies no place afterwards.
 * `FUZZ_CASES` is the number of bodies for each parser, and `FUZZ_SEED` selects other ones.
 */
import { gzipSync } from 'node:zlib';
import t from 'tap';
import { createRandom } from '../../../bench/stats.ts';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { chunked, mutate, pick, type Random } from '../../hostile/mutate.ts';
import { type RawAnswer, sendBytes } from '../../hostile/wire.ts';
import { until } from '../../servers/until.ts';
import { casesOf } from '../../support/cases.ts';
import { textRow, workbookOf, xlsxOf, zipOf } from '../../support/files/xlsx.ts';
import { startReceivingGateway } from './receiving-gateway.ts';

const CASES = Number(process.env.FUZZ_CASES ?? casesOf(60));
const SEED = Number(process.env.FUZZ_SEED ?? 1);
/** Cases that run at a time, each from an account of its own. */
const LANES = 4;
/** How many faults are described at most. */
const FAULTS_MAX = 20;
/** How long an answer may take. */
const ANSWER_MAX_MS = 10_000;

const gateway = await startReceivingGateway(t);
const to = { host: '127.0.0.1', port: gateway.port };

interface Body {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Sent extends Body {
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
}

type Headers = Readonly<Record<string, string | number>>;

const headOf = ({ method, path, headers }: Sent, more: Headers): Buffer => {
  const lines = Object.entries({ Host: 'x', Connection: 'close', ...headers, ...more });
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
  );
};

/** Sends a body whole, in chunks, in broken chunks, or as one that ends early. */
const sendOnce = (random: Random, sent: Sent): Promise<RawAnswer> => {
  const { bytes } = sent;
  const way = random();
  const send = (more: Headers, body: Buffer, isWhole: boolean) =>
    sendBytes(to, Buffer.concat([headOf(sent, more), body]), isWhole, ANSWER_MAX_MS);
  if (way < 0.6) return send({ 'Content-Length': bytes.length }, bytes, true);
  const inChunks = chunked(random, bytes);
  if (way < 0.8) return send({ 'Transfer-Encoding': 'chunked' }, inChunks, true);
  if (way < 0.9) return send({ 'Transfer-Encoding': 'chunked' }, mutate(random, inChunks), false);
  return send({ 'Content-Length': bytes.length + 1 + Math.floor(random() * 100) }, bytes, false);
};

const randomOf = (index: number): Random => {
  const random = createRandom(SEED * 1_000_003 + index);
  for (let i = 0; i < 3; i += 1) random();
  return random;
};

/** Makes the call of a case. */
type Prepare = (random: Random) => Sent | Promise<Sent>;

/** Sends all cases, and returns the number of each answer, and the first cases that hung or got a 5xx. */
const sendAll = async (prepare: Prepare) => {
  const answers = new Map<string, number>();
  const faults: string[] = [];
  let slowestMs = 0;
  let next = 0;
  const run = async (_: unknown, lane: number): Promise<void> => {
    while (next < CASES) {
      const index = next++;
      const prepared = await prepare(randomOf(index));
      const sent = { ...prepared, headers: { ...prepared.headers, Authorization: `lane ${lane}` } };
      let answer = await sendOnce(randomOf(-index), sent);
      // A busy machine may be late once; a parser that hangs does so again.
      if (answer.hangs) answer = await sendOnce(randomOf(-index), sent);
      slowestMs = Math.max(slowestMs, answer.ms);
      const outcome = answer.hangs ? 'hangs' : String(answer.status ?? 'closed');
      answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
      if (faults.length < FAULTS_MAX && (answer.hangs || (answer.status ?? 0) >= 500))
        faults.push(
          `case ${index}: ${outcome} ${answer.text.slice(-300)} for ${sent.bytes.toString('latin1', 0, 2000)}`,
        );
    }
  };
  await Promise.all(Array.from({ length: LANES }, run));
  gateway.forgetUploads();
  return { answers: Object.fromEntries([...answers].sort()), slowestMs, faults };
};

const NDJSON = 'application/x-ndjson';
const ROWS =
  '{"data":"https://example.com/1","external_id":"a","dotsOptions":{"color":"#123456"}}\n{"data":"Ü","name":"n"}\n';
const TABLE = [
  ['data', 'name', 'width', 'dotsOptions.gradient'],
  ['https://example.com/1', 'a "b", c', '300', '{"type":"linear","colorStops":[]}'],
  ['x\ny', '', '', ''],
];
const CSV = TABLE.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n');
const part = (name: string, type: string, body: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"; filename="f"\r\nContent-Type: ${type}\r\n\r\n${body}\r\n`;
const DESIGN = part('design', 'application/json', '{"width":100}').replace('; filename="f"', '');
const FORMS = [
  `${DESIGN}${part('rows', NDJSON, ROWS)}--x--\r\n`,
  `preamble\r\n${part('rows', 'text/csv', CSV)}--x--\r\nepilogue`,
  `${part('rows', NDJSON, ROWS.repeat(1000))}--x--\r\n`,
];

/** A workbook with one part mutated before it is zipped. */
const mutatedWorkbook = (random: Random): Buffer => {
  const parts = workbookOf(TABLE.map(textRow).join(''));
  const path = pick(random, Object.keys(parts));
  return zipOf({ ...parts, [path]: mutate(random, Buffer.from(String(parts[path]))) });
};

const bodyOf = (type: string, bytes: Buffer, more: Readonly<Record<string, string>> = {}): Body => ({
  bytes,
  headers: { 'Content-Type': type, ...more },
});

/** Rows, plain or as gzip, mutated before or after compression. */
const mutatedRows = (random: Random, type: string, text: string): Body => {
  const plain = Buffer.from(text);
  const way = random();
  if (way < 0.7) return bodyOf(type, mutate(random, plain));
  const bytes = way < 0.85 ? gzipSync(mutate(random, plain)) : mutate(random, gzipSync(plain));
  return bodyOf(type, bytes, { 'Content-Encoding': 'gzip' });
};

const BATCHES: Readonly<Record<string, (random: Random) => Body>> = {
  multipart: (random) =>
    bodyOf('multipart/form-data; boundary=x', mutate(random, Buffer.from(pick(random, FORMS)))),
  CSV: (random) => mutatedRows(random, 'text/csv', CSV),
  NDJSON: (random) => mutatedRows(random, NDJSON, ROWS),
  XLSX: (random) =>
    bodyOf(XLSX_TYPE, random() < 0.5 ? mutatedWorkbook(random) : mutate(random, xlsxOf(TABLE))),
};

const ITEMS = JSON.stringify({
  folderName: 'Ü',
  items: [
    { data: 'a', width: 300 },
    { data: 'b\\"', image: 'data:image/png;base64,A' },
  ],
});

const PARSERS: Readonly<Record<string, Prepare>> = {
  ...Object.fromEntries(
    Object.entries(BATCHES).map(([name, make]): [string, Prepare] => [
      name,
      (random) => {
        const body = make(random);
        const isPreviewed = ['CSV', 'XLSX'].includes(name) && random() < 0.2;
        return { ...body, method: 'POST', path: isPreviewed ? '/batches/preview' : '/batches' };
      },
    ]),
  ),
  JSON: (random) => {
    // A body above 1 MiB is scanned while it arrives; a smaller one is parsed at the end.
    const logoBytes = pick(random, [4, 50_000, 2 ** 20]);
    const text = ITEMS.replace(/A+/, 'A'.repeat(logoBytes));
    const bytes = mutate(random, Buffer.from(text));
    return { ...bodyOf('application/json', bytes), method: 'POST', path: '/json' };
  },
  'uploads in chunks': async (random) => {
    const { bytes, headers } = pick(random, Object.values(BATCHES))(random);
    return {
      bytes,
      headers: {
        'Content-Type': 'application/partial-upload',
        'Upload-Offset': pick(random, ['0', '0', '0', '0', '1', '-1', '9'.repeat(30), 'x']),
        'Upload-Complete': pick(random, ['?1', '?1', '?1', '?0', 'true']),
        ...(random() < 0.1 ? { 'Content-Digest': 'sha-256=:AAAA:' } : {}),
      },
      method: 'PATCH',
      path: await gateway.beginUpload(headers),
    };
  },
};

for (const [name, prepare] of Object.entries(PARSERS))
  t.test(`every mutated body is answered or loses its connection: ${name}`, async (t) => {
    const { answers, slowestMs, faults } = await sendAll(prepare);
    t.comment(`${CASES} cases: ${JSON.stringify(answers)}, the slowest in ${Math.round(slowestMs)} ms`);
    t.strictSame(faults, []);
    await until(() => gateway.heldBytes() === 0);
  });

t.test('all places are free afterwards', async (t) => {
  const body = bodyOf(NDJSON, Buffer.from(ROWS));
  const { length } = body.bytes;
  const answers = await Promise.all(
    [...'aaabbb'].map((account) => {
      const head = headOf(
        { ...body, method: 'POST', path: '/batches' },
        { Authorization: account, 'Content-Length': length },
      );
      return sendBytes(to, Buffer.concat([head, body.bytes]), true);
    }),
  );
  for (const { text } of answers) t.match(text, /The batch needs 2 units/);
});
