/** How drawing a picture divides its time into symbol, shapes, pixels and file, as V8's profiler sees it. */
import { type Profiler, Session } from 'node:inspector';
import sharp from 'sharp';
import { toDesign } from '../../src/generate/request/design.ts';
import type { Design, Logo } from '../../workers/protocol.ts';
import { render } from '../../workers/render.ts';
import { contentOf } from '../load/aim.ts';
import type { RecipeName } from '../load/recipes.ts';
import { GRADIENT, PLAIN, STYLED } from '../load/styles.ts';

/** The parts of drawing, in their order. */
export const PARTS = ['symbol', 'shapes', 'raster', 'encode'] as const;
/** Shares of the time in a render thread; they add up to 1. */
export type Shares = Readonly<Record<(typeof PARTS)[number], number>>;

const LOGO_PX = 96;
const WARM_UP_MS = 300;
const PROFILE_MS = 700;
const SAMPLING_US = 200;

/**
 * Which files belong to which part. The first pattern that matches wins; the innermost call that matches any
 * decides.
 */
const PLACES: readonly (readonly [RegExp, (typeof PARTS)[number]])[] = [
  [/\/raster\/png|\/raster\/scratch|^node:(internal\/)?zlib|^zlib/, 'encode'],
  [/\/workers\/raster\/|resvg/, 'raster'],
  [/\/workers\/design\//, 'shapes'],
  [/\/workers\/symbol\/|\/workers\/plan\.|\/qrcode\//, 'symbol'],
];

const partOf = (url: string): (typeof PARTS)[number] | undefined =>
  PLACES.find(([pattern]) => pattern.test(url))?.[1];

/** Adds up the samples by part. Samples that belong to no part (garbage collection, the profiler) are left out. */
export const sharesOf = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Shares => {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const urls = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.url]));
  const owner = (leaf: number): (typeof PARTS)[number] | undefined => {
    for (let id: number | undefined = leaf; id !== undefined; id = parents.get(id)) {
      const part = partOf(urls.get(id) ?? '');
      if (part !== undefined) return part;
    }
    return undefined;
  };
  const spent = { symbol: 0, shapes: 0, raster: 0, encode: 0 };
  for (const [i, leaf] of samples.entries()) {
    const part = owner(leaf);
    if (part !== undefined) spent[part] += timeDeltas[i] ?? 0;
  }
  const total = Math.max(1, spent.symbol + spent.shapes + spent.raster + spent.encode);
  const shareOf = (part: keyof typeof spent) => spent[part] / total;
  return {
    symbol: shareOf('symbol'),
    shapes: shareOf('shapes'),
    raster: shareOf('raster'),
    encode: shareOf('encode'),
  };
};

const drawFor = (ms: number, design: Design, logo: Logo | null): void => {
  const endMs = performance.now() + ms;
  for (let serial = 0; performance.now() < endMs; serial += 1) {
    const result = render({ text: contentOf('parts', serial), design, logo, format: 'png' });
    if (!result.ok) throw new Error(result.fault.message);
  }
};

const profile = async (run: () => void): Promise<Profiler.Profile> => {
  const session = new Session();
  session.connect();
  const post = <T>(method: string, parameters: object = {}) =>
    new Promise<T>((resolve, reject) => {
      session.post(method, parameters, (error, result) => (error ? reject(error) : resolve(result as T)));
    });
  try {
    await post('Profiler.enable');
    await post('Profiler.setSamplingInterval', { interval: SAMPLING_US });
    await post('Profiler.start');
    run();
    return (await post<{ profile: Profiler.Profile }>('Profiler.stop')).profile;
  } finally {
    session.disconnect();
  }
};

const disc = async (): Promise<Logo> => {
  const half = LOGO_PX / 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_PX}" height="${LOGO_PX}"><circle cx="${half}" cy="${half}" r="${half}"/></svg>`;
  return { png: await sharp(Buffer.from(svg)).png().toBuffer(), widthPx: LOGO_PX, heightPx: LOGO_PX };
};

/** Draws one kind of picture after the other in this process; each takes about a second. */
export const measureParts = async (): Promise<Partial<Record<RecipeName, Shares>>> => {
  const plain = toDesign(PLAIN);
  const pictures: readonly (readonly [RecipeName, Design, Logo | null])[] = [
    ['render miss 300', plain, null],
    ['render miss 1000', toDesign({ width: 1000, height: 1000 }), null],
    ['single plain', plain, null],
    ['single styled', toDesign(STYLED), null],
    ['single gradient', toDesign(GRADIENT), null],
    ['single logo', toDesign(STYLED), await disc()],
    ['bulk 10', plain, null],
    ['bulk 100', plain, null],
  ];
  const shares: Partial<Record<RecipeName, Shares>> = {};
  for (const [name, design, logo] of pictures) {
    drawFor(WARM_UP_MS, design, logo);
    shares[name] = sharesOf(await profile(() => drawFor(PROFILE_MS, design, logo)));
  }
  return shares;
};
