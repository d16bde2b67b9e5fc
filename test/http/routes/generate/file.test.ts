/** Files: one code in the format of `Accept`, and pictures of saved codes, in pixels or millimetres. */
import sharp from 'sharp';
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { patiently } from '../../../support/app/patient.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { bitmapsIn, checkPdf, ghostscript, inkCover } from '../../../support/pictures/print.ts';
import { svgUri } from '../../../support/pictures/svg-uri.ts';

const { bulk, get, post } = await newClient(await sharedApp(), { monthlyQuota: 1000 });
const BODY = { data: 'https://example.com/file' };
const SVG_LOGO = svgUri(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><g transform="translate(2 2)"><circle cx="18" cy="18" r="18" fill="#c00"/><path d="M9 18h18" stroke="#fff" stroke-width="6"/></g></svg>',
);
const GRADIENT_LOGO = svgUri(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40"><linearGradient id="a"><stop stop-color="red"/><stop offset="1"/></linearGradient><circle cx="20" cy="20" r="20" fill="url(#a)"/></svg>',
);

const file = (accept: string | null, query = '', body: object = BODY, headers = {}) =>
  post(`/qr/file${query}`, body, { ...(accept === null ? {} : { accept }), ...headers });

t.test('Accept names the format, and PNG is the default', async (t) => {
  const formats = [
    [null, 'image/png', 'png'],
    ['*/*', 'image/png', 'png'],
    ['image/svg+xml', 'image/svg+xml', 'svg'],
    ['application/pdf', 'application/pdf', 'pdf'],
    ['application/postscript', 'application/postscript', 'eps'],
    ['image/webp, image/png;q=0.5', 'image/webp', 'webp'],
  ] as const;
  for (const [accept, type, ending] of formats) {
    const answer = await file(accept);
    t.equal(answer.status, 200, String(accept));
    t.match(answer.headers, {
      'content-type': type,
      'content-disposition': `inline; filename="code.${ending}"`,
      'tessera-grade': '4',
      vary: /accept/i,
    });
    t.match(answer.headers['x-qr-usage'], /^\d+$/);
    if (ending === 'webp' || ending === 'png') t.equal(await decodePng(answer.bytes), BODY.data, type);
    if (ending === 'svg') t.match(answer.headers['content-security-policy'], /default-src 'none'/);
  }
});

t.test('no acceptable format is a 406 that costs nothing', async (t) => {
  const before = Number((await file(null)).headers['x-qr-usage']);
  const answer = await file('image/gif');
  t.match(answer, {
    status: 406,
    json: { error: 'No acceptable format', details: /image\/png, image\/svg\+xml/ },
  });
  t.equal(Number((await file(null)).headers['x-qr-usage']), before + 1);
});

t.test('a PNG in millimetres has whole dots per module and states its resolution', async (t) => {
  const { bytes } = await file('image/png', '?module_mm=0.508&dpi=300&bleed_mm=3');
  // Version 3 with its quiet zone, and 35 dots of bleed on each side.
  const { width, height, density } = await sharp(bytes).metadata();
  t.strictSame([width, height, density], [37 * 6 + 70, 37 * 6 + 70, 300]);
  t.equal(await decodePng(bytes), BODY.data);

  const refused = await file('image/png', '?module_mm=0.5&dpi=300');
  t.equal(refused.status, 400);
  t.match(refused.json, {
    error: 'Invalid query parameters',
    details: /^module_mm: .* 0\.423333 or 0\.508$/,
  });
  t.equal((await file('image/png', '?module_mm=0.423333&dpi=300')).status, 200, 'as the refusal suggests');
  t.match((await file('image/png', '?width_mm=2000&dpi=25400')).json, { details: /^dpi: / });
  t.match((await file('image/png', '?width_mm=1879.6&dpi=300')).json, { details: /at most 4096/ });
  t.match((await file(null, '?module_mm=1&width_mm=1')).json, { details: /^width_mm: / });
  t.match((await file('image/svg+xml', '?paper=transparent')).json, { details: /^paper: / });
});

t.test('vector files have exactly the requested millimetres', async (t) => {
  const svg = await file('image/svg+xml', '?width_mm=40&quiet_zone=2');
  t.match(svg.text, /^<svg [^>]*width="40mm" height="40mm"/);
  const pdf = await file('application/pdf', '?width_mm=25.4&bleed_mm=2.54');
  await t.resolves(checkPdf(pdf.bytes));
  t.match(pdf.text, /\/MediaBox \[0 0 86\.4\d* 86\.4\d*\]/);
  t.match(
    pdf.text,
    /\/TrimBox \[7\.2\d* 7\.2\d* 79\.2\d* 79\.2\d*\]|\/TrimBox \[7\.19\d* 7\.19\d* 79\.\d+ 79\.\d+\]/,
  );
  const eps = await file('application/postscript', '?width_mm=25.4');
  t.match(eps.text, /^%!PS-Adobe-3\.0 EPSF-3\.0\n%%BoundingBox: 0 0 72 72\n/);
  t.strictSame((await inkCover(eps.bytes)).slice(0, 3), [0, 0, 0]);
});

t.test('small modules lower the grade, measured in millimetres', async (t) => {
  const grade = async (mm: number) => {
    const { headers } = await file('application/pdf', `?module_mm=${mm}`);
    return [headers['tessera-grade'], headers['tessera-warnings']];
  };
  t.strictSame(await grade(0.33), ['4', undefined]);
  t.strictSame(await grade(0.28), ['3', 'small-modules;v=0.28']);
  t.strictSame(await grade(0.1), ['0', 'small-modules;v=0.1']);
  const refused = await file('application/pdf', '?module_mm=0.28', BODY, { 'tessera-min-grade': '4' });
  t.equal(refused.status, 400);
});

t.test('a repair applies to files for print', async (t) => {
  const body = { ...BODY, dotsOptions: { type: 'dots' }, cornersDotOptions: { type: 'dots' } };
  const { headers } = await file('application/pdf', '?module_mm=0.4&quiet_zone=1', body, {
    'tessera-repair': 'true',
  });
  t.match(headers, { 'tessera-grade': '4', 'tessera-repaired': /finder-centre;v=rounded.*quiet-zone/ });
});

t.test('a retry with an Idempotency-Key gets the same bytes, in that format and size only', async (t) => {
  const headers = { 'idempotency-key': 'file-1' };
  const first = await file('application/pdf', '?module_mm=0.5', BODY, headers);
  const again = await file('application/pdf', '?module_mm=0.5', BODY, headers);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.ok(first.bytes.equals(again.bytes));
  t.equal(again.headers['x-qr-usage'], first.headers['x-qr-usage']);
  t.equal((await file('image/svg+xml', '?module_mm=0.5', BODY, headers)).status, 422);
  t.equal((await file('application/pdf', '?module_mm=0.6', BODY, headers)).status, 422);
});

t.test('an SVG logo of plain paths stays a vector, any other becomes a bitmap', async (t) => {
  const drawn = (image: string) => patiently(() => file('application/pdf', '', { ...BODY, image }));
  const bitmaps = async (image: string) => (await bitmapsIn((await drawn(image)).bytes)).length;
  t.equal(await bitmaps(SVG_LOGO), 0);
  t.ok((await bitmaps(GRADIENT_LOGO)) > 0);
  t.notMatch((await file('image/svg+xml', '', { ...BODY, image: SVG_LOGO })).text, /<image/);
});

t.test('GET /api/v1/codes/:id/image', async (t) => {
  const { codes } = await bulk([{ ...BODY, image: SVG_LOGO }]);
  const image = (query: string, headers = {}) => get(`/codes/${codes[0]!.id}/image${query}`, headers);

  t.test('has every format, each with an ETag of its own', async (t) => {
    const etags = new Set<unknown>();
    for (const format of ['png', 'svg', 'pdf', 'eps', 'webp']) {
      for (const query of [`?format=${format}`, `?format=${format}&module_mm=0.508&dpi=300`]) {
        const answer = await image(query);
        t.equal(answer.status, 200, query);
        etags.add(answer.headers.etag);
        const known = await image(query, { 'if-none-match': String(answer.headers.etag) });
        t.equal(known.status, 304);
      }
    }
    t.equal(etags.size, 10);
  });

  t.test('keeps the paths of a saved logo', async (t) => {
    const pdf = await image('?format=pdf&width_mm=30');
    t.equal((await bitmapsIn(pdf.bytes)).length, 0);
    const { rgb, width, height } = await ghostscript(pdf.bytes, 200);
    const middle = (Math.floor(height / 2) * width + Math.floor(width / 2)) * 3;
    t.strictSame([...rgb.subarray(middle, middle + 3)], [255, 255, 255], 'the white stroke of the logo');
  });

  t.test('refuses a size in both pixels and millimetres', async (t) => {
    const answer = await image('?width=400&module_mm=1');
    t.match(answer, { status: 400, json: { details: /^width: / } });
  });
});
