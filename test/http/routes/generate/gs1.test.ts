/** GS1 data over HTTP: the check, and codes that must contain it. */
import t from 'tap';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { decodePng } from '../../../support/pictures/decode.ts';

const app = await sharedApp();

const newAccount = () => newClient(app, { monthlyQuota: 1000 });

const ELEMENT_STRING = '(01)09521321000018(10)A7';
const MESSAGE = '010952132100001810A7';
const URI = 'https://brand.example/01/09521321000018/10/A7';
const BAD = '(01)09521321000011(10)A7';

t.test('the check returns the elements and every form, and costs nothing', async (t) => {
  const { post, used } = await newAccount();
  const { status, json } = await post('/gs1/check', { value: ELEMENT_STRING });
  t.equal(status, 200);
  t.strictSame(json, {
    valid: true,
    form: 'brackets',
    elements: [
      { ai: '01', title: 'GTIN', value: '09521321000018' },
      { ai: '10', title: 'BATCH/LOT', value: 'A7' },
    ],
    element_string: ELEMENT_STRING,
    fnc1: `\u001d${MESSAGE}`,
    digital_link: 'https://id.gs1.org/01/09521321000018/10/A7',
    gtin: '09521321000018',
    faults: [],
  });
  t.match((await post('/gs1/check', { value: URI })).json, { form: 'digital-link', digital_link: URI });
  t.match((await post('/gs1/check', { value: `]Q3${MESSAGE}` })).json, {
    form: 'fnc1',
    element_string: ELEMENT_STRING,
  });
  t.equal(await used(), 0);
});

t.test('invalid data is reported with status 200, not as an error of the call', async (t) => {
  const { post } = await newAccount();
  const { status, json } = await post('/gs1/check', { value: BAD });
  t.equal(status, 200);
  t.match(json, {
    valid: false,
    form: 'brackets',
    elements: [],
    element_string: null,
    digital_link: null,
    gtin: null,
    faults: [{ ai: '01', position: 18, message: /^the check digit must be 8/ }],
  });
  t.match((await post('/gs1/check', { value: '' })).json, {
    valid: false,
    faults: [{ ai: null, position: 1 }],
  });
});

t.test('the call may name the form and the stem', async (t) => {
  const { post } = await newAccount();
  t.match((await post('/gs1/check', { value: MESSAGE, form: 'brackets' })).json, {
    valid: false,
    form: 'brackets',
  });
  const stem = 'https://brand.example/items';
  const { json } = await post('/gs1/check', { value: ELEMENT_STRING, stem });
  t.match(json, { digital_link: `${stem}/01/09521321000018/10/A7` });
  for (const bad of [
    'brand.example',
    'ftp://a',
    'https://a/',
    'https://a/x/',
    'https://a?b',
    'https://a/ü',
    '',
  ]) {
    const refused = await post('/gs1/check', { value: ELEMENT_STRING, stem: bad });
    t.match([refused.status, refused.json.details], [400, /^stem: /], bad);
  }
});

t.test('a malformed request is refused', async (t) => {
  const { post } = await newAccount();
  for (const body of [
    {},
    { value: 1 },
    { value: 'x'.repeat(4297) },
    { value: 'x', form: 'gs1' },
    { value: 'x', y: 1 },
  ]) {
    t.equal((await post('/gs1/check', body)).status, 400);
  }
  t.equal((await post('/gs1/check', { value: 'x', y: 'x'.repeat(70_000) })).status, 413);
});

t.test('an element string is encoded as GS1 data, without its brackets', async (t) => {
  const { post } = await newAccount();
  const { status, bytes } = await post('/qr/file', {
    data: ELEMENT_STRING,
    qrOptions: { gs1: 'element-string' },
  });
  t.equal(status, 200);
  t.equal(await decodePng(bytes), MESSAGE);
  const plain = await post('/qr/file', { data: ELEMENT_STRING });
  t.equal(await decodePng(plain.bytes), ELEMENT_STRING, 'without the option it is plain text');
});

t.test('a Digital Link URI is encoded unchanged', async (t) => {
  const { post } = await newAccount();
  const { status, bytes } = await post('/qr/file', { data: URI, qrOptions: { gs1: 'digital-link' } });
  t.equal(status, 200);
  t.equal(await decodePng(bytes), URI);
});

t.test('invalid data, or data in the other form, is refused and costs nothing', async (t) => {
  const { post, used } = await newAccount();
  for (const [gs1, data, details] of [
    ['element-string', BAD, /^data: AI \(01\), character 18: the check digit must be 8/],
    [
      'element-string',
      URI,
      /^data: must be a GS1 element string \(qrOptions.gs1\): send "\(01\)09521321000018\(10\)A7"$/,
    ],
    ['digital-link', 'https://example.com/', /^data: character \d+: the path must have a primary key/],
    [
      'digital-link',
      ELEMENT_STRING,
      /^data: must be a GS1 Digital Link URI.*: send "https:\/\/id.gs1.org\/01\/09521321000018\/10\/A7"$/,
    ],
    ['digital-link', '(8002)1', /^data: must be a GS1 Digital Link URI.*: this data has none$/],
    ['digital-link', 'hello', /^data: AI \(he\), character 1/],
  ] as const) {
    const body = { data, qrOptions: { gs1 } };
    for (const path of ['/qr', '/qr/check', '/qr/file']) {
      const refused = await post(path, body);
      t.match([refused.status, refused.json.details], [400, details], `${path} ${data}`);
    }
  }
  t.match((await post('/qr', { data: URI, qrOptions: { gs1: 'yes' } })).json.details, /^qrOptions.gs1: /);
  t.equal(await used(), 0);
});

t.test('a dynamic code encodes a short link, so GS1 data is refused for it', async (t) => {
  const { post, put } = await newAccount();
  const qrOptions = { gs1: 'digital-link' };
  const { json: dynamic } = await post('/codes', { data: URI, dynamic: true });
  for (const refused of [
    await post('/codes', { data: URI, dynamic: true, qrOptions }),
    await put(`/codes/${dynamic.id}/design`, { qrOptions }),
  ])
    t.match(refused, { status: 400, json: { details: /^qrOptions.gs1: must be absent when dynamic/ } });
  const items = [
    { data: URI, qrOptions },
    { data: URI, qrOptions, dynamic: true },
    { data: BAD, qrOptions },
  ];
  const { json } = await post('/qr/bulk', { folderName: 'gs1', items });
  t.match(json.results, [
    { success: true },
    { success: false, error: /^qrOptions.gs1: must be absent when dynamic is true/ },
    { success: false, error: /^data: AI \(01\)/ },
  ]);
});

t.test('a preset may require GS1 data', async (t) => {
  const { post } = await newAccount();
  for (const gs1 of ['digital-link', 'element-string']) {
    const { status, json } = await post('/presets', { name: gs1, options: { qrOptions: { gs1 } } });
    t.equal(status, 201, JSON.stringify(json));
    const data = gs1 === 'digital-link' ? URI : ELEMENT_STRING;
    t.equal((await post('/qr', { data }, { 'tessera-preset': json.id })).status, 200);
    t.equal((await post('/qr', { data: 'hello' }, { 'tessera-preset': json.id })).status, 400);
  }
});
