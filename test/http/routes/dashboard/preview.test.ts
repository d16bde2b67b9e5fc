/** Previews: small and free pictures of a design, for signed-in users. */

import fc from 'fast-check';
import t from 'tap';
import { PREVIEW_MAX_PX, scannabilityOf } from '../../../../src/generate/preview.ts';
import { toDesign } from '../../../../src/generate/request/design.ts';
import { toOptions } from '../../../../src/generate/request/options.ts';
import { planRender } from '../../../../workers/plan.ts';
import { isFault } from '../../../../workers/protocol.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { SAME_ORIGIN, signIn, withCookie } from '../../../support/app/session.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { ANY_SHADES, holds, legalDesigns } from '../../../support/pictures/designs.ts';
import { pixelsOf } from '../../../support/pictures/pictures.ts';
import { rectUri } from '../../../support/pictures/svg-uri.ts';

const gateway = await sharedApp();
const { call, account, admin } = gateway;
const LOGO = rectUri(20, 20, '#b00');

/** Previews for a new account. */
const previewing = async () => {
  const made = await account();
  const browser = withCookie(gateway, await signIn(gateway, made.key));
  const preview = (body: unknown, query = '') => browser('POST', `/dashboard/preview${query}`, body);
  const usage = async () => (await admin('GET', `/accounts/${made.id}`)).json.usage.usage_count;
  return { ...made, preview, usage };
};

t.test('a preview', async (t) => {
  const { key, preview, usage } = await previewing();

  t.test('is the picture at a small size, for free', async (t) => {
    const design = {
      dotsOptions: { type: 'rounded', color: '#1a5fb4' },
      width: 1600,
      height: 800,
      margin: 60,
    };
    const answer = await preview({ data: 'https://example.com/', ...design });
    t.equal(answer.status, 200);
    t.match(answer.headers, {
      'content-type': 'image/png',
      'cache-control': 'no-store',
      'server-timing': /queue;dur=/,
    });
    const { widthPx, heightPx } = await pixelsOf(answer.bytes);
    t.strictSame([widthPx, heightPx], [240, 120]);
    t.equal(await decodePng(answer.bytes), 'https://example.com/');
    t.equal(await usage(), 0);
    const small = await preview({ data: 'x', width: 100, height: 60 });
    const pixels = await pixelsOf(small.bytes);
    t.strictSame([pixels.widthPx, pixels.heightPx], [100, 60], 'a small picture is not enlarged');
  });

  t.test('reports how readable the full-size picture will be', async (t) => {
    const hints = async (body: object) => {
      const { headers, status } = await preview({ data: 'https://example.com/', ...body });
      t.equal(status, 200);
      return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('tessera-')));
    };
    // 25 modules and a quiet zone of four on each side: 33, at 9 pixels each in 300.
    t.strictSame(await hints({ width: 300, height: 300 }), {
      'tessera-modules': '25',
      'tessera-module-px': '9',
      'tessera-quiet-zone': '4.111',
      'tessera-logo-cover': '0',
      'tessera-level': 'Q',
      'tessera-grade': '4',
    });
    t.match(await hints({ width: 60, height: 60 }), {
      'tessera-grade': '1',
      'tessera-warnings': 'small-modules;v=1',
    });
    const crowded = { data: 'x'.repeat(900), width: 1000, height: 1000 };
    t.equal((await hints(crowded))['tessera-grade'], '4', 'although its preview has one pixel per module');
    t.match(await hints({ width: 2000, height: 2000 }), { 'tessera-module-px': '60' });
    t.match(await hints({ width: 250, height: 250, margin: 0, qrOptions: { errorCorrectionLevel: 'L' } }), {
      'tessera-module-px': '10',
      'tessera-quiet-zone': '0',
      'tessera-level': 'L',
    });
    t.match(await hints({ shape: 'circle', margin: 0 }), { 'tessera-quiet-zone': '1' });
    const covered = await hints({ image: LOGO, qrOptions: { errorCorrectionLevel: 'H' } });
    // 29 modules a side; 40 % of the 30 % that level H restores are 100 of them: a square of nine at most.
    t.equal(covered['tessera-logo-cover'], String(Math.round((1000 * 81) / 29 ** 2) / 1000));
    t.equal((await hints({ data: 'x'.repeat(2000) }))['tessera-level'], 'M', 'the level of the picture');
  });

  t.test('exists for every design of the single call, and has a maximum size', async (t) => {
    const requests = fc.record({
      data: fc.oneof(fc.string({ minLength: 1, maxLength: 60 }), fc.constant('x'.repeat(900))),
      design: legalDesigns(ANY_SHADES, ANY_SHADES),
      image: fc.constantFrom(undefined, undefined, LOGO),
    });
    await fc.assert(
      fc.asyncProperty(requests, async ({ data, design, image }) => {
        const body = { data, ...toOptions(design), ...(image === undefined ? {} : { image }) };
        const asked = toDesign(body as Parameters<typeof toDesign>[0]);
        const plan = planRender(data, asked, image === undefined ? null : { widthPx: 20, heightPx: 20 });
        const answer = await preview(body);
        if (isFault(plan))
          return answer.status === 400 && answer.json.details === `${plan.field}: ${plan.message}`;
        const { widthPx, heightPx } = await pixelsOf(answer.bytes);
        return answer.status === 200 && Math.max(widthPx, heightPx) <= PREVIEW_MAX_PX;
      }),
      { numRuns: 60 },
    );
    t.equal(await usage(), 0);
    const dense = [
      { shape: 'circle', width: 2000, height: 2000 },
      { width: 2000, height: 220 },
      { width: 220, height: 2000, margin: 10 },
      { width: 2000, height: 2000, margin: 100, image: LOGO, imageOptions: { margin: 30 } },
    ];
    for (const design of dense) {
      const body = { data: '7'.repeat(7000 / 2), qrOptions: { typeNumber: 40 }, ...design };
      const { status, bytes, text } = await preview(body);
      t.equal(status, 200, status === 200 ? JSON.stringify(design) : text);
      const { widthPx, heightPx } = await pixelsOf(bytes);
      t.ok(Math.max(widthPx, heightPx) <= PREVIEW_MAX_PX);
    }
  });

  t.test('shows what stands around a code on paper, small, whatever its size and quiet zone', async (t) => {
    const ask = (
      options: Readonly<Record<string, string>>,
      body: object = { data: 'https://example.com/' },
    ) => preview(body, `?${new URLSearchParams(options)}`);
    const plain = await pixelsOf((await ask({ width_mm: '30' })).bytes);
    t.strictSame([plain.widthPx, plain.heightPx], [240, 240]);
    const framed = await ask({ width_mm: '30', caption: 'Menu: {content}', frame: 'banner-below' });
    const { widthPx, heightPx } = await pixelsOf(framed.bytes);
    t.equal(heightPx, 240);
    t.ok(widthPx < 230, 'the caption makes it higher');
    t.equal(await decodePng(framed.bytes), 'https://example.com/');
    t.equal(framed.headers['tessera-captions'], undefined);
    const cut = await ask({ width_mm: '15', caption: 'long '.repeat(60), allow: 'cut' });
    t.equal(cut.headers['tessera-captions'], 'cut=1, glyphs=0');
    const dense = { data: '7'.repeat(3500), shape: 'circle', qrOptions: { typeNumber: 40 } };
    for (const size of [{ width_mm: '2000' }, { module_mm: '1', quiet_zone: '2.55' }, { bleed_mm: '20' }]) {
      const { status, bytes } = await ask({ caption: 'Wide', caption_side: 'beside', ...size }, dense);
      t.equal(status, 200, JSON.stringify(size));
      const pixels = await pixelsOf(bytes);
      t.ok(Math.max(pixels.widthPx, pixels.heightPx) <= PREVIEW_MAX_PX);
    }
    const inked = await ask({ width_mm: '30', spots: '000000=Gold', dieline: 'Cut' });
    t.equal(inked.status, 200);
    t.match((await ask({ width_mm: '30', spots: 'ff0000=Gold' })).json, { details: /^spots: no part/ });
    t.match((await ask({ caption: 'x'.repeat(400) })).json, { details: /^caption: .*does not fit/ });
    t.equal(await usage(), 0);
  });

  t.test('is refused with the messages of the single call', async (t) => {
    const bodies: unknown[] = [
      {},
      { data: '' },
      { data: 'x', width: 49 },
      { data: 'x', dotsOptions: { color: 'no colour' } },
      { data: 'x', foo: 1 },
      { data: 'x'.repeat(4000) },
      { data: '\ud800' },
      { data: 'x', width: 50, height: 50, margin: 40 },
      { data: 'x', image: 'data:image/png;base64,AAAA' },
      { data: 'x', image: LOGO, imageOptions: { imageSize: 0 } },
      { data: 'x', image: 'http://127.0.0.1:1/logo.png' },
      '{',
    ];
    for (const body of bodies) {
      const [small, single] = [
        await preview(body),
        await call({ method: 'POST', url: '/api/v1/qr', key, body }),
      ];
      t.equal(small.status, 400, JSON.stringify(body).slice(0, 60));
      t.strictSame(small.json, single.json);
    }
  });

  t.test('is available only to the dashboard', async (t) => {
    const request = { method: 'POST', url: '/dashboard/preview', body: { data: 'x' } } as const;
    t.equal((await call({ ...request, key, headers: SAME_ORIGIN })).status, 401, 'a key is not accepted');
    t.equal((await call({ ...request, headers: SAME_ORIGIN })).status, 401);
    const cookie = await signIn(gateway, key);
    const typed = await withCookie(gateway, cookie)('POST', '/dashboard/preview', 'data=x', {
      ...SAME_ORIGIN,
      'content-type': 'application/x-www-form-urlencoded',
    });
    t.equal(typed.status, 415);
  });
});

t.test('an account has a limited number of previews drawn at once, over all its sessions', async (t) => {
  const { key } = await account();
  const { key: other } = await account();
  const browsers = [
    withCookie(gateway, await signIn(gateway, key)),
    withCookie(gateway, await signIn(gateway, key)),
  ];
  const elsewhere = withCookie(gateway, await signIn(gateway, other));
  // Several unknown sessions at once would count as guesses.
  for (const browser of [...browsers, elsewhere]) await browser('GET', '/dashboard/session');
  const ask = (i: number) => browsers[i % 2]!('POST', '/dashboard/preview', { data: `preview ${i}` });
  const asked = Array.from({ length: 60 }, (_, i) => ask(i));
  const aside = await elsewhere('POST', '/dashboard/preview', { data: 'another account' });
  const answers = await Promise.all(asked);
  const refused = answers.filter(({ status }) => status === 429);
  t.ok(refused.length > 0 && refused.length < 60, `${refused.length} of 60 refused`);
  t.ok(answers.every(({ status }) => [200, 429].includes(status)));
  t.match(refused.at(-1), {
    json: { error: 'Rate limit exceeded', details: /previews drawn at a time/ },
    headers: { 'retry-after': '1' },
  });
  t.equal(aside.status, 200);
});

t.test('a symbol that fills its canvas has a quiet zone of 0, not a negative rounding error', async (t) => {
  const base = toDesign({});
  const design = {
    ...base,
    widthPx: 55,
    heightPx: 55,
    marginPx: 0,
    dots: { ...base.dots, roundSize: false },
  };
  const plan = planRender('https://example.com/', design, null);
  if (isFault(plan)) throw new Error(plan.message);
  t.ok(plan.geometry.xPx < 0, 'the geometry has the rounding error');
  t.equal(scannabilityOf(design, plan).quietZoneModules, 0);
});

t.test('the figures about a picture are plausible for every design', async (t) => {
  holds(
    t,
    fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), fc.boolean(), (design, hasLogo) => {
      const plan = planRender('https://example.com/', design, hasLogo ? { widthPx: 30, heightPx: 20 } : null);
      if (isFault(plan)) return true;
      const told = scannabilityOf(design, plan);
      return (
        told.modules >= 21 &&
        told.modulePx >= 1 &&
        told.quietZoneModules >= 0 &&
        told.logoCover >= 0 &&
        told.logoCover <= 1 &&
        told.logoCover > 0 === hasLogo &&
        (design.symbol.boost === true || design.symbol.levels.includes(told.level))
      );
    }),
  );
});
