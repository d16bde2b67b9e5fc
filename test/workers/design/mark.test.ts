/** The mark of sandbox pictures: it is visible in every format, and the code stays readable. */
import { Resvg } from '@resvg/resvg-js';
import fc from 'fast-check';
import t from 'tap';
import { toDesign } from '../../../src/generate/request/design.ts';
import type { Design, RenderTask } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import { casesOf } from '../../support/cases.ts';
import { decodePng } from '../../support/pictures/decode.ts';
import { ANY_SHADES, legalDesigns, readableDesigns } from '../../support/pictures/designs.ts';
import { pixelsOf } from '../../support/pictures/pictures.ts';
import { ghostscripts, type Print, poppler, printOf } from '../../support/pictures/print.ts';

const TEXT = 'https://example.com/sandbox';

const draw = (design: Design, format: RenderTask['format'] = 'png'): Uint8Array | null => {
  const drawn = render({ text: TEXT, design, logo: null, format });
  return drawn.ok ? drawn.value.bytes : null;
};
const marked = (design: Design): Design => ({ ...design, mark: 'test' });

t.test('a marked picture is readable whenever it is readable without the mark', async (t) => {
  const property = fc.asyncProperty(readableDesigns(), async (design) => {
    const plain = render({ text: TEXT, design, logo: null, format: 'png' });
    const mark = draw(marked(design));
    if (!plain.ok || mark === null) return plain.ok === (mark !== null);
    const { bytes, grade } = plain.value;
    // Of those below grade 2 readers miss some anyway, so that any change of a pixel may decide.
    return grade < 2 || (await decodePng(bytes)) !== TEXT || (await decodePng(mark)) === TEXT;
  });
  await fc.assert(property, { numRuns: casesOf(100) });
  t.pass();
});

t.test('the mark is visible in any design, and changes neither its size nor if it is drawn', async (t) => {
  const property = fc.asyncProperty(legalDesigns(ANY_SHADES, ANY_SHADES), async (design) => {
    // A red background hides a red tint.
    fc.pre(typeof design.background.paint === 'string' && !/^#[a-f]/.test(design.background.paint));
    const [plain, mark] = [draw(design), draw(marked(design))];
    if (plain === null || mark === null) return plain === mark;
    const [one, other] = [await pixelsOf(plain), await pixelsOf(mark)];
    let changed = 0;
    for (let at = 0; at < one.rgba.length; at += 4) {
      const isSame = [0, 1, 2, 3].every(
        (channel) => Math.abs(one.rgba[at + channel]! - other.rgba[at + channel]!) < 8,
      );
      if (!isSame) changed += 1;
    }
    return one.widthPx === other.widthPx && one.heightPx === other.heightPx && changed >= 20;
  });
  await fc.assert(property, { numRuns: casesOf(100) });
  t.pass();
});

/** Returns the share of pixels with the tint of the mark on white. */
const tinted = ({ rgb }: Print): number => {
  let count = 0;
  for (let at = 0; at < rgb.length; at += 3) {
    const [red, green, blue] = [rgb[at]!, rgb[at + 1]!, rgb[at + 2]!];
    if (red - green > 40 && Math.abs(green - blue) < 12) count += 1;
  }
  return count / (rgb.length / 3);
};

t.test('every format has the mark behind the symbol', async (t) => {
  const gradient = {
    colorStops: [
      { offset: 0, color: '#fff' },
      { offset: 1, color: '#ffe' },
    ],
  };
  const kinds = Object.entries({ white: {}, transparent: { color: 'transparent' }, gradient: { gradient } });
  const cases = kinds.flatMap(([name, backgroundOptions]) => {
    const design = toDesign({ backgroundOptions });
    return (['png', 'svg', 'pdf', 'eps'] as const).map((format) => ({
      name: `${name} ${format}`,
      format,
      files: [draw(design, format)!, draw(marked(design), format)!],
    }));
  });
  const forGhostscript = cases.filter(({ format }) => format === 'pdf' || format === 'eps');
  const byGhostscript = await ghostscripts(
    forGhostscript.flatMap(({ files }) => files),
    96,
  );
  const judge = async (bytes: Uint8Array, format: RenderTask['format']): Promise<Print> => {
    if (format === 'pdf') return poppler(bytes, 96);
    return printOf(format === 'svg' ? new Resvg(new TextDecoder().decode(bytes)).render().asPng() : bytes);
  };
  const pairs = forGhostscript.map(({ name }, i) => ({
    name: `${name}, Ghostscript`,
    prints: byGhostscript.slice(2 * i, 2 * i + 2),
  }));
  for (const { name, format, files } of cases)
    if (format !== 'eps')
      pairs.push({ name, prints: await Promise.all(files.map((file) => judge(file, format))) });
  const isBlack = (at: number, { rgb }: Print) => rgb[at]! + rgb[at + 1]! + rgb[at + 2]! < 30;
  for (const {
    name,
    prints: [plain, print],
  } of pairs) {
    t.ok(tinted(print!) > 0.08, `${name}: ${tinted(print!)}`);
    t.ok(tinted(plain!) < 0.001, `${name} without`);
    let covered = 0;
    for (let at = 0; at < print!.rgb.length; at += 3)
      if (isBlack(at, plain!) && !isBlack(at, print!)) covered += 1;
    t.equal(covered, 0, `${name}: no module is covered`);
  }
  t.equal(pairs.length, 15);
});
