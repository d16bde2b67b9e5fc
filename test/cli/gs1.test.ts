import t from 'tap';
import { run } from './support.ts';

t.test('gs1 prints the elements of a value and its other forms', async (t) => {
  const { code, out } = await run(['gs1', '(01)09521321000018(10)A7', '--stem', 'https://brand.example']);
  t.equal(code, 0);
  t.match(out, /^AI +TITLE +VALUE\n01 +GTIN +09521321000018\n10 +BATCH\/LOT +A7\n/);
  t.match(out, /digital link +https:\/\/brand\.example\/01\/09521321000018\/10\/A7\n/);
});

t.test('gs1 prints JSON as the API answers it', async (t) => {
  const { code, out } = await run(['gs1', 'https://id.gs1.org/8004/95213A', '--json']);
  t.equal(code, 0);
  t.strictSame(JSON.parse(out), {
    valid: true,
    form: 'digital-link',
    elements: [{ ai: '8004', title: 'GIAI', value: '95213A' }],
    element_string: '(8004)95213A',
    fnc1: '\u001d800495213A',
    digital_link: 'https://id.gs1.org/8004/95213A',
    gtin: null,
    faults: [],
  });
});

t.test('gs1 says what is wrong with a value, and ends with 1', async (t) => {
  const { code, out, err } = await run(['gs1', '(01)09521321000011']);
  t.strictSame([code, out], [1, '']);
  t.match(err, /^tessera: not valid: AI \(01\), character 18: the check digit must be 8/);
  const asJson = await run(['gs1', '(01)09521321000011', '--json']);
  t.equal(asJson.code, 1);
  t.match(JSON.parse(asJson.out), { valid: false, form: 'brackets', faults: [{ ai: '01', position: 18 }] });
});

t.test('gs1 refuses a stem that no URI can begin with', async (t) => {
  t.equal((await run(['gs1', '(8004)95213A', '--stem', 'brand.example'])).code, 2);
});
