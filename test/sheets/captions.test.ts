/** The captions of sheets keep to their area, so that no accent stands in the quiet zone of the code above. */
import { createRequire } from 'node:module';
import fc from 'fast-check';
import PDFDocument from 'pdfkit';
import t from 'tap';
import { createCaptions } from '../../workers/sheets/captions.ts';
import { openFont } from '../../workers/vector/pdf-objects.ts';
import { holds } from '../support/pictures/designs.ts';

const path = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf');
const font = openFont(new PDFDocument({ font: null as unknown as string }), path);
const PT_PER_MM = 72 / 25.4;
/** Places are written in hundredths of a point. */
const CLOSE_PT = 0.01;

/** Returns the highest and the lowest point of a line's outlines over its baseline, in sizes of the font. */
const inkOf = (line: string): { readonly top: number; readonly bottom: number } => {
  const heights = [...line].flatMap((character) =>
    font.file
      .glyphForCodePoint(character.codePointAt(0)!)
      .path.commands.flatMap(({ args }) => args.filter((_, place) => place % 2 === 1)),
  );
  const em = font.file.unitsPerEm;
  return { top: Math.max(0, ...heights) / em, bottom: Math.min(0, ...heights) / em };
};

t.test(
  'what is drawn of a caption stays inside its area, also accents on capitals and letters with tails',
  async (t) => {
    const word = fc.string({ unit: fc.constantFrom(...'abgjy', ...'ÄÅÉŠẤỖǺȘÇĶ', ' '), maxLength: 20 });
    holds(
      t,
      fc.property(
        fc.array(word, { minLength: 1, maxLength: 3 }),
        fc.double({ min: 4.5, max: 12, noNaN: true }),
        fc.constantFrom('left' as const, 'center' as const),
        (words, sizePt, align) => {
          const heightPt = words.length * sizePt * 1.2;
          const area = { xMm: 1, yMm: 20, widthMm: 60, heightMm: heightPt / PT_PER_MM };
          const captions = createCaptions(font, {
            ...area,
            sizePt,
            leastPt: 3.5,
            linesMax: words.length,
            align,
          });
          const placed = captions.place({ caption: words.join('\n'), xMm: 5, yMm: 7 });
          const [topPt, bottomPt] = [27 * PT_PER_MM, 27 * PT_PER_MM + heightPt];
          return placed.lines.every(({ text, yPt }) => {
            const { top, bottom } = inkOf(text);
            return (
              yPt - top * placed.sizePt >= topPt - CLOSE_PT &&
              yPt - bottom * placed.sizePt <= bottomPt + CLOSE_PT
            );
          });
        },
      ),
      500,
    );
  },
);
