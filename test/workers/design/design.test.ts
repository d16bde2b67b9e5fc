import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import sharp from 'sharp';
import t from 'tap';
import { writeElement } from '../../../workers/design/markup.ts';
import { planRender } from '../../../workers/plan.ts';
import { type Design, isFault, type Logo, type RenderTask } from '../../../workers/protocol.ts';
import { render } from '../../../workers/render.ts';
import renderGroup from '../../../workers/render-worker.ts';
import { createSymbol } from '../../../workers/symbol/symbol.ts';
import { casesOf, fewestOf } from '../../support/cases.ts';
import { decodePng } from '../../support/pictures/decode.ts';
import {
  ANY_SHADES,
  CORNER_TYPES,
  DEFAULT_DESIGN,
  DOT_TYPES,
  holds,
  legalDesigns,
  readableDesigns,
} from '../../support/pictures/designs.ts';
import { differenceOf, pixelsOf } from '../../support/pictures/pictures.ts';

const TEXT = 'https://example.com/poster?id=17';

async function logoOf(widthPx: number, heightPx: number): Promise<Logo> {
  const background = { r: 200, g: 80, b: 40, alpha: 0.9 };
  const png = await sharp({ create: { width: widthPx, height: heightPx, channels: 4, background } })
    .png()
    .toBuffer();
  return { png: new Uint8Array(png), widthPx, heightPx };
}
const LOGO = await logoOf(96, 64);

const taskOf = (overrides: Partial<Design> = {}, rest: Partial<RenderTask> = {}): RenderTask => ({
  text: TEXT,
  design: { ...DEFAULT_DESIGN, ...overrides },
  logo: null,
  format: 'png',
  ...rest,
});

function bytesOf(task: RenderTask): Uint8Array {
  const result = render(task);
  if (!result.ok) throw new Error(`${result.fault.field}: ${result.fault.message}`);
  return result.value.bytes;
}

const svgOf = (task: RenderTask): string => new TextDecoder().decode(bytesOf({ ...task, format: 'svg' }));

interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** Returns all elements of a document; throws when it is not well-formed. */
function parse(svg: string): readonly Node[] {
  const nodes: Node[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) =>
    nodes.push({ name, attributes: attributes as Record<string, string> }),
  );
  for (const event of ['text', 'cdata', 'comment', 'doctype', 'processinginstruction'] as const) {
    parser.on(event, (content: unknown) =>
      nodes.push({ name: `#${event}`, attributes: { content: String(content) } }),
    );
  }
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(svg).close();
  return nodes;
}

const NUMBER = /^-?(\d+|\d*\.\d{1,3})$/;
/** 0 to 1. */
const RATIO = /^(0|1|0\.\d{1,4})$/;
const PAINT = /^(#[0-9a-f]{6}|url\(#g[0-9a-z]+\))$/;

const MATRIX = /^matrix\((-?[\d.]+ ){5}-?[\d.]+\)$/;

/** Every element that may occur, and what its attributes must look like. */
const VOCABULARY: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
  svg: {
    xmlns: /^http:\/\/www\.w3\.org\/2000\/svg$/,
    width: /^\d+$/,
    height: /^\d+$/,
    viewBox: /^0 0 \d+ \d+$/,
    'shape-rendering': /^crispEdges$/,
  },
  defs: {},
  linearGradient: {
    id: /^g[0-9a-z]+$/,
    gradientUnits: /^userSpaceOnUse$/,
    gradientTransform: MATRIX,
    ...{ x1: /^-?\d+$/, y1: /^-?\d+$/, x2: /^-?\d+$/, y2: /^-?\d+$/ },
  },
  radialGradient: {
    id: /^g[0-9a-z]+$/,
    gradientUnits: /^userSpaceOnUse$/,
    gradientTransform: MATRIX,
    cx: NUMBER,
    cy: NUMBER,
    r: NUMBER,
  },
  stop: { offset: RATIO, 'stop-color': /^#[0-9a-f]{6}$/, 'stop-opacity': RATIO },
  path: {
    fill: PAINT,
    'fill-opacity': RATIO,
    'fill-rule': /^evenodd$/,
    transform: MATRIX,
    d: /^(M[\d. -]+([hvcs][\d. -]+)+z(m[\d. -]+([hvcs][\d. -]+)+z)*)+$/,
  },
  image: {
    x: NUMBER,
    y: NUMBER,
    width: NUMBER,
    height: NUMBER,
    href: /^data:image\/png;base64,[A-Za-z\d+/]+=*$/,
  },
};

/** Returns everything in a document that is not in the vocabulary, and dangling references. */
function strangersIn(nodes: readonly Node[]): readonly string[] {
  const ids = nodes.flatMap(({ attributes }) => attributes.id ?? []);
  const strange = nodes.flatMap(({ name, attributes }) =>
    Object.entries(attributes).flatMap(([key, value]) => {
      const pattern = VOCABULARY[name]?.[key];
      if (pattern === undefined || !pattern.test(value)) return `${name} ${key}="${value.slice(0, 80)}"`;
      const reference = /^url\(#(.+)\)$/.exec(value)?.[1];
      return reference === undefined || ids.includes(reference) ? [] : `${value} is not defined`;
    }),
  );
  return [...strange, ...nodes.filter(({ name }) => !(name in VOCABULARY)).map(({ name }) => name)];
}

const someLogo = fc.constantFrom(null, LOGO);

t.test('the element builder escapes all values', async (t) => {
  holds(
    t,
    fc.property(fc.string({ unit: fc.constantFrom(...'<>&"\'/=a ') }), (value) => {
      const [node, ...others] = parse(writeElement('path', { d: value }));
      return others.length === 0 && node!.attributes.d === value;
    }),
  );
  t.equal(writeElement('a', { b: '"><script>' }), '<a b="&quot;&gt;&lt;script&gt;"/>');
  t.equal(writeElement('a', { b: 1, c: null }, writeElement('d', {})), '<a b="1"><d/></a>');
});

t.test('every valid design gives a document of known elements, always the same', async (t) => {
  const seen = new Set<unknown>();
  let drawn = 0;
  holds(
    t,
    fc.property(legalDesigns(ANY_SHADES, ANY_SHADES), someLogo, (design, logo) => {
      const task = taskOf({ ...design, symbol: { ...design.symbol, mode: null } }, { logo, format: 'svg' });
      const result = render(task);
      if (!result.ok) return true;
      drawn++;
      for (const value of [design.shape, design.dots.type, design.dots.roundSize]) seen.add(value);
      seen.add(`ring ${design.cornersSquare.type}`).add(`centre ${design.cornersDot.type}`);

      const svg = new TextDecoder().decode(result.value.bytes);
      const nodes = parse(svg);
      const strangers = strangersIn(nodes);
      if (strangers.length > 0) throw new Error(strangers.join('; '));
      // Paths of the symbol are in modules, the path of the background in pixels.
      const paths = nodes.filter(
        ({ name, attributes }) => name === 'path' && attributes.transform !== undefined,
      );
      const fills = new Set(
        paths.map(({ attributes }) => `${attributes.fill} ${attributes['fill-opacity']}`),
      );
      const images = nodes.filter(({ name }) => name === 'image').length;
      return fills.size === paths.length && images === Number(logo !== null) && svg === svgOf(task);
    }),
    400,
  );
  const all = ['square', 'circle', true, false, ...DOT_TYPES];
  const corners = [null, ...CORNER_TYPES].flatMap((type) => [`ring ${type}`, `centre ${type}`]);
  const missing = [...all, ...corners].filter((value) => !seen.has(value));
  if (casesOf(400) === 400) t.strictSame(missing, [], 'every value of the options was used');
  t.ok(drawn > fewestOf(100), `${drawn} designs drawn`);
});

const FAULT_FIELDS =
  /^(data|width|height|margin|image|imageOptions\.(imageSize|margin)|qrOptions\.(mode|typeNumber))$/;

t.test('every request gets a picture of the right size, or a fault that names a field', async (t) => {
  const texts = fc.oneof(
    fc.string({ minLength: 1, maxLength: 200 }),
    fc.constantFrom('12345', 'x'.repeat(3000)),
  );
  const logos = fc.constantFrom(null, LOGO, { ...LOGO, widthPx: 4000, heightPx: 3 });
  holds(
    t,
    fc.property(texts, legalDesigns(ANY_SHADES, ANY_SHADES), logos, (text, design, logo) => {
      const result = render({ text, design, logo, format: 'svg' });
      if (!result.ok) return FAULT_FIELDS.test(result.fault.field) && /[^.]$/.test(result.fault.message);
      const [root] = parse(new TextDecoder().decode(result.value.bytes));
      return root!.attributes.viewBox === `0 0 ${design.widthPx} ${design.heightPx}`;
    }),
    400,
  );
});

t.test('every option changes the picture', async (t) => {
  const base = { ...DEFAULT_DESIGN, dots: { ...DEFAULT_DESIGN.dots, type: 'rounded' } } as const;
  const variants: readonly Partial<Design>[] = [
    {},
    { widthPx: 301 },
    { heightPx: 301 },
    { marginPx: 0 },
    { shape: 'circle' },
    { symbol: { ...base.symbol, typeNumber: 9 } },
    { symbol: { ...base.symbol, levels: ['H'] } },
    ...DOT_TYPES.filter((type) => type !== 'rounded').map((type) => ({ dots: { ...base.dots, type } })),
    { dots: { ...base.dots, paint: '#123456' } },
    { dots: { ...base.dots, roundSize: false } },
    ...CORNER_TYPES.filter((type) => type !== 'rounded').map((type) => ({
      cornersSquare: { type, paint: null },
    })),
    ...CORNER_TYPES.filter((type) => type !== 'rounded').map((type) => ({
      cornersDot: { type, paint: null },
    })),
    { cornersSquare: { type: null, paint: '#123456' } },
    { cornersDot: { type: null, paint: '#123456' } },
    { background: { paint: '#ffeedd', round: 0 } },
    { background: { paint: '#ffeedd', round: 0.5 } },
    { image: { ...base.image, size: 0.2 } },
    { image: { ...base.image, marginPx: 3 } },
    { image: { ...base.image, hideBackgroundDots: false } },
  ];
  const documents = variants.map((variant) => svgOf(taskOf({ ...base, ...variant }, { logo: LOGO })));
  t.equal(new Set(documents).size, variants.length);
  // A figure of square modules is the square figure.
  t.equal(svgOf(taskOf({ cornersDot: { type: 'square', paint: null } })), svgOf(taskOf()));
});

t.test('translucent paint never overlaps itself', async (t) => {
  const veil = { type: null, paint: '#80000080' } as const;
  for (const shape of ['square', 'circle'] as const) {
    for (const type of DOT_TYPES) {
      for (const roundSize of [true, false]) {
        const design: Partial<Design> = {
          ...{ shape, dots: { type, paint: '#00000080', roundSize } },
          ...{ cornersSquare: veil, background: { paint: '#00000000', round: 0 } },
        };
        const { rgba } = await pixelsOf(bytesOf(taskOf({ ...design, widthPx: 331 })));
        let most = 0;
        for (let at = 3; at < rgba.length; at += 4) most = Math.max(most, rgba[at]!);
        t.equal(most, 128, `${shape}, ${type}, roundSize ${roundSize}`);
      }
    }
  }
});

t.test('every dark module is dark in its middle, and every light one is light', async (t) => {
  for (const type of DOT_TYPES) {
    for (const roundSize of [true, false]) {
      const task = taskOf({ widthPx: 317, heightPx: 400, dots: { type, paint: '#000000', roundSize } });
      const plan = planRender(TEXT, task.design, null);
      if (isFault(plan)) throw new Error(plan.message);
      const { modulePx, xPx, yPx } = plan.geometry;
      const { size, modules } = createSymbol(TEXT, plan.symbol);
      const { rgba, widthPx } = await pixelsOf(bytesOf(task));
      const wrong = modules.filter((dark, at) => {
        const x = Math.floor(xPx + ((at % size) + 0.5) * modulePx);
        const y = Math.floor(yPx + (Math.floor(at / size) + 0.5) * modulePx);
        return rgba[(y * widthPx + x) * 4] !== (dark === 1 ? 0 : 255);
      });
      t.equal(wrong.length, 0, `${type}, roundSize ${roundSize}`);
    }
  }
});

t.test('the dots around a circle stay outside the symbol and inside the circle', async (t) => {
  for (const roundSize of [true, false]) {
    for (const widthPx of [60, 75, 300, 500]) {
      const dots = { type: 'square', paint: '#000000', roundSize } as const;
      const task = taskOf({ widthPx, heightPx: widthPx, shape: 'circle', dots });
      const plan = planRender(TEXT, task.design, null);
      if (isFault(plan)) throw new Error(plan.message);
      const { modulePx, xPx, yPx, moduleCount } = plan.geometry;
      const { rgba } = await pixelsOf(bytesOf(task));
      let [dotsOutside, dotsInFrame] = [0, 0];
      for (let at = 0; at < rgba.length; at += 4) {
        if (rgba[at]! > 128) continue;
        const [x, y] = [((at / 4) % widthPx) + 0.5 - xPx, Math.floor(at / 4 / widthPx) + 0.5 - yPx];
        const middle = (moduleCount * modulePx) / 2;
        if (Math.hypot(x - middle, y - middle) > widthPx / 2 - 2 * modulePx) dotsOutside++;
        const fromSymbol = Math.max(-x, -y, x - 2 * middle, y - 2 * middle);
        if (fromSymbol > 0 && fromSymbol < modulePx) dotsInFrame++;
      }
      t.strictSame(
        { dotsOutside, dotsInFrame },
        { dotsOutside: 0, dotsInFrame: 0 },
        `${widthPx} px, ${roundSize}`,
      );
    }
  }
});

t.test('gradients turn with the finder patterns, and ids are unique', async (t) => {
  const gradient = (rotationRad: number, color: string) =>
    ({
      type: 'linear',
      rotationRad,
      colorStops: [
        { offset: 0, color },
        { offset: 1, color: '#ff0000' },
      ],
    }) as const;
  const svg = (rotationRad: number, color = '#000000'): string =>
    svgOf(taskOf({ cornersSquare: { type: 'dot', paint: gradient(rotationRad, color) } }));
  const ends = parse(svg(0))
    .filter(({ name }) => name === 'linearGradient')
    .map(({ attributes: { x1, y1, x2, y2 } }) => [x1, y1, x2, y2].map(Number));
  // 29 modules of 8 px at (34, 34): rings at 34 and 34 + 22 * 8, 56 px wide.
  t.strictSame(ends, [
    [34, 62, 90, 62],
    [238, 34, 238, 90],
    [62, 266, 62, 210],
  ]);
  const paint = gradient(Math.PI / 2, '#000000');
  const [whole] = parse(svgOf(taskOf({ background: { paint, round: 0 } }))).filter(
    ({ name }) => name === 'linearGradient',
  );
  t.strictSame([whole!.attributes.y1, whole!.attributes.y2].map(Number), [0, 300], 'over the whole picture');
  const idsOf = (document: string) => [...document.matchAll(/ id="(\w+)"/g)].map(([, id]) => id);
  t.strictSame(idsOf(svg(0)), idsOf(svg(0)));
  for (const other of [svg(1), svg(0, '#000001')])
    t.notOk(idsOf(other).some((id) => idsOf(svg(0)).includes(id)));
});

t.test('a logo is centred, and the modules under it are left out on request', async (t) => {
  const image = { size: 0.4, marginPx: 6, hideBackgroundDots: true };
  const [hidden, shown] = [true, false].map((hideBackgroundDots) =>
    taskOf({ image: { ...image, hideBackgroundDots } }, { logo: LOGO }),
  ) as [RenderTask, RenderTask];
  const plan = planRender(TEXT, hidden.design, LOGO);
  if (isFault(plan)) throw new Error(plan.message);
  const box = plan.geometry.logo!;
  const colorAt = async (task: RenderTask, x: number, y: number): Promise<readonly number[]> => {
    const { rgba, widthPx } = await pixelsOf(bytesOf(task));
    return [...rgba.subarray((y * widthPx + x) * 4, (y * widthPx + x) * 4 + 3)];
  };
  const [r, g, b] = await colorAt(hidden, 150, 150);
  t.ok(r! > 180 && g! < 120 && b! < 90, 'the logo is drawn');
  const rim = { left: box.x - 6, top: box.y - 6, width: box.width + 12, height: 6 };
  const darkIn = async (task: RenderTask): Promise<number> => {
    const { data } = await sharp(bytesOf(task))
      .extract(rim)
      .grayscale()
      .raw()
      .toBuffer({ resolveWithObject: true });
    return data.filter((value) => value < 128).length;
  };
  t.equal(await darkIn(hidden), 0, 'its margin contains no modules');
  t.ok((await darkIn(shown)) > 0, 'or not');
});

t.test('another rasteriser draws the same picture from the SVG document', async (t) => {
  // librsvg does not support crisp edges, and scales logos with another filter.
  const designs = fc
    .sample(readableDesigns(), { numRuns: casesOf(40), seed: 1 })
    .map((design) => ({ ...design, dots: { ...design.dots, roundSize: true } }));
  for (const design of designs) {
    const drawnByOther = await sharp(Buffer.from(svgOf(taskOf(design))))
      .png()
      .toBuffer();
    const { mean, farOff } = differenceOf(
      await pixelsOf(drawnByOther),
      await pixelsOf(bytesOf(taskOf(design))),
    );
    const { dots, cornersSquare, cornersDot } = design;
    const what = JSON.stringify([dots.type, cornersSquare.type, cornersDot.type]);
    t.ok(mean < 1 && farOff < 0.001, `${what}: ${mean} on average (below 1), ${farOff} far off (below .001)`);
  }
});

/** Every fifth design is changed to fit the plain lane, and every fifth the stamped lane. */
const forLane = (index: number, design: Design, logo: Logo | null): { design: Design; logo: Logo | null } => {
  if (index % 5 > 1) return { design, logo };
  const solid = {
    ...design,
    dots: { ...design.dots, paint: '#102030', roundSize: true },
    cornersSquare: { ...design.cornersSquare, paint: null },
    cornersDot: { ...design.cornersDot, paint: null },
    background: { paint: '#ffffff', round: 0 },
  };
  if (index % 5 === 0) return { design: solid, logo: null };
  const square = { type: 'square', paint: null } as const;
  const dots = { ...solid.dots, type: 'square' } as const;
  return {
    design: { ...solid, shape: 'square', dots, cornersSquare: square, cornersDot: square },
    logo: null,
  };
};

t.test('random designs with good contrast are readable, from every lane and as SVG', async (t) => {
  const designs = fc.sample(fc.tuple(readableDesigns(), someLogo), { numRuns: casesOf(1100), seed: 7 });
  const drawn: Record<string, number> = {};
  for (const [index, [anyDesign, anyLogo]] of designs.entries()) {
    const { design, logo } = forLane(index, anyDesign, anyLogo);
    const text = `https://example.com/item/${index}`;
    const asSvg = index % 10 === 5;
    const result = render(taskOf(design, { text, logo, format: asSvg ? 'svg' : 'png' }));
    if (!result.ok) throw new Error(result.fault.message);
    const way = asSvg ? 'svg' : result.value.lane;
    drawn[way] = (drawn[way] ?? 0) + 1;
    const read = await decodePng(
      asSvg ? await sharp(Buffer.from(result.value.bytes)).png().toBuffer() : result.value.bytes,
    );
    if (read !== text) t.fail(JSON.stringify({ design, logo: logo !== null, read }));
  }
  t.comment(JSON.stringify(drawn));
  for (const way of ['plain', 'stamped', 'reference', 'svg']) t.ok((drawn[way] ?? 0) > casesOf(50), way);
});

t.test('a group of tasks gets its results in order, including faults, in separate buffers', async (t) => {
  const tasks = [
    taskOf(),
    taskOf({ widthPx: 10 }),
    taskOf({}, { format: 'svg' }),
    taskOf({ shape: 'circle' }),
  ];
  const at = new Int32Array(new SharedArrayBuffer(8));
  const results = await renderGroup({ tasks, at });
  t.strictSame(
    results.map(({ ok }) => ok),
    [true, false, true, true],
  );
  const buffers = results.flatMap((result) => (result.ok ? [result.value.bytes] : []));
  for (const bytes of buffers) t.equal(bytes.byteLength, bytes.buffer.byteLength);
  t.match(results[1], { fault: { field: 'width' } });
  t.equal(at[0], tasks.length - 1, 'the group reports its progress');
});

t.test('a task that makes the renderer fail fails alone, with the reason', async (t) => {
  const good = taskOf({});
  const broken = { ...good, logo: null, design: { ...good.design, dots: null } } as unknown as RenderTask;
  const results = await renderGroup({
    tasks: [good, broken, good],
    at: new Int32Array(new SharedArrayBuffer(8)),
  });
  t.strictSame(
    results.map(({ ok }) => ok),
    [true, false, true],
  );
  t.match(results[1], { thrown: /TypeError: .*\n +at /s });
});
