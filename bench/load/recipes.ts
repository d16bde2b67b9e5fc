/** The requests that loads are made of, as data. */
import { signPath } from '../../src/signed/address.ts';
import { type Aim, contentOf, type HttpRequest, type Need, type SavedCode } from './aim.ts';
import { GRADIENT, LARGE_GRADIENT, PLAIN, STYLED } from './styles.ts';

/** The server that a recipe is for: the gateway, a bare Fastify route, or the hand-written peer. */
export type TargetName = 'gateway' | 'bare' | 'peer';

/** A right answer. It is data, so that other load generators can check it too. */
export interface Good {
  readonly status: number;
  /** Near the start of the body; '' when anything may be there. */
  readonly start: string;
  /** Among the last `END_BYTES` bytes of the body. */
  readonly end: string;
}

/** A kind of request. `correct.ts` checks before a run that its codes decode. */
export interface Recipe {
  readonly target: TargetName;
  /** Codes that one request makes. */
  readonly codes: number;
  readonly needs: readonly Need[];
  /** The most that run at a time; more are refused. */
  readonly atOnce?: { readonly perAccount: number; readonly perGateway?: number };
  readonly good: Good;
  /** Whether an answer is right. Cheap enough to run on every answer. */
  isGood(status: number, body: Buffer | string): boolean;
  /** Builds request number `serial`. The same serial gives the same request. */
  build(aim: Aim, serial: number): HttpRequest;
  /** After so many requests they repeat; infinite when no two are the same. */
  period(aim: Aim): number;
  /** The parameters of the signed address that `build` asks for, of recipes that sign. */
  parameters?(aim: Aim, serial: number): object;
  /**
   * The texts of the codes in answer number `serial`, in order; `null` when there are none or they cannot be predicted.
   */
  texts(aim: Aim, serial: number): readonly string[] | null;
}

/** The end of an answer is looked for in so many bytes. */
export const END_BYTES = 400;

const good = (status: number, start = '', end = ''): Pick<Recipe, 'good' | 'isGood'> => ({
  good: { status, start, end },
  isGood: (is, body) =>
    is === status && body.includes(start) && body.includes(end, Math.max(0, body.length - END_BYTES)),
});

const get = (path: string, key?: string): HttpRequest => ({
  method: 'GET',
  path,
  headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
});

const post = (path: string, { key }: Aim, body: unknown): HttpRequest => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const PNG = good(200, 'IHDR', 'IEND');
/** Of requests that never repeat, and whose answers hold no codes that can be predicted. */
const USUAL = {
  target: 'gateway',
  codes: 0,
  needs: [],
  period: () => Number.POSITIVE_INFINITY,
  texts: () => null,
} as const;

/** Number of pictures that hits request in turn. They are drawn before the measurement. */
export const HOT_PICTURES = 100;

/** A recipe that answers with the picture of one content, which is one of a hundred for hits. */
const picture = (
  isHit: boolean,
  build: (aim: Aim, content: string) => HttpRequest,
  parameters: ((content: string) => object) | null = null,
): Recipe => {
  const content = ({ run }: Aim, serial: number) =>
    isHit ? contentOf('hot', serial % HOT_PICTURES) : contentOf(run, serial);
  return {
    ...USUAL,
    ...PNG,
    codes: 1,
    needs: parameters === null ? [] : ['secret'],
    build: (aim, serial) => build(aim, content(aim, serial)),
    ...(isHit && { period: () => HOT_PICTURES }),
    ...(parameters && { parameters: (aim: Aim, serial: number) => parameters(content(aim, serial)) }),
    texts: (aim, serial) => [content(aim, serial)],
  };
};

const peer = (widthPx: number): Recipe => ({
  ...picture(false, (_, content) => get(`/qr?${new URLSearchParams({ content, width: String(widthPx) })}`)),
  target: 'peer',
});

const render = (widthPx: number, isHit: boolean): Recipe =>
  picture(isHit, ({ key }, content) =>
    get(`/api/v1/render?${new URLSearchParams({ key, content, width: String(widthPx) })}`),
  );

const signed = (widthPx: number, isHit: boolean): Recipe => {
  const parameters = (data: string) => ({ data, width: widthPx, height: widthPx });
  return picture(
    isHit,
    ({ secret }, content) => get(signPath(secret!, parameters(content), 'png')),
    parameters,
  );
};

type Style = (aim: Aim) => object;

/** A recipe that posts one content. */
const single = (path: string, style: Style, of: Partial<Recipe> & ReturnType<typeof good>): Recipe => ({
  ...USUAL,
  codes: 1,
  build: (aim, serial) => post(path, aim, { data: contentOf(aim.run, serial), ...style(aim) }),
  ...of,
});

const made = (style: Style): Recipe =>
  single('/api/v1/qr', style, {
    ...good(200, '{"success":true,"data":"data:image/png;base64,iVBOR'),
    texts: ({ run }, serial) => [contentOf(run, serial)],
  });

const saved = (style: object): Recipe => single('/api/v1/codes', () => style, good(201, '"id":"'));

const contents = ({ run }: Aim, serial: number, items: number): string[] =>
  Array.from({ length: items }, (_, index) => contentOf(run, `${serial}.${index}`));

const bulk = (items: number, style: object, dynamic = false): Recipe => ({
  ...USUAL,
  codes: items,
  ...good(200, '', `"successful":${items},`),
  build: (aim, serial) =>
    post('/api/v1/qr/bulk', aim, {
      folderName: 'bench',
      items: contents(aim, serial, items).map((data) => ({
        data,
        ...style,
        ...(dynamic ? { dynamic } : {}),
      })),
    }),
  // The slugs of new short links cannot be predicted.
  texts: dynamic ? USUAL.texts : (aim, serial) => contents(aim, serial, items),
});

/** A batch is answered when it is received; its codes are made afterwards. */
const batch = (rows: number): Recipe => ({
  ...USUAL,
  codes: rows,
  needs: ['accounts'],
  atOnce: { perAccount: 3, perGateway: 6 },
  ...good(202, '"state":"'),
  build: (aim, serial) => ({
    method: 'POST',
    path: '/api/v1/batches?folder_name=bench',
    headers: { authorization: `Bearer ${aim.key}`, 'content-type': 'text/csv' },
    body: `data\n${contents(aim, serial, rows).join('\n')}\n`,
  }),
});

/** A recipe that visits things in turn, whose answers have no body that matters. */
const visited = (need: Need, status: number, of: (aim: Aim) => readonly string[], path = ''): Recipe => ({
  ...USUAL,
  needs: [need],
  ...good(status),
  build: (aim, serial) => ({
    ...get(path + of(aim)[serial % of(aim).length]!),
    headers: aim.visitor ?? {},
  }),
  period: (aim) => of(aim).length,
});

/** A saved code is drawn at so many widths in turn that the cache never has the picture. */
const REDRAW_WIDTHS = 100;

const redraw = (need: Need, largestPx: number, codesOf: (aim: Aim) => readonly SavedCode[]): Recipe => ({
  ...USUAL,
  ...PNG,
  needs: ['accounts', need],
  build: (aim, serial) => {
    const codes = codesOf(aim);
    const widthPx = largestPx - (Math.floor(serial / codes.length) % REDRAW_WIDTHS);
    const { id, key } = codes[serial % codes.length]!;
    return get(`/api/v1/codes/${id}/image?width=${widthPx}`, key);
  },
  period: (aim) => codesOf(aim).length * REDRAW_WIDTHS,
});

const bare: Recipe = {
  ...USUAL,
  target: 'bare',
  ...good(200, 'world'),
  build: () => get('/'),
  period: () => 1,
};

/** All recipes, by the names that options and reports use. */
export const RECIPES = {
  bare,
  'peer 300': peer(300),
  'peer 1000': peer(1000),
  'render hit 300': render(300, true),
  'render hit 1000': render(1000, true),
  'render miss 300': render(300, false),
  'render miss 1000': render(1000, false),
  'signed hit 300': signed(300, true),
  'signed miss 300': signed(300, false),
  'single plain': made(() => PLAIN),
  'single styled': made(() => STYLED),
  'single gradient': made(() => GRADIENT),
  'single gradient 1000': made(() => ({ ...GRADIENT, width: 1000, height: 1000 })),
  'single logo': made(({ logo }) => ({ ...STYLED, image: logo })),
  check: single('/api/v1/qr/check', () => STYLED, {
    codes: 0,
    needs: ['accounts'],
    atOnce: { perAccount: 6 },
    ...good(200, '"grade":'),
  }),
  'save plain': saved(PLAIN),
  'save dynamic': saved({ ...PLAIN, dynamic: true }),
  'redraw 300': redraw('codes', 300, ({ codes }) => codes),
  'bulk 10': bulk(10, PLAIN),
  'bulk 100': bulk(100, PLAIN),
  'bulk 10 dynamic': bulk(10, PLAIN, true),
  'bulk 100 dynamic': bulk(100, PLAIN, true),
  'batch 100': batch(100),
  redirect: visited('links', 302, ({ slugs }) => slugs, '/l/'),
  resolve: visited('uris', 307, ({ uris }) => uris),
  'gradient flood': bulk(100, LARGE_GRADIENT),
  'large single': made(() => LARGE_GRADIENT),
  'large redraw': redraw('large codes', 2000, ({ largeCodes }) => largeCodes),
} as const satisfies Record<string, Recipe>;

/** The name of a recipe. */
export type RecipeName = keyof typeof RECIPES;

/** Whether a text is the name of a recipe. */
export const isRecipeName = (name: string): name is RecipeName => Object.hasOwn(RECIPES, name);

/** Marks requests with a key as those of a load test, if the aim names one. */
const marking = (recipe: Recipe): Recipe => ({
  ...recipe,
  build: (aim, serial) => {
    const request = recipe.build(aim, serial);
    const hasKey = request.headers.authorization !== undefined || /[?&]key=/.test(request.path);
    return aim.loadTest === undefined || !hasKey
      ? request
      : { ...request, headers: { ...request.headers, 'tessera-load-test': aim.loadTest } };
  },
});
const MARKED = new Map(Object.entries(RECIPES).map(([name, recipe]) => [name, marking(recipe)]));

/** Returns the recipe of that name. */
export const recipeOf = (name: RecipeName): Recipe => MARKED.get(name)!;

/** The names of the requests to the gateway. */
export const GATEWAY_RECIPES = (Object.keys(RECIPES) as RecipeName[]).filter(
  (name) => recipeOf(name).target === 'gateway',
);
