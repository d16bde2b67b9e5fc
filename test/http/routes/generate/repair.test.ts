/** Calls that ask for a repair: what is changed, what is refused, and what is saved. */
import t from 'tap';
import { pngOf, sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { refusesAll } from '../../../support/app/refusals.ts';
import { someOf } from '../../../support/cases.ts';
import { decodePng } from '../../../support/pictures/decode.ts';
import { REFUSED, REPAIRABLE } from '../../../support/pictures/failing-designs.ts';
import { readSharp } from '../../../support/pictures/readers.ts';
import { rectUri } from '../../../support/pictures/svg-uri.ts';

const app = await sharedApp();

const DATA = 'https://example.com/';
const LOGO = rectUri(20, 10);
const GOOD = { data: DATA };
const DISCS = { data: DATA, dotsOptions: { type: 'dots' }, cornersDotOptions: { type: 'dots' } };
const COVERED = {
  data: DATA,
  image: LOGO,
  imageOptions: { imageSize: 1 },
  qrOptions: { errorCorrectionLevel: 'L' },
};
const PALE = { data: DATA, dotsOptions: { color: '#ddd' } };
const REPAIR = { 'tessera-repair': 'true' };

const newAccount = () => newClient(app, { monthlyQuota: 1000 });

t.test('a repair makes the smallest change that gives grade 4, and reports it', async (t) => {
  const { post } = await newAccount();
  const discs = await post('/qr', DISCS, REPAIR);
  t.match(discs.headers, { 'tessera-grade': '4', 'tessera-repaired': 'finder-centre;v=rounded' });
  t.equal(discs.headers['tessera-warnings'], undefined);
  const byHand = await post('/qr', { ...DISCS, cornersDotOptions: { type: 'rounded' } });
  t.equal(discs.json.data, byHand.json.data, 'the same picture as with the field set');

  const covered = await post('/qr', COVERED, REPAIR);
  t.equal(covered.headers['tessera-grade'], '4');
  t.match(covered.headers['tessera-repaired'], /^level;v=[MQH], logo-size;v=0\.\d\d?$/);
  t.equal(await decodePng(pngOf(String(covered.json.data))), DATA);
  const bare = await post('/qr', { ...GOOD, margin: 0 }, REPAIR);
  t.match(bare.headers, { 'tessera-grade': '4', 'tessera-repaired': 'quiet-zone' });
});

t.test('a design that is good enough is not changed', async (t) => {
  const { post } = await newAccount();
  const plain = await post('/qr', GOOD);
  for (const [body, headers] of [
    [GOOD, REPAIR],
    [GOOD, REPAIR],
    [
      { ...GOOD, shape: 'circle' },
      { ...REPAIR, 'tessera-min-grade': '3' },
    ],
    [DISCS, { ...REPAIR, 'tessera-min-grade': '0' }],
  ] as const) {
    const answer = await post('/qr', body, headers);
    t.strictSame([answer.status, answer.headers['tessera-repaired']], [200, undefined]);
    if (body === GOOD) t.equal(answer.json.data, plain.json.data);
  }
  const unasked = await post('/qr', DISCS);
  t.match(unasked.headers, { 'tessera-grade': '0' });
  t.equal(unasked.headers['tessera-repaired'], undefined);
});

t.test('colours, canvas and shape are never changed: such designs are refused for free', async (t) => {
  const { post, used } = await newAccount();
  const small = { ...GOOD, width: 70, height: 70 };
  const circle = { ...GOOD, shape: 'circle' };
  const inverted = { ...GOOD, dotsOptions: { color: '#fff' }, backgroundOptions: { color: '#000' } };
  const cases: [object, string][] = [
    [PALE, 'dotsOptions.color'],
    [small, 'width'],
    [circle, 'margin'],
    [inverted, 'dotsOptions.color'],
  ];
  const refused = cases.map(([body, field]): [object, RegExp] => [
    body,
    new RegExp(`^${field}: .*even after repair, and Tessera-Repair asks for 4`),
  ]);
  await refusesAll(t, (body) => post('/qr', body, REPAIR), refused, { error: 'Invalid request body' });
  t.equal(await used(), 0);
  t.equal((await post('/qr', small)).status, 200);
  t.equal((await post('/qr', small, REPAIR)).status, 400, 'also when the picture is cached');
  t.equal(await used(), 1);
});

t.test('any other value of Tessera-Repair is a 400', async (t) => {
  const { post, used } = await newAccount();
  for (const wrong of ['false', 'yes', '1', '', 'true, true'])
    for (const [path, body] of [
      ['/qr', GOOD],
      ['/qr/bulk', { items: [GOOD] }],
      ['/qr/check', GOOD],
    ] as const) {
      const { status, json } = await post(path, body, { 'tessera-repair': wrong });
      t.match([status, json], [400, { error: 'Invalid request header', details: /^tessera-repair: / }]);
    }
  t.equal(await used(), 0);
});

t.test('a bulk call repairs each item, and saves the repaired design', async (t) => {
  const { post, get, used } = await newAccount();
  const items = [
    GOOD,
    DISCS,
    PALE,
    { data: '' },
    COVERED,
    { ...DISCS, dynamic: true },
    { data: 'x', image: 'data:image/png;base64,AAAA' },
  ];
  const key = { ...REPAIR, 'idempotency-key': 'many' };
  const { json, headers } = await post('/qr/bulk', { items }, key);
  t.strictSame(
    json.results.map((result) => (result as { repaired?: string }).repaired),
    [
      undefined,
      'finder-centre;v=rounded',
      undefined,
      undefined,
      (await post('/qr', COVERED, REPAIR)).headers['tessera-repaired'],
      'finder-centre;v=rounded',
      undefined,
    ],
  );
  t.match(json.results[2]!.error, /^dotsOptions\.color: .*even after repair/);
  t.equal(headers['tessera-grades'], '4, 4, none, none, 4, 4, none');
  t.equal(await used(), 1 + 4);

  const codes = (await get(`/folders/${json.meta.folder_id}/codes`)).json.data;
  t.strictSame(
    codes.map(({ grade, warnings }) => ({ grade, warnings })),
    codes.map(() => ({ grade: 4, warnings: '' })),
  );
  const pictures = json.results.filter(({ success }) => success);
  for (const [index, code] of codes.entries()) {
    const { bytes } = await get(`/codes/${code.id}/image`);
    t.strictSame(bytes, pngOf(String(pictures[index]!.data)), 'the saved code has the repaired picture');
  }

  const replay = await post('/qr/bulk', { items }, key);
  t.equal(replay.headers['idempotent-replayed'], 'true');
  t.strictSame(replay.json, json);
  t.equal(replay.headers['tessera-grades'], headers['tessera-grades']);
});

t.test('a repair is part of a request with an Idempotency-Key', async (t) => {
  const { post, used } = await newAccount();
  const send = (headers: Record<string, string>) =>
    post('/qr', DISCS, { 'idempotency-key': 'one', ...headers });
  const first = await send(REPAIR);
  const again = await send(REPAIR);
  t.equal(again.headers['idempotent-replayed'], 'true');
  t.strictSame(again.json, first.json);
  for (const name of ['tessera-grade', 'tessera-repaired'])
    t.equal(again.headers[name], first.headers[name], name);
  for (const headers of [{}, { 'tessera-min-grade': '4' }, { ...REPAIR, 'tessera-min-grade': '3' }])
    t.equal((await send(headers as Record<string, string>)).status, 422);
  t.equal(
    (await send({ ...REPAIR, 'tessera-min-grade': '4' })).headers['idempotent-replayed'],
    'true',
    '4 is the grade that a repair asks for',
  );
  t.equal(await used(), 1);
});

t.test('a check reports what would repair a design', async (t) => {
  const { post, used } = await newAccount();
  const { json } = await post('/qr/check', DISCS, REPAIR);
  t.match(json, { grade: 0, symbol: { version: 2 } });
  t.strictSame((json as unknown as { repair: unknown }).repair, {
    grade: 4,
    changes: ['finder-centre;v=rounded'],
    options: { cornersDotOptions: { type: 'rounded' } },
  });
  const repairOf = async (body: object, headers: object = REPAIR) =>
    (
      (await post('/qr/check', body, headers as Record<string, string>)).json as unknown as {
        repair?: { grade: number; changes: string[]; options: Record<string, object> };
      }
    ).repair;
  t.equal(await repairOf(DISCS, {}), undefined);
  t.strictSame(await repairOf(GOOD), { grade: 4, changes: [], options: {} });
  t.match(await repairOf(PALE), { grade: 0, changes: [] });
  t.match(await repairOf({ ...GOOD, margin: 0 }), { changes: ['quiet-zone'], options: { margin: null } });

  const covered = await repairOf(COVERED);
  t.equal(covered?.grade, 4);
  const asked: Record<string, object> = COVERED as never;
  const set = Object.entries(covered!.options).map(([name, value]) => [name, { ...asked[name], ...value }]);
  const made = await post('/qr', { ...COVERED, ...Object.fromEntries(set) });
  t.equal(made.headers['tessera-grade'], '4');
  t.equal(made.json.data, (await post('/qr', COVERED, REPAIR)).json.data, 'the options give that picture');

  const checked = await post('/qr/bulk/check', { items: [DISCS, { data: '' }, COVERED] }, REPAIR);
  t.match(checked.json.results, [
    { grade: 0, repair: { grade: 4 } },
    { error: /data/ },
    { repair: { grade: 4, changes: covered!.changes } },
  ]);
  t.equal(await used(), 2);
});

t.test('designs that readers miss get a warning and a low grade, and are repaired or refused', async (t) => {
  const { post } = await newAccount();
  t.equal([...REPAIRABLE, ...REFUSED].flat().length, 40);
  const repairable = REPAIRABLE.flatMap((kind) => someOf(kind));
  const refused = REFUSED.flatMap((kind) => someOf(kind));
  const pngs: Buffer[] = [];
  for (const options of [...repairable, ...refused]) {
    const body = { data: DATA, ...options };
    const name = JSON.stringify({ ...options, image: undefined });
    const asked = await post('/qr', body);
    t.ok(Number(asked.headers['tessera-grade']) < 2, `${name}: ${asked.headers['tessera-warnings']}`);
    t.type(asked.headers['tessera-warnings'], 'string', name);
    t.equal((await post('/qr', body, { 'tessera-min-grade': '2' })).status, 400, name);
    const repaired = await post('/qr', body, REPAIR);
    if (refused.includes(options)) {
      t.match(repaired.json.details, /even after repair, and Tessera-Repair asks for 4/, name);
      continue;
    }
    t.strictSame([repaired.status, repaired.headers['tessera-grade']], [200, '4'], name);
    pngs.push(pngOf(String(repaired.json.data)));
  }
  for (const [i, read] of (await readSharp(pngs)).entries())
    t.match(
      read,
      { zxing: DATA, jsqr: DATA, zbar: DATA },
      JSON.stringify({ ...repairable[i], image: undefined }),
    );
});
