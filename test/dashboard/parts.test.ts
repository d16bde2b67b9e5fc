/** The page's pure functions: turning the rows of a file into items, and rating a design's colours and modules. */
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { columnsOf } from '../../src/csv/columns.ts';
import {
  choose,
  faultOf,
  guessOf,
  isClear,
  listLeftOut,
  listUnique,
  toQuery,
} from '../../src/dashboard/screens/batches/send/mapping.ts';
import {
  contactText,
  emailText,
  eventText,
  KINDS,
  lacksScheme,
  messageText,
  phoneText,
  placeText,
  wifiText,
} from '../../src/dashboard/screens/designer/content/kinds.ts';
import {
  read,
  resize,
  toFieldFault,
  toPickerColor,
  withField,
  withoutDefaults,
} from '../../src/dashboard/screens/designer/draft.ts';
import { hintsOf, repair } from '../../src/dashboard/screens/designer/hints.ts';
import { applyLook, LOOKS } from '../../src/dashboard/screens/designer/looks.ts';
import { outcomesOf, readGrades, toCalls, withoutRefused } from '../../src/dashboard/screens/import/calls.ts';
import { createRowCheck, toTable } from '../../src/dashboard/screens/import/rows.ts';
import type { Schema } from '../../src/dashboard/screens/import/schema.ts';
import { asCode, keyedUrl, toCurl, writeImageTag } from '../../src/dashboard/screens/snippets.ts';

import { toDesign } from '../../src/generate/request/design.ts';
import { toOptions } from '../../src/generate/request/options.ts';
import { BulkItem } from '../../src/generate/request/request.ts';
import { gradeDesign } from '../../workers/quality/grade.ts';
import { ANY_SHADES, holds, legalDesigns } from '../support/pictures/designs.ts';

const schema = BulkItem as unknown as Schema;
const known = columnsOf(schema);
const formats = { 'css-color': (text: string) => /^(#[\da-f]{6}|red)$/i.test(text) };

/** The preview of a file, in which each column has the name of its field. */
const previewOf = (text: string, fields: readonly (string | null)[] | null = null) => {
  const [names = [], ...rows]: string[][] = parse(text, {
    delimiter: [',', ';'],
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    skip_empty_lines: true,
  });
  const columns = names.map((name, at) => ({ name, field: fields === null ? name : (fields[at] ?? null) }));
  return {
    columns,
    rows,
    header_row: 1,
    file_rows: rows.map((_, index) => index + 2),
    more: false,
    ...{ encoding: 'utf-8', empty_rows: 0, first_empty_rows: [] },
    fault: null,
    fields: [...known.map(({ name }) => name), 'file', 'external_id'],
    composed: null,
    ...{ compared_rows: 0, duplicates: 0, refused_duplicates: 0, first_duplicates: [] },
  };
};

const importRows = (text: string) => {
  const preview = previewOf(text);
  const table = toTable(preview, guessOf(preview), known);
  if (!table.ok) return table.fault.join();
  const check = createRowCheck(table.value.columns, schema, formats);
  return table.value.rows.map(check);
};
const faultsOf = (text: string) => {
  const rows = importRows(text);
  return typeof rows === 'string' ? rows : rows.map(({ fault }) => fault);
};

t.test('a row becomes an item; dots in column names make nested fields', async (t) => {
  const gradient = '{"colorStops":[{"offset":0,"color":"red"}]}';
  const rows = importRows(
    `data;dynamic;file;width;dotsOptions.type;dotsOptions.gradient\nhttps://a.example/;yes;a;300;rounded;"${gradient.replaceAll('"', '""')}"`,
  );
  t.match(rows, [
    {
      number: 2,
      file: 'a',
      fault: null,
      item: {
        data: 'https://a.example/',
        dynamic: true,
        width: 300,
        dotsOptions: { type: 'rounded', gradient: JSON.parse(gradient) },
      },
    },
  ]);
});

t.test('any text survives a quoted cell', async () => {
  const cell = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => text.trim() !== '');
  fc.assert(
    fc.property(fc.array(cell, { minLength: 1, maxLength: 5 }), (texts) => {
      const rows = importRows(
        `data,file\n${texts.map((text) => `"${text.replaceAll('"', '""')}",x`).join('\r\n')}`,
      );
      return Array.isArray(rows) && rows.every(({ item }, index) => item.data === texts[index]);
    }),
  );
});

t.test('errors of a row are named', async (t) => {
  const faults: readonly (readonly [string, RegExp | null])[] = [
    ['data\n" "', /data: must not be empty/],
    ['data,width\nx,49', /width: must be 50 or more/],
    ['data,width\nx,50', null],
    ['data,width\nx,2001', /width: must be 2000 or less/],
    ['data,width\nx,60.5', /width: must be a whole number/],
    ['data,width\nx,wide', /width: must be a number/],
    ['data,dynamic\nx,perhaps', /dynamic: must be true or false/],
    ['data,dynamic\nmailto:a@b.example,true', /http or https/],
    ['data,shape\nx,star', /shape: must be one of square, circle/],
    ['data,dotsOptions.color\nx,blau', /dotsOptions.color: is not a CSS colour/],
    ['data,dotsOptions\nx,{', /dotsOptions: must be JSON/],
    ['data,dotsOptions\nx,"{""foo"":1}"', /dotsOptions.foo: is unknown/],
    ['data,dotsOptions.gradient\nx,{}', /colorStops: is missing/],
    ['data,file\nx', /has 1 cells/],
  ];
  for (const [text, fault] of faults) {
    const found = faultsOf(text)[0];
    if (fault === null) t.equal(found, null, text);
    else t.match(found, fault, text);
  }
});

t.test('columns are chosen by hand; a field has one column, and the others are left out', async (t) => {
  const preview = previewOf('Web page,url,Shelf\na,b,c', [null, 'data', null]);
  t.equal(isClear(preview), false);
  t.equal(isClear(previewOf('data,width\na,300')), true);
  t.strictSame(
    toQuery(preview, guessOf(preview)),
    { other_columns: 'skip' },
    'columns that are recognised are not listed',
  );
  const chosen = choose(choose(guessOf(preview), 0, 'data'), 2, 'external_id');
  t.strictSame(chosen, ['data', null, 'external_id']);
  t.strictSame(listLeftOut(preview, chosen), ['url']);
  const unique = previewOf('Url,sku,w\na,b,c', ['data', 'sku', 'width']);
  t.strictSame(listUnique(unique, guessOf(unique), ['sku']), [
    ['data', 'Url'],
    ['sku', 'sku'],
  ]);
  t.ok(
    listUnique(null, [], []).some(([field]) => field === 'external_id'),
    'for NDJSON',
  );
  const query = toQuery(preview, chosen);
  t.strictSame(query, { other_columns: 'skip', columns: '{"data":"Web page","external_id":"Shelf"}' });
  t.strictSame(
    toTable(preview, chosen, known),
    { ok: false, fault: ['Shelf'] },
    'only a batch supports an id',
  );
  const none = choose(chosen, 0, 'width');
  t.equal(faultOf(preview, none), 'Choose the column with the content.');
  t.equal(toQuery(preview, none).columns, '{"width":"Web page","external_id":"Shelf","data":null}');
  t.equal(faultOf(preview, chosen), null);
  const addresses = (cells: string) => guessOf(previewOf(`A,B,width\n${cells}`, [null, null, 'width']));
  t.strictSame(addresses('x,https://a.example/,5\ny,http://b.example,6'), [null, 'data', 'width']);
  t.strictSame(
    addresses('https://c.example,https://a.example,5'),
    [null, null, 'width'],
    'with two candidates there is no guess',
  );
  t.strictSame(addresses('x,https://a.example,5\ny,,6'), [null, null, 'width']);
  t.match(faultOf(previewOf('x,x\na,b', ['data', null]), ['data', null]), 'twice');
});

t.test('the grades of a bulk call are read by position', async (t) => {
  t.strictSame(readGrades('4, none, 0'), [4, null, 0]);
  t.strictSame(readGrades('3'), [3]);
  t.strictSame(readGrades(null), [null]);
});

t.test('calls contain every accepted row once and in order', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 350 }), fc.nat(), (count, pick) => {
      const rows = importRows(`data\n${Array.from({ length: count }, (_, i) => `x${i}`).join('\n')}`);
      if (typeof rows === 'string') return false;
      const [first, ...rest] = toCalls(rows, 'r');
      const index = pick % first!.rows.length;
      const fewer = withoutRefused(first!, `items.${index}.width: must be at most 2000`)!;
      const calls = [fewer, ...rest].map((call) => ({
        ...call,
        answer: {
          success: true as const,
          results: call.rows.map(() => ({ success: true, data: 'data:' })),
          meta: { total: 0, successful: 0, usage_count: 0, remaining: 0, folder_id: '' },
        },
        grades: call.rows.map(({ number }) => number % 5),
      }));
      const outcomes = outcomesOf(calls);
      const failed = outcomes.filter(({ error }) => error !== null);
      return (
        outcomes.every(({ row }, at) => row.number === at + 2) &&
        outcomes.every(({ row, grade, error }) => grade === (error === null ? row.number % 5 : null)) &&
        outcomes.length === count &&
        failed.length === 1 &&
        failed[0]!.row.number === index + 2 &&
        fewer.idempotencyKey !== first!.idempotencyKey &&
        calls.every((call) => call.rows.length <= 100)
      );
    }),
  );
});

t.test('a colour as a canvas writes it becomes one for a picker', async (t) => {
  t.equal(toPickerColor('#0a7fff'), '#0a7fff');
  t.equal(toPickerColor('rgba(1, 2, 30, 0.5)'), '#01021e');
  t.equal(toPickerColor('color(srgb 1 0 0)'), null);
});

t.test('hints say what each parameter measures, lowest grade first, and what to do', async (t) => {
  const parameters = { contrast: 1, 'finder-centre': 4, ground: 3 } as const;
  const advice = 'dotsOptions.color: Use darker dots.';
  const hints = hintsOf({ parameters, warnings: [{ name: 'contrast', value: 0.3, advice }] });
  t.match(hints, [
    { about: 'Contrast', grade: 1, text: /^How much darker .* Use darker dots\.$/ },
    { about: 'Background', grade: 3 },
    { about: 'Corner centres', grade: 4 },
  ]);
});

t.test('a repair sets its fields in a design, and removes those that are null', async (t) => {
  const request = {
    data: 'x',
    margin: 0,
    imageOptions: { margin: 3 },
    dotsOptions: { type: 'dots' },
  } as const;
  const options = { margin: null, imageOptions: { imageSize: 0.2 }, cornersDotOptions: { type: 'rounded' } };
  t.strictSame(repair(request, { grade: 4, changes: [], options }), {
    data: 'x',
    imageOptions: { margin: 3, imageSize: 0.2 },
    dotsOptions: { type: 'dots' },
    cornersDotOptions: { type: 'rounded' },
  });
});

t.test('every look gives grade 4 and needs no repair', async (t) => {
  for (const look of LOOKS)
    for (const data of ['https://example.com/', 'https://example.com/a/longer/path?with=some&more=1']) {
      const { data: text, ...options } = applyLook({ data, width: 600, height: 600 }, look);
      t.match(gradeDesign(text, toDesign(options), null), { grade: 4 }, look.name);
    }
});

t.test('a field reads back what was set, and removing it leaves nothing behind', async (t) => {
  const path = fc.constantFrom('width', 'dotsOptions.color', 'dotsOptions.gradient.type', 'qrOptions.mode');
  fc.assert(
    fc.property(path, fc.string(), (field, value) => {
      const set = withField({ data: 'x' }, field, value);
      const taken = withField(set, field, undefined);
      return read(set, field) === value && JSON.stringify(taken) === '{"data":"x"}';
    }),
  );
  const stops = { data: 'x', dotsOptions: { gradient: { colorStops: [{ offset: 0, color: 'red' }] } } };
  t.equal(
    read(
      withField(stops, 'dotsOptions.gradient.colorStops.0.color', 'blue'),
      'dotsOptions.gradient.colorStops.0.color',
    ),
    'blue',
  );
  t.equal(stops.dotsOptions.gradient.colorStops[0]!.color, 'red', 'the previous value is untouched');
  t.strictSame(toFieldFault('items.0.dotsOptions.color: is none'), {
    path: 'dotsOptions.color',
    message: 'is none',
  });
  t.equal(toFieldFault('no field here'), null);
});

t.test('content cannot break out of its quotes in the curl command and the image tag', async (t) => {
  const { path, json } = asCode({ request: { data: `it's` }, dynamic: true }, 'F');
  t.strictSame([path, JSON.parse(json)], ['codes', { data: `it's`, dynamic: true, folder_name: 'F' }]);
  t.match(toCurl('https://a.example/', path, json), `it'\\''s`);
  fc.assert(
    fc.property(fc.string(), (content) => {
      const picture = { content, widthPx: 300, dark: '#000000', light: '#ffffff' };
      const tag = writeImageTag(keyedUrl('https://a.example/', 'k', picture), picture);
      return /^<img src="[^"<>]*" width="300" height="300" alt="[^"<>]*">$/s.test(tag);
    }),
  );
});

const textOf = (made: ReturnType<typeof phoneText>): string => {
  if (!made.ok) throw new Error(made.fault);
  return made.value;
};

/** The values of a form, by field name. */
const entered =
  (fields: Readonly<Record<string, string>>) =>
  (name: string): string =>
    fields[name] ?? '';

t.test('each kind of content becomes its usual text', async (t) => {
  const wifi = { ssid: 'Café; "5G"', password: 'a\\b:c,d', hidden: 'yes' };
  const event = { title: 'Tea; cake', start: '2026-05-01T18:00', notes: 'a\nb' };
  const start = new Date(event.start).toISOString().replace(/\.000|[-:]/g, '');
  for (const [make, fields, text] of [
    [wifiText, wifi, 'WIFI:T:WPA;S:Café\\; \\"5G\\";P:a\\\\b\\:c\\,d;H:true;;'],
    [wifiText, { ...wifi, ssid: 'Guests', security: 'nopass', hidden: '' }, 'WIFI:T:nopass;S:Guests;;'],
    [emailText, { to: 'a@b.example' }, 'mailto:a@b.example'],
    [
      emailText,
      { to: 'a+c@b.example', subject: 'Hi & bye', body: 'one\ntwo' },
      'mailto:a%2Bc@b.example?subject=Hi%20%26%20bye&body=one%0D%0Atwo',
    ],
    [phoneText, { number: '+49 (30) 123-456' }, 'tel:+4930123456'],
    [phoneText, { number: '*06#' }, 'tel:*06%23'],
    [messageText, { number: '+49 30/1', message: 'Table 7, please' }, 'SMSTO:+49301:Table 7, please'],
    [placeText, { latitude: '52,5163', longitude: '-0.00000001' }, 'geo:52.5163,0'],
    [
      eventText,
      event,
      `BEGIN:VEVENT\r\nSUMMARY:Tea\\; cake\r\nDTSTART:${start}\r\nDESCRIPTION:a\\nb\r\nEND:VEVENT`,
    ],
  ] as const)
    t.equal(textOf(make(entered(fields))), text);
  for (const [make, fields, fault] of [
    [placeText, { latitude: '91', longitude: '0' }, /latitude/],
    [placeText, {}, /latitude/],
    [placeText, { latitude: '1', longitude: '181' }, /longitude/],
    [phoneText, { number: 'call me' }, /number/],
    [emailText, { to: '@b' }, /address/],
    [wifiText, { ...wifi, password: '' }, /password/],
    [eventText, { ...event, end: '2026-05-01T17:00' }, /after its start/],
  ] as const)
    t.match(make(entered(fields)), { ok: false, fault });
  for (const kind of KINDS)
    t.match(
      kind.toText(() => ''),
      { ok: false },
      `${kind.name} has a required field`,
    );
  for (const text of ['example.com', 'www.example.com/a?b=c', 'example.com:8080/a']) t.ok(lacksScheme(text));
  for (const text of [
    'https://example.com',
    'mailto:a@b.example',
    'a@b.example',
    'two words.txt x',
    '1.5',
    '',
  ])
    t.notOk(lacksScheme(text), text);
});

t.test('text typed into one field of a form cannot change another', async () => {
  const typed = fc.string({ minLength: 1, unit: 'binary' });
  /** Splits at a character that is not preceded by a backslash. */
  const split = (text: string, sign: string) =>
    (text.match(new RegExp(`(?:\\\\[\\s\\S]|[^\\\\${sign}])+`, 'g')) ?? []).map((part) =>
      part.replace(/\\([^n])/g, '$1').replace(/\\n/g, '\n'),
    );
  const plain = (text: string) => text.replace(/\r\n?/g, '\n');
  fc.assert(
    fc.property(typed, typed, (ssid, password) => {
      const text = textOf(wifiText(entered({ ssid, password })));
      const fields = (text.slice(5).match(/(?:\\[\s\S]|[^\\;])+/g) ?? []).map((part) =>
        part.replace(/\\([\s\S])/g, '$1'),
      );
      return fields.length === 3 && fields[1] === `S:${ssid}` && fields[2] === `P:${password}`;
    }),
  );
  fc.assert(
    fc.property(typed, typed, (first, last) => {
      const fields = entered({ first, last, url: last, street: last, city: first });
      const lines = textOf(contactText(fields)).split('\r\n');
      const name = split(lines[2]?.slice(2) ?? '', ';');
      const isWhole = name[0] === plain(last) && name[1] === plain(first);
      return isWhole && lines.length === 7 && lines.at(-1) === 'END:VCARD';
    }),
  );
  fc.assert(
    fc.property(typed, typed, (subject, body) => {
      const url = new URL(textOf(emailText(entered({ to: 'a@b.example', subject, body }))));
      const wellFormed = (text: string) => text.replace(/\r\n?|\n/g, '\r\n').replace(/\p{Cs}/gu, '\ufffd');
      return (
        url.pathname === 'a@b.example' &&
        url.search.split('&').length === 2 &&
        decodeURIComponent(url.search) === `?subject=${wellFormed(subject)}&body=${wellFormed(body)}`
      );
    }),
  );
});

t.test('a saved design loses only its default values', async (t) => {
  holds(
    t,
    fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), (design) => {
      const options = toOptions(design);
      const { data: _, ...left } = withoutDefaults({ data: 'x', ...options });
      return isDeepStrictEqual(toDesign(left), toDesign(options));
    }),
  );
  t.strictSame(withoutDefaults({ data: 'x', ...toOptions(toDesign({ width: 600, height: 600 })) }), {
    data: 'x',
    width: 600,
    height: 600,
  });
  t.match(resize({ data: 'x', width: 400, height: 200 }, 1000), { width: 1000, height: 500 });
  t.match(resize({ data: 'x' }, 50), { width: 50, height: 50 });
});
