/** The headers of files: byte ranges, file names and the formats that the caller accepts. */
import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import t from 'tap';
import { AppError } from '../../../src/errors.ts';
import { formatAttachment, formatDisposition, formatFor } from '../../../src/http/files/attachment.ts';
import { rangeOf } from '../../../src/http/files/versions.ts';
import { gradeTermsOf, repairTermsOf } from '../../../src/http/grade-headers.ts';
import { requestIdOf } from '../../../src/http/protocol/headers.ts';
import { prefersPage } from '../../../src/http/short-link-page.ts';

const range = (sent: string | undefined, bytes: number, ifRange?: string) =>
  rangeOf({ headers: { range: sent, 'if-range': ifRange } } as unknown as FastifyRequest, bytes, '"etag"');

t.test('a range is the part of the named bytes that the file has', async (t) => {
  const place = fc.nat(30);
  const size = fc.integer({ min: 1, max: 20 });
  fc.assert(
    fc.property(place, fc.option(place), size, (first, last, bytes) => {
      const named = Array.from({ length: bytes }, (_, i) => i).filter(
        (i) => i >= first && i <= (last ?? bytes),
      );
      const found = range(`bytes=${first}-${last ?? ''}`, bytes);
      if (last !== null && last < first) return found === null;
      if (named.length === 0) return found === 'outside';
      return fc.stringify(found) === fc.stringify({ start: named[0], end: named.at(-1)! + 1 });
    }),
    { numRuns: 1000 },
  );
  fc.assert(
    fc.property(place, size, (last, bytes) => {
      const found = range(`bytes=-${last}`, bytes);
      const start = Math.max(0, bytes - last);
      return fc.stringify(found) === fc.stringify(last === 0 ? 'outside' : { start, end: bytes });
    }),
  );
  for (const whole of [
    undefined,
    'bytes=-',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
    ' bytes=0-1',
    `bytes=${'1'.repeat(16)}-`,
  ])
    t.equal(range(whole, 10), null, String(whole));
  t.strictSame(range('bytes=0-1', 10, '"etag"'), { start: 0, end: 2 });
  t.equal(range('bytes=0-1', 10, '"other"'), null, 'If-Range names another version of the file');
});

t.test('a file name is sent in ASCII and in UTF-8, and cannot break the header', async (t) => {
  t.equal(
    formatAttachment('Menü / 1', 'png'),
    'attachment; filename="Menu _ 1.png"; filename*=UTF-8\'\'Men%C3%BC%20_%201.png',
  );
  t.equal(
    formatDisposition('inline', "a'(b)*%", 'svg'),
    "inline; filename=\"a'(b)__.svg\"; filename*=UTF-8''a%27%28b%29_%25.svg",
  );
  t.equal(
    formatAttachment('a＂; x=＼／', 'png'),
    'attachment; filename="a_; x=__.png"; filename*=UTF-8\'\'a%EF%BC%82%3B%20x%3D%EF%BC%BC%EF%BC%8F.png',
    'also one that a compatibility form would break',
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 150 }), (name) => {
      const header = formatAttachment(name, 'png');
      const [, ascii, extended] =
        /^attachment; filename="([^"\\]*)\.png"; filename\*=UTF-8''([\w!#$&+.^`|~%-]*)$/.exec(header) ?? [];
      const decoded = decodeURIComponent(extended ?? '%');
      return (
        ascii !== undefined &&
        /^[ -~]*$/.test(ascii) &&
        decoded.endsWith('.png') &&
        decoded.length <= 104 &&
        !/[/\\:*?"<>|\p{Cc}]/u.test(decoded)
      );
    }),
    { numRuns: 1000 },
  );
});

t.test('the format is the one that Accept prefers, and PNG when all are equal', async (t) => {
  for (const accept of [
    undefined,
    '*/*',
    'image/*',
    'text/html, image/*;q=0.8',
    'image/png;q=0.5, image/*;q=0.5',
  ])
    t.equal(formatFor(accept), 'png', String(accept));
  t.equal(formatFor('image/svg+xml, image/png;q=0.9'), 'svg');
  t.equal(formatFor('application/pdf'), 'pdf');
  const filled = (length: number) => `image/webp${' '.repeat(length - 10)}`;
  t.equal(formatFor(filled(1000)), 'webp');
  for (const accept of ['text/html', 'image/png;q=0', filled(1001)])
    t.throws(() => formatFor(accept), AppError, accept.trim());
});

t.test('browsers get a page, programs get JSON', async (t) => {
  for (const accept of [
    'text/html',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json;q=0.1, text/html',
  ])
    t.ok(prefersPage(accept), accept);
  const filled = (length: number) => `text/html${' '.repeat(length - 9)}`;
  t.ok(prefersPage(filled(1000)));
  for (const accept of [
    undefined,
    '',
    '*/*',
    'application/json',
    'application/json, text/html',
    filled(1001),
  ])
    t.notOk(prefersPage(accept), String(accept).trim());
});

t.test('a request keeps its id when the id is safe to log', async (t) => {
  const idOf = (id: string | string[]) =>
    requestIdOf({ headers: { 'x-request-id': id } } as unknown as IncomingMessage);
  for (const id of ['a', 'A.b:c+/=@-_9', 'x'.repeat(128)]) t.equal(idOf(id), id);
  for (const id of ['', 'x'.repeat(129), 'a b', 'a\n', 'ü', ['a']])
    t.match(idOf(id), /^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  t.not(idOf(''), idOf(''));
});

t.test('headers set the minimum grade and ask for a repair', async (t) => {
  t.strictSame(gradeTermsOf({}), { minGrade: 0, repair: false });
  t.strictSame(gradeTermsOf({ 'tessera-min-grade': 3 }), { minGrade: 3, repair: false });
  t.strictSame(repairTermsOf({}), { minGrade: 0, repair: false });
  t.strictSame(repairTermsOf({ 'tessera-min-grade': 2 }), { minGrade: 2, repair: false });
  t.strictSame(repairTermsOf({ 'tessera-repair': 'true' }), { minGrade: 4, repair: true });
  t.strictSame(repairTermsOf({ 'tessera-repair': 'true', 'tessera-min-grade': 2 }), {
    minGrade: 2,
    repair: true,
  });
});
