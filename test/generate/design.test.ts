/** Defaults of fields that a request leaves out. */
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { CORNERS_LEFT_OUT, DOT_TYPES, namesOf } from '../../workers/lists.ts';

t.test('a request without options has the defaults of docs/design.md', async (t) => {
  t.strictSame(toDesign({}), {
    widthPx: 300,
    heightPx: 300,
    marginPx: null,
    shape: 'square',
    symbol: { typeNumber: 0, mode: null, levels: ['Q', 'M', 'L'] },
    dots: { type: 'square', paint: '#000000', roundSize: true },
    cornersSquare: { type: null, paint: null },
    cornersDot: { type: null, paint: null },
    background: { paint: '#ffffff', round: 0 },
    image: { size: 0.4, marginPx: 0, hideBackgroundDots: true },
  });
});

t.test('options with their default values make the same design as no options', async (t) => {
  const qrOptions = { typeNumber: 0, segments: 'single', eci: false, boost: false } as const;
  t.strictSame(toDesign({ qrOptions }), toDesign({}));
  const extras = { segments: 'optimal', eci: true, boost: true } as const;
  t.strictSame(toDesign({ qrOptions: extras }).symbol, { ...toDesign({}).symbol, ...extras });
});

t.test('a finder centre that is left out follows the dots, but never becomes lone discs', async (t) => {
  const centre = (options: Parameters<typeof toDesign>[0]) => toDesign(options).cornersDot.type;
  const ring = (options: Parameters<typeof toDesign>[0]) => toDesign(options).cornersSquare.type;
  const dotsOptions = { type: 'dots' } as const;
  t.equal(centre({ dotsOptions }), 'rounded');
  t.equal(ring({ dotsOptions }), null, 'a ring of discs is found');
  for (const type of ['square', 'dots', 'dot'] as const) {
    t.equal(
      centre({ dotsOptions, cornersSquareOptions: { type } }),
      'rounded',
      'also when only the ring is given',
    );
    t.equal(centre({ dotsOptions, cornersDotOptions: { type } }), type, 'what is given is drawn as given');
    t.equal(centre({ cornersDotOptions: { type } }), type);
  }
  t.equal(centre({ dotsOptions, cornersDotOptions: { color: 'red' } }), 'rounded');
  for (const type of namesOf(DOT_TYPES)) {
    t.equal(centre({ dotsOptions: { type } }), CORNERS_LEFT_OUT[type]?.centre ?? null);
  }
});
