/** What a request leaves out. */
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';

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

t.test('options that are named with their defaults make the same design as no options', async (t) => {
  const qrOptions = { typeNumber: 0, segments: 'single', eci: false, boost: false } as const;
  t.strictSame(toDesign({ qrOptions }), toDesign({}));
  const extras = { segments: 'optimal', eci: true, boost: true } as const;
  t.strictSame(toDesign({ qrOptions: extras }).symbol, { ...toDesign({}).symbol, ...extras });
});
