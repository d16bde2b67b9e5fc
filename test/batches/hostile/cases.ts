/** What hostile callers send as a batch, and how each is answered. A case costs no units unless it says so. */
import { gzipSync } from 'node:zlib';
import { XLSX_TYPE } from '../../../src/http/bodies/row-types.ts';
import { type RawAnswer, sendBytes } from '../../hostile/wire.ts';
import { textRow, workbookOf, zipOf } from '../../support/files/xlsx.ts';
import { bomb, CSV, FORM, JSON_TYPE, joined, members, part, ROWS, repeated, utf16 } from './bodies.ts';
import type { Answer, Attacker, Target, Upload } from './target.ts';

/** How much is sent: little in a test, everything in the command. */
export interface Scale {
  readonly lineBytes: number;
  readonly emptyLines: number;
  readonly bombMegabytes: number;
  readonly batches: number;
  readonly cuts: number;
  /** Bytes of a body of rows; 0: no such body is sent. */
  readonly bodyBytes: number;
  readonly headerBytes: number;
  /** Whether to wait until stalled uploads are given up. */
  readonly stalls: boolean;
}

export const QUICK: Scale = {
  lineBytes: 12_000_000,
  emptyLines: 1_050_000,
  bombMegabytes: 96,
  batches: 220,
  cuts: 6,
  bodyBytes: 0,
  headerBytes: 4_000_000,
  stalls: false,
};

export const FULL: Scale = {
  lineBytes: 100_000_000,
  emptyLines: 10_000_000,
  bombMegabytes: 4000,
  batches: 2000,
  cuts: 100,
  bodyBytes: 2_100_000_000,
  headerBytes: 200_000_000,
  stalls: true,
};

export interface Field {
  readonly target: Target;
  readonly scale: Scale;
  readonly attacker: Attacker;
  expect(holds: boolean, what: string): void;
  /** Expects that an upload is refused at once, with `status`; when there is none, the connection may also end. */
  refused(upload: Upload, status: number, pattern: RegExp): Promise<void>;
  /** Expects that a batch is received and fails, and that its first error is this one. */
  fails(
    upload: Upload,
    expected: { readonly row?: number; readonly field?: string; readonly message?: RegExp },
  ): Promise<void>;
}

export interface Case {
  readonly name: string;
  /** Units that the case costs. */
  readonly units?: number;
  run(field: Field): Promise<void>;
}

const GZIP = { 'content-encoding': 'gzip' };
const headOf = ({ key }: Attacker, more: string): string =>
  `POST /api/v1/batches HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: ${ROWS}\r\n${more}\r\n\r\n`;
const addressOf = ({ url }: Target) => ({ host: '127.0.0.1', port: Number(new URL(url).port) });
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** An aborted upload occupies its place until its stored part is removed; until then the answer is a 429. */
const sendWhenFree = async (target: Target, text: string, isWhole: boolean): Promise<RawAnswer> => {
  for (let tries = 0; ; tries += 1) {
    const answer = await sendBytes(addressOf(target), Buffer.from(text), isWhole);
    if (answer.status !== 429 || tries === 20) return answer;
    await sleep(300);
  }
};

export const CASES: readonly Case[] = [
  {
    name: 'a row without an end',
    async run({ scale, fails }) {
      const message = /^a line has more than 8388608 bytes/;
      await fails({ body: joined('{"data":"', repeated('x', scale.lineBytes)) }, { row: 1, message });
      await fails({ body: joined('{"data":""}\n', repeated(' ', scale.lineBytes)) }, { row: 2, message });
    },
  },
  {
    name: 'an unclosed quote, and a CSV cell without an end',
    async run({ scale, fails }) {
      const message = /[Mm]ax(imum)? [Rr]ecord [Ss]ize|exceed|a line has more than/;
      await fails(
        { type: CSV, body: joined('data\n"', repeated('x\n', scale.lineBytes)) },
        { row: 1, message },
      );
      await fails({ type: CSV, body: joined('data\n', repeated('x', scale.lineBytes)) }, { row: 1, message });
      await fails(
        { type: CSV, body: joined('data\n"', repeated('""', 2 * scale.lineBytes)) },
        { row: 1, message },
      );
      await fails({ type: CSV, body: 'data\na\n"b\nc' }, { message: /[Qq]uote/ });
      await fails({ type: CSV, body: 'data\na"b"\n' }, { message: /[Qq]uote/ });
    },
  },
  {
    name: 'empty rows',
    async run({ scale, fails, refused }) {
      const message = /^more than 1000000 rows are empty/;
      await fails({ body: repeated('\n', scale.emptyLines) }, { row: 1, message });
      await fails({ body: repeated(' \r\n', 3 * scale.emptyLines) }, { row: 1, message });
      await fails({ type: CSV, body: joined('data\n', repeated('\n', scale.emptyLines)) }, { message });
      await refused({ body: '\n\n \n' }, 400, /has no rows/);
      await fails({ type: CSV, body: '\n\n' }, { message: /the file is empty/ });
      await refused({ type: CSV, body: 'data\n\n' }, 400, /has no rows/);
    },
  },
  {
    name: 'gzip bombs and invalid gzip',
    async run({ scale, refused, fails }) {
      const packed = bomb(64);
      const bombs = Array.from({ length: Math.ceil(scale.bombMegabytes / 64) + 1 }, () => packed);
      await refused({ headers: GZIP, body: joined(...bombs) }, 400, /unpacks to more than 200 times/);
      await fails(
        { headers: GZIP, body: gzipSync(gzipSync('{"data":"a"}')) },
        { row: 1, message: /is not UTF-8/ },
      );
      await fails({ headers: GZIP, body: gzipSync(packed) }, { row: 1, message: /is not UTF-8/ });
      await fails(
        { headers: GZIP, body: members(['{"data":""}\n', '{"da', 'ta":""}\n']) },
        { row: 1, field: 'data' },
      );
      await refused(
        { headers: GZIP, body: members(Array.from({ length: 5000 }, () => '')) },
        400,
        /has no rows/,
      );
      const whole = gzipSync('{"data":"a"}\n'.repeat(1000));
      await refused({ headers: GZIP, body: whole.subarray(0, whole.length - 12) }, 400, /gzip|ended early/);
      await refused({ headers: GZIP, body: whole.subarray(0, 5) }, 400, /gzip|ended early/);
      const wrong = Buffer.from(whole);
      wrong.writeUInt32LE(1, whole.length - 8);
      await refused({ headers: GZIP, body: wrong }, 400, /gzip/);
      await refused({ headers: GZIP, body: '{"data":"a"}' }, 400, /gzip/);
      await refused({ headers: GZIP, body: '' }, 400, /gzip|no rows/);
      await refused({ headers: { 'content-encoding': 'br' }, body: 'x' }, 415, /content-encoding/i);
    },
  },
  {
    name: 'wrong encodings',
    async run({ fails, refused }) {
      const row = '{"data":"a"}\n';
      await fails({ body: utf16(row, { mark: true }) }, { row: 1, message: /is not UTF-8/ });
      await fails({ body: utf16(row, { mark: false }) }, { row: 1, field: 'row' });
      await fails({ body: utf16(row, { mark: true }).swap16() }, { row: 1, message: /is not UTF-8/ });
      await fails(
        { type: CSV, body: utf16('name\na\n', { mark: true }) },
        { row: 1, message: /no column "data"/ },
      );
      await refused(
        { type: CSV, body: utf16('data\na\n', { mark: false }) },
        400,
        /UTF-16 without a byte order/,
      );
      await fails(
        { body: Buffer.from('{"data":"caf\u00e9"}\n', 'latin1') },
        { row: 1, message: /is not UTF-8/ },
      );
      await fails(
        { body: Buffer.from('{"data":"\xc0\xaf"}\n', 'latin1') },
        { row: 1, message: /is not UTF-8/ },
      );
      await fails({ body: `${row}\0\n` }, { row: 2, field: 'row' });
      await fails({ body: '{"data":"a\0"}\n' }, { row: 1, field: 'row' });
      await fails({ body: '{"data":"a","external_id":"\\u0000"}\n' }, { row: 1, field: 'external_id' });
      await fails({ body: '{"data":"a","external_id":"\\ud800"}\n' }, { row: 1, field: 'external_id' });
      await fails({ body: '{"data":"a","\\u0000\\ud800\\n":1}\n' }, { row: 1, field: '???' });
      await fails({ body: '{"data":"a","name":"a\\u2028b\\u0007"}\n' }, { row: 1, field: 'name' });
      await fails({ type: CSV, body: 'data,id\na,\x01\n' }, { row: 1, field: 'external_id' });
      await fails({ type: CSV, body: `data\n"${'\x01'.repeat(3_000_000)}"\n` }, { row: 1, field: 'data' });
      await fails(
        { type: CSV, body: `\ufeffdata,id\na,\u202e${'i'.repeat(300)}\n` },
        { row: 1, field: 'external_id' },
      );
    },
  },
  {
    name: 'CSV with wrong columns',
    async run({ fails }) {
      const csv = (body: string) => ({ type: CSV, body });
      const names = Array.from({ length: 999 }, (_, i) => `c${i}`);
      await fails(csv(`data,${names.join(',')}\n`), { row: 1, message: /^the header row has a column "c0"/ });
      await fails(csv(`${'data,'.repeat(999)}data\n`), { row: 1, message: /column "data" twice/ });
      await fails(csv(`${','.repeat(999)}\n`), {
        row: 1,
        message: /^the file is empty; it needs a header row/,
      });
      const message = /more than 1000 cells/;
      for (const line of [`${names.join(',')},data`, ','.repeat(1_000_000)])
        await fails(csv(`${line}x,x\n`), { row: 1, message });
      await fails(csv(`data\na${',b'.repeat(100)}\n`), {
        row: 1,
        message: /^has 101 cells, and the header row has 1/,
      });
      await fails(csv('data,__proto__\na,b\n'), { message: /column "__proto__"/ });
      await fails(csv('data,__proto__.x,constructor.prototype.x\na,b,c\n'), {
        message: /column "__proto__.x"/,
      });
      await fails(csv('data,file,file_name\na,b,c\n'), { message: /column "file_name"/ });
      await fails(csv('id\na\n'), { message: /no column "data"/ });
      const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
      const field = 'dotsOptions.gradient.colorStops';
      await fails(csv(`data,${field}\na,"${deep}"\n`), { row: 1, field, message: /nested/ });
      const long = JSON.stringify('x'.repeat(40_000)).replaceAll('"', '""');
      await fails(csv(`data,${field}\na,"[${long}]"\n`), { row: 1, field, message: /32767 characters/ });
      await fails(csv(`data,${field}\na,"[${'1,'.repeat(300_000)}1]"\n`), {
        row: 1,
        field,
        message: /values/,
      });
    },
  },
  {
    name: 'deeply nested JSON and JSON with too many values',
    async run({ fails }) {
      const text = (inner: string) => ({ body: `{"data":"a","x":${inner}}\n` });
      const message = /too many values|nested/;
      const levels = 2_000_000;
      await fails(text('['.repeat(4 * levels)), { row: 1, field: 'row', message });
      await fails(text('['.repeat(levels) + ']'.repeat(levels)), { row: 1, field: 'row', message });
      await fails(text('{"a":'.repeat(1_000_000)), { row: 1, field: 'row', message });
      await fails(text(`[${'0,'.repeat(4_000_000)}0]`), { row: 1, field: 'row', message });
      await fails(text(`[${'{},'.repeat(2_500_000)}0]`), { row: 1, field: 'row', message });
      await fails(text(`{${Array.from({ length: 500_000 }, (_, i) => `"k${i}":0`).join()}}`), {
        row: 1,
        message,
      });
      await fails(text(`"${'\\"'.repeat(2_000_000)}"`), { row: 1, field: 'x' });
      for (const value of ['[]', '1', 'null', '"a"', 'true', '{', '{"data":"a"}{"data":"b"}'])
        await fails({ body: `${value}\n` }, { row: 1, field: 'row' });
      await fails({ body: '{"data":"a","__proto__":{"width":1}}\n' }, { row: 1, field: '__proto__' });
      await fails({ body: '{"data":"a","constructor":{}}\n' }, { row: 1, field: 'constructor' });
      await fails(
        { body: '{"data":"a","dotsOptions":{"__proto__":{"x":1}}}\n' },
        { row: 1, field: 'dotsOptions.__proto__' },
      );
      await fails(
        { body: '{"data":"a","data":"","external_id":"i","external_id":"j"}\n' },
        { row: 1, field: 'data' },
      );
    },
  },
  {
    name: 'names that are paths, and duplicate ids',
    units: 6,
    async run({ attacker, expect }) {
      const names = ['../../x', '/etc/passwd', 'C:\\x', '..', 'con', '%2e%2e%2f'];
      const body = names
        .map((name) => `${JSON.stringify({ data: 'a', external_id: '../../x', name })}\n`)
        .join('');
      const sent = await attacker.upload({ body, query: `?folder_name=${encodeURIComponent('../../x')}` });
      const { batch } = await attacker.ended(sent);
      expect(batch.state === 'done' && batch.made === names.length, `ended as ${JSON.stringify(batch)}`);
    },
  },
  {
    name: 'too many rows, too many bytes',
    async run({ target: { rowsMax }, scale, refused }) {
      await refused({ body: '{"data":""}\n'.repeat(rowsMax + 1) }, 413, /at most \d+ rows/);
      await refused({ type: CSV, body: `data,id\n${'a,\n'.repeat(rowsMax + 1)}` }, 413, /at most \d+ rows/);
      if (scale.bodyBytes === 0) return;
      const row = `{"data":"${'x'.repeat(5_000_000)}"}\n`;
      await refused({ body: repeated(row, scale.bodyBytes) }, 413, /2000000000 bytes/);
    },
  },
  {
    name: 'spreadsheets and tables that expand',
    async run({ refused, fails }) {
      const type = XLSX_TYPE;
      const sheet = (rows: string, strings = '') => ({ type, body: zipOf(workbookOf(rows, { strings })) });
      const shared = (text: string) => `<si><t>${text}</t></si>`;
      const far = Array.from({ length: 200_000 }, (_, i) => `<row><c r="XFD${i + 2}"><v>1</v></c></row>`);
      const header = '<row><c r="XFD1" t="str"><v>data</v></c></row>';
      await fails(sheet(`${header}${far.join('')}`), { row: 1, message: /more than 1000 columns/ });
      const naming = '<row><c t="s"><v>0</v></c></row>';
      const rows = (count: number) => `${textRow(['data'])}${naming.repeat(count)}`;
      const message = /more than 32767 characters/;
      await fails(sheet(rows(5000), shared('x'.repeat(262_000))), { row: 1, message });
      await refused(
        sheet(rows(200_000), shared('x'.repeat(4200))),
        413,
        /at most \d+ rows|200 times its size/,
      );
      await fails(sheet(rows(5000), shared('x'.repeat(30_000))), { row: 1, field: 'data' });
      await fails(
        { type: CSV, body: `data${','.repeat(2000)}\n` },
        { row: 1, message: /more than 1000 cells/ },
      );
      const digits = `data,width\na,${'1'.repeat(200_000)}x\n`;
      await fails({ type: CSV, body: digits }, { row: 1, field: 'width' });
    },
  },
  {
    name: 'forms',
    async run({ scale, refused, fails }) {
      const design = part('design', JSON_TYPE, '{"width":100}');
      const rows = part('rows', ROWS, '{"data":"a"}');
      const order = /the parts "design" and "rows", in this order|no part "rows"/;
      const form = (...parts: readonly string[]) => ({ type: FORM, body: `${parts.join('')}--x--\r\n` });
      await refused(form(rows, design), 400, order);
      await refused(form(design, design, rows), 400, order);
      await refused(form(design, rows, rows), 400, order);
      await refused(form(rows, rows), 400, order);
      await refused(form(design, rows, part('x', null, 'y')), 400, order);
      await refused(form(part('../../x', JSON_TYPE, '{}'), rows), 400, order);
      await refused(form(design), 400, order);
      await refused(form(), 400, /./);
      await refused(form(part('design', JSON_TYPE, '{"width":1}'), rows), 400, /Design.width/);
      await refused(form(part('design', JSON_TYPE, '{"__proto__":{}}'), rows), 400, /Design/);
      await refused(form(part('design', JSON_TYPE, '['.repeat(2_400_000)), rows), 400, /Design/);
      await refused(form(part('design', JSON_TYPE, ' '.repeat(2_600_000)), rows), 400, /2500000 bytes/);
      await refused(form(part('rows', 'text/html', 'x')), 415, /x-ndjson, text\/csv/);
      await refused({ type: FORM, body: rows }, 400, /multipart|ended early/);
      await refused({ type: FORM, body: 'no form' }, 400, /./);
      await refused({ type: 'multipart/form-data', body: form(rows).body }, 400, /without a boundary/);
      await refused(
        { type: 'multipart/form-data; boundary=', body: form(rows).body },
        400,
        /boundary|multipart/,
      );
      const { headerBytes } = scale;
      const opened = '--x\r\ncontent-disposition: form-data; name="rows"\r\n';
      await refused({ type: FORM, body: joined(opened, repeated('a: b\r\n', headerBytes)) }, 400, /./);
      await refused({ type: FORM, body: joined(opened, 'a: ', repeated('b', headerBytes)) }, 400, /./);
      await refused({ type: FORM, body: repeated('preamble ', headerBytes) }, 400, /./);
      await refused({ type: FORM, body: repeated(part('x', null, 'y'), headerBytes) }, 400, order);
      await fails(form(part('rows', ROWS, '{"data":""}', '; filename="../../x"')), { row: 1, field: 'data' });
    },
  },
  {
    name: 'wrong Content-Lengths',
    async run({ target, attacker, expect }) {
      const send = (more: string, body: string) => sendWhenFree(target, headOf(attacker, more) + body, false);
      const refusals = [
        await send('Content-Length: 1000', '{"data":"a"}'),
        await send('Content-Length: -1', 'x'),
        await send('Content-Length: 1e3', 'x'),
        await send('Content-Length: 5\r\nContent-Length: 6', 'xxxxxx'),
        await send('Content-Length: 5\r\nTransfer-Encoding: chunked', '5\r\nxxxxx\r\n0\r\n\r\n'),
        await send('Transfer-Encoding: chunked', 'zzz\r\n'),
        await send('Transfer-Encoding: chunked', 'fffffffffffffffffff\r\nx'),
        await send('Transfer-Encoding: chunked', '5\r\n{"data'),
        await send('Transfer-Encoding: gzip, chunked', '1\r\nx\r\n0\r\n\r\n'),
        await send('Content-Length: 0', ''),
      ];
      for (const { status, hangs, text } of refusals)
        expect(
          !hangs && (status === null || (status >= 400 && status < 500)),
          `${status} ${text.slice(0, 200)}`,
        );
      const short = await send('Content-Length: 12\r\nConnection: keep-alive', '{"data":""}\n{"data":"b"}\n');
      expect(!short.hangs && !/ 5\d\d /.test(short.text), `a short length: ${short.text.slice(0, 200)}`);
    },
  },
  {
    name: 'uploads in tiny chunks, and aborted uploads',
    async run({ target, attacker, scale, expect }) {
      const crumbs = '1\r\n \r\n'.repeat(30_000);
      const head = headOf(attacker, 'Transfer-Encoding: chunked');
      const slow = await sendWhenFree(target, head + crumbs, true);
      expect(slow.status === 400 || slow.status === null, `tiny chunks: ${slow.status}`);
      const rows = '{"data":"a"}\n'.repeat(3000);
      for (let cut = 0; cut < scale.cuts; cut += 1) {
        const body = rows.slice(0, Math.floor(rows.length * ((cut + 0.5) / scale.cuts)));
        const announced = headOf(attacker, `Content-Length: ${rows.length}`);
        const { hangs } = await sendBytes(addressOf(target), Buffer.from(announced + body), false);
        expect(!hangs, 'an aborted upload leaves its connection open');
      }
    },
  },
  {
    name: 'uploads that stall',
    async run({ target, attacker, scale, expect }) {
      const stalled = Array.from({ length: 3 }, () => {
        const head = headOf(attacker, 'Content-Length: 1000');
        return sendBytes(
          addressOf(target),
          Buffer.from(`${head}{"data":"a"}\n`),
          true,
          scale.stalls ? 90_000 : 4000,
        );
      });
      await sleep(2000);
      const fourth = await attacker.upload({ body: '{"data":""}' });
      expect(fourth.status === 429, `a fourth upload at a time: ${fourth.status}`);
      for (const { hangs } of await Promise.all(stalled))
        expect(hangs !== scale.stalls, `a stalled upload: ${hangs ? 'kept' : 'ended'}`);
    },
  },
  {
    name: 'many batches',
    async run({ target: { openMax }, attacker, scale, expect }) {
      const statuses = new Map<number | null, number>();
      for (let sent = 0; sent < scale.batches; sent += 10) {
        const answers: Answer[] = await Promise.all(
          Array.from({ length: 10 }, () => attacker.upload({ body: '{"data":""}\n' })),
        );
        for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      const others = [...statuses.keys()].filter((status) => ![202, 409, 429].includes(status ?? 0));
      expect(others.length === 0, `answers ${others.join(', ')}`);
      const kept = statuses.get(202) ?? 0;
      expect(kept <= 50 * openMax, `${kept} batches are kept`);
      expect(kept > 0, 'no batch was accepted');
      await attacker.idle();
    },
  },
];
