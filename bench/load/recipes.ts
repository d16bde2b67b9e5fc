/** The requests that loads are made of, as data. */
import { type Aim, contentOf, type HttpRequest } from './aim.ts';
import { GRADIENT, LARGE_GRADIENT, PLAIN, STYLED } from './styles.ts';

/** The server that a recipe is for: the gateway, a bare Fastify route, or the hand-written peer. */
export type TargetName = 'gateway' | 'bare' | 'peer';

/** A kind of request. `correct.ts` checks before a run that its codes decode. */
export interface Recipe {
  readonly target: TargetName;
  /** Codes that one request makes. */
  readonly codes: number;
  /** Builds request number `serial`. The same serial gives the same request. */
  build(aim: Aim, serial: number): HttpRequest;
  /** Whether an answer is right. Cheap enough to run on every answer. */
  isGood(status: number, body: Buffer | string): boolean;
  /**
   * The texts of the codes in answer number `serial`, in order; `null` when there are none or they cannot be predicted.
   */
  texts(aim: Aim, serial: number): readonly string[] | null;
}

const get = (path: string): HttpRequest => ({ method: 'GET', path, headers: {} });

const post = (path: string, { key }: Aim, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const isPng = (status: number, body: Buffer | string): boolean =>
  status === 200 && body.includes('IHDR') && body.includes('IEND', Math.max(0, body.length - 16));

const isBare = (status: number, body: Buffer | string): boolean => status === 200 && body.includes('world');

const peer = (widthPx: number): Recipe => ({
  target: 'peer',
  codes: 1,
  build: ({ run }, serial) =>
    get(`/qr?${new URLSearchParams({ content: contentOf(run, serial), width: String(widthPx) })}`),
  isGood: isPng,
  texts: ({ run }, serial) => [contentOf(run, serial)],
});

/** Number of pictures that hits request in turn. They are drawn before the measurement. */
export const HOT_PICTURES = 100;

const render = (widthPx: number, isHit: boolean): Recipe => {
  const content = ({ run }: Aim, serial: number) =>
    isHit ? contentOf('hot', serial % HOT_PICTURES) : contentOf(run, serial);
  return {
    target: 'gateway',
    codes: 1,
    build: (aim, serial) => {
      const query = { key: aim.key, content: content(aim, serial), width: String(widthPx) };
      return get(`/api/v1/render?${new URLSearchParams(query)}`);
    },
    isGood: isPng,
    texts: (aim, serial) => [content(aim, serial)],
  };
};

type Style = (aim: Aim) => object;

const single = (style: Style): Recipe => ({
  target: 'gateway',
  codes: 1,
  build: (aim, serial) => post('/api/v1/qr', aim, { data: contentOf(aim.run, serial), ...style(aim) }),
  isGood: (status, body) =>
    status === 200 && body.includes('{"success":true,"data":"data:image/png;base64,iVBOR'),
  texts: ({ run }, serial) => [contentOf(run, serial)],
});

const bulk = (items: number, style: object, dynamic = false): Recipe => {
  const texts = ({ run }: Aim, serial: number) =>
    Array.from({ length: items }, (_, index) => contentOf(run, `${serial}.${index}`));
  return {
    target: 'gateway',
    codes: items,
    build: (aim, serial) =>
      post('/api/v1/qr/bulk', aim, {
        folderName: 'bench',
        items: texts(aim, serial).map((data) => ({ data, ...style, ...(dynamic ? { dynamic } : {}) })),
      }),
    isGood: (status, body) =>
      status === 200 && body.includes(`"successful":${items},`, Math.max(0, body.length - 400)),
    // The slugs of new short links cannot be predicted.
    texts: dynamic ? () => null : texts,
  };
};

const redirect: Recipe = {
  target: 'gateway',
  codes: 0,
  build: ({ slugs }, serial) => get(`/l/${slugs[serial % slugs.length]}`),
  isGood: (status) => status === 302,
  texts: () => null,
};

/** Its targets are paths of Digital Link URIs instead of slugs. */
const resolve: Recipe = {
  target: 'gateway',
  codes: 0,
  build: ({ slugs }, serial) => get(slugs[serial % slugs.length]!),
  isGood: (status) => status === 307,
  texts: () => null,
};

/** A saved code is drawn at so many widths in turn that the cache never has the picture. */
const REDRAW_WIDTHS = 100;
const REDRAW_MAX_PX = 2000;

const redraw: Recipe = {
  target: 'gateway',
  codes: 0,
  build: ({ key, codes }, serial) => {
    const widthPx = REDRAW_MAX_PX - (Math.floor(serial / codes.length) % REDRAW_WIDTHS);
    return {
      method: 'GET',
      path: `/api/v1/codes/${codes[serial % codes.length]}/image?width=${widthPx}`,
      headers: { authorization: `Bearer ${key}` },
    };
  },
  isGood: isPng,
  texts: () => null,
};

const bare: Recipe = { target: 'bare', codes: 0, build: () => get('/'), isGood: isBare, texts: () => null };

/** All recipes, by the names that options and reports use. */
export const RECIPES = {
  bare,
  'peer 300': peer(300),
  'peer 1000': peer(1000),
  'render hit 300': render(300, true),
  'render hit 1000': render(1000, true),
  'render miss 300': render(300, false),
  'render miss 1000': render(1000, false),
  'single plain': single(() => PLAIN),
  'single styled': single(() => STYLED),
  'single gradient': single(() => GRADIENT),
  'single gradient 1000': single(() => ({ ...GRADIENT, width: 1000, height: 1000 })),
  'single logo': single(({ logo }) => ({ ...STYLED, image: logo })),
  'bulk 10': bulk(10, PLAIN),
  'bulk 100': bulk(100, PLAIN),
  'bulk 100 dynamic': bulk(100, PLAIN, true),
  redirect,
  resolve,
  'gradient flood': bulk(100, LARGE_GRADIENT),
  'large single': single(() => LARGE_GRADIENT),
  'large redraw': redraw,
} as const satisfies Record<string, Recipe>;

/** The name of a recipe. */
export type RecipeName = keyof typeof RECIPES;

/** Whether a text is the name of a recipe. */
export const isRecipeName = (name: string): name is RecipeName => Object.hasOwn(RECIPES, name);

/** Returns the recipe of that name. */
export const recipeOf = (name: RecipeName): Recipe => RECIPES[name];
