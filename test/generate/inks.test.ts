/** What inks a file may have. */
import t from 'tap';
import { layOutFile } from '../../src/generate/file.ts';
import { toDesign } from '../../src/generate/request/design.ts';
import { type PrintQuery, toPrint } from '../../src/generate/request/print.ts';
import { sharedApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';

const BLUE = { dotsOptions: { color: '#1a4b8c' } };

/** Returns the fault of a file, as the API words it; `null`: it has none. */
const faultOf = (query: PrintQuery, options: object = BLUE, format: 'pdf' | 'eps' | 'png' = 'pdf') => {
  const print = toPrint(query);
  const laid = print.ok ? layOutFile('text', toDesign(options), { format, print: print.value }) : print;
  return laid.ok ? null : `${laid.fault.field}: ${laid.fault.message}`;
};

t.test('inks that a file cannot have are refused at their parameter', async (t) => {
  const spots = '1a4b8c=PANTONE 286 C';
  const cases: readonly (readonly [PrintQuery, RegExp, options?: object, format?: 'eps' | 'png'])[] = [
    [{ spots: '1a4b8d=Blue' }, /^spots: no part .* #1a4b8d; they have #1a4b8c, #ffffff$/],
    [{ spots: `${spots},1A4B8C=Other` }, /^spots: names two inks for #1a4b8c$/],
    [{ spots: '1a4b8c=Black' }, /^spots: "Black" is the name of another ink$/],
    [{ spots, white: 'pantone 286 c' }, /^white: .* two inks$/],
    [{ spots }, /^spots: only PDF and EPS .* png$/, BLUE, 'png'],
    [{ overprint: true }, /^overprint: only PDF and EPS/, {}, 'png'],
    [{ varnish: 'Gloss' }, /^varnish: only PDF and EPS/, {}, 'png'],
    [{ overprint: true }, /^overprint: the dots are neither/],
    [
      { overprint: true, spots },
      /^overprint: the dots are lighter/,
      { ...BLUE, backgroundOptions: { color: '#000010' } },
    ],
    [{ dieline_radius_mm: 1 }, /^dieline_radius_mm: needs a dieline$/],
    [{ dieline: 'Cut', dieline_radius_mm: 8, width_mm: 15 }, /^dieline_radius_mm: must be at most 7.50/],
  ];
  for (const [query, wanted, options, format] of cases)
    t.match(faultOf(query, options, format) ?? 'none', wanted, JSON.stringify(query));
  t.equal(faultOf({ spots, overprint: true, dieline: 'Cut', dieline_radius_mm: 3 }), null);
  t.equal(faultOf({ overprint: true }, {}, 'eps'), null, 'black over white');
});

t.test('a caption and a frame have spot colours of their own', async (t) => {
  const spots = 'c00000=Warm Red,00a040=Green';
  const words = {
    caption: '{name}',
    caption_color: '#c00000',
    frame: 'line',
    frame_color: '#00a040',
  } as const;
  t.equal(faultOf({ ...words, spots }), null);
  t.match(faultOf({ ...words, frame: 'none', spots }) ?? '', /^spots: .* #00a040; .*#c00000$/, 'no frame');
  t.match(faultOf({ spots }) ?? '', /^spots: .* #c00000/, 'no words');
  const gradient = {
    dotsOptions: {
      gradient: {
        colorStops: [
          { offset: 0, color: '#c00000' },
          { offset: 1, color: '#000000' },
        ],
      },
    },
  };
  t.match(faultOf({ spots: 'c00000=Warm Red' }, gradient) ?? '', /^spots: /);
  t.equal(
    faultOf({ spots: 'c00000=Warm Red', frame: 'line' }, gradient),
    null,
    'the first colour of the dots',
  );
  const banner = { caption: 'Menu', frame: 'banner-below', spots: 'ffee00=Yellow 012' } as const;
  t.equal(faultOf(banner, { backgroundOptions: { color: '#ffee00' } }), null, 'reversed in the background');
});

t.test('a file with spot colours is made, and a name that would end a string is refused', async (t) => {
  const { post } = await newClient(await sharedApp());
  const ask = (query: string) =>
    post(`/qr/file?${query}`, { data: 'https://example.com', ...BLUE }, { accept: 'application/postscript' });
  const made = await ask('spots=1a4b8c=PANTONE%20286%20C&dieline=Cut');
  t.equal(made.status, 200);
  t.match(made.bytes.toString('latin1'), /^%%DocumentCustomColors: \(PANTONE 286 C\) \(Cut\)$/m);
  for (const name of ['a)b', 'a(b', 'a\\b', 'a%0Ab', '%2F', 'a'.repeat(64)])
    t.equal((await ask(`dieline=${encodeURIComponent(name)}`)).status, 400, name);
});

t.test('a print profile keeps inks, unless its format has none', async (t) => {
  const { post, get, bulk } = await newClient(await sharedApp());
  const options = { format: 'eps', dieline: 'Cut', white: 'White' };
  t.equal((await post('/print-profiles', { name: 'Film', options })).status, 201);
  const png = await post('/print-profiles', { name: 'Web', options: { ...options, format: 'png' } });
  t.match(png, { status: 400, json: { details: /^options\.dieline: only PDF and EPS/ } });
  const { codes } = await bulk([{ data: 'x' }]);
  const answer = await get(`/codes/${codes[0]!.id}/image?profile=Film`);
  t.match(answer.bytes.toString('latin1'), /DocumentCustomColors: \(White\) \(Cut\)/);
});
