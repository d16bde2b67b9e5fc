/** What words and frames cost beside the code alone. */
import t from 'tap';
import { toDesign } from '../../src/generate/request/design.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import type { Words } from '../../workers/print/surround.ts';
import { type CaptionSpec, isFault, type RenderTask } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';

/** Processor time to that of the bare code, far above what is measured and far below that of drawing all with resvg. */
const TIMES_MAX = { png: 12, svg: 5, pdf: 5 };
const ROUNDS = 25;
const FILES = 40;

const caption = (serial: number): CaptionSpec => ({
  text: `Item ${String(serial).padStart(6, '0')}\nWarehouse 12, shelf ${serial % 90}`,
  ...({ side: 'below', align: 'center', weight: 'regular', linesMax: 2, allow: [] } as const),
});
const WORDS: Readonly<Record<string, (serial: number) => Words>> = {
  none: () => ({ parts: [] }),
  'two lines': (serial) => ({ parts: [], caption: caption(serial) }),
  'two lines in a frame': (serial) => ({ parts: [], caption: caption(serial), frame: { type: 'rounded' } }),
};

let serial = 0;
const drawOne = (format: RenderTask['format'], words: (serial: number) => Words): void => {
  serial += 1;
  const text = `https://example.com/item/${String(serial).padStart(6, '0')}`;
  const kind = format === 'png' ? 'bitmap' : 'vector';
  const laid = layOutPrint(text, toDesign({}), { moduleMm: 0.508 }, kind, words(serial));
  if (isFault(laid)) throw new Error(laid.message);
  const { design, page, around } = laid;
  const print = { page, inks: { color: 'rgb', paper: '#ffffff' } as const, ...(around && { around }) };
  const drawn = render({ text, design, logo: null, format, print });
  if (!drawn.ok) throw new Error(drawn.fault.message);
  if (drawn.value.lane !== (format === 'png' ? 'plain' : 'vector'))
    throw new Error(`drawn in ${drawn.value.lane}`);
};

/** Returns the least processor time of a round for each kind of words, in microseconds a file. The kinds alternate. */
const timesOf = (format: RenderTask['format']): ReadonlyMap<string, number> => {
  const times = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, words] of Object.entries(WORDS)) {
      const before = process.cpuUsage();
      for (let file = 0; file < FILES; file += 1) drawOne(format, words);
      const { user, system } = process.cpuUsage(before);
      times.set(name, Math.min(times.get(name) ?? Number.POSITIVE_INFINITY, (user + system) / FILES));
    }
  }
  return times;
};

for (const format of ['png', 'svg', 'pdf'] as const) {
  t.test(`words beside a code cost about as much as the code: ${format}`, async (t) => {
    const times = timesOf(format);
    for (const [name, us] of times) {
      const ratio = us / times.get('none')!;
      t.ok(ratio <= TIMES_MAX[format], `${name}: ${ratio.toFixed(2)} times`);
    }
  });
}
