/** The page's pure functions of contents and designs. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import t from 'tap';
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
import { asCode, keyedUrl, toCurl, writeImageTag } from '../../src/dashboard/screens/snippets.ts';

import { toDesign } from '../../src/generate/request/design.ts';
import { toOptions } from '../../src/generate/request/options.ts';
import { gradeDesign } from '../../workers/quality/grade.ts';
import { ANY_SHADES, holds, legalDesigns } from '../support/pictures/designs.ts';

t.test('a colour as a canvas writes it becomes one for a picker', async (t) => {
  t.equal(toPickerColor('#0a7fff'), '#0a7fff');
  t.equal(toPickerColor('rgba(1, 2, 30, 0.5)'), '#01021e');
  t.equal(toPickerColor('color(srgb 1 0 0)'), null);
});

t.test('hints say what each parameter measures, lowest grade first, and what to do', async (t) => {
  const parameters = { contrast: 1, 'finder-centre': 4, ground: 3 } as const;
  const hints = hintsOf({ parameters, warnings: [{ name: 'contrast', value: 0.3, advice: '' }] });
  t.match(hints, [
    { about: 'Contrast', grade: 1, text: /^How much darker .* Darken dots/ },
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
