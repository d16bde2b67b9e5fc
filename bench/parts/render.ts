import { Resvg } from '@resvg/resvg-js';
import QRCode from 'qrcode';
import { toDesign } from '../../src/generate/request/design.ts';
import { createLogo, LOGO_PX } from '../../test/servers/account.ts';
import { composeSvg } from '../../workers/design/svg.ts';
import { planRender } from '../../workers/plan.ts';
import { layOutPrint } from '../../workers/print/layout.ts';
import type { Words } from '../../workers/print/surround.ts';
import { type CaptionSpec, type Design, isFault, type Lane, type Logo } from '../../workers/protocol.ts';
import { drawReference } from '../../workers/raster/png.ts';
import { render as draw } from '../../workers/render.ts';
import { fitSymbol } from '../../workers/symbol/fit.ts';
import { createSymbol } from '../../workers/symbol/symbol.ts';
import { contentOf } from '../load/aim.ts';
import { GRADIENT, STYLED } from '../load/styles.ts';
import { atLeast, atMost, measured } from '../say.ts';
import { cpuOfCases, type Part } from './part.ts';

const ROUNDS = 11;
const WIDTHS_PX = [300, 1000, 2000];
const TEXT = contentOf('render', 1);

/** The second case must take at least `atLeast` times as long as the first. All have 60 characters at level Q. */
const WANTED: readonly (readonly [ours: string, other: string, atLeast: number])[] = [
  ['symbol', 'symbol, qrcode', 12],
  ['300 px plain', '300 px plain, qrcode', 40],
  ['2000 px plain', '2000 px plain, qrcode', 500],
  ['300 px plain', '300 px plain, reference', 8],
  ['300 px styled', '300 px styled, reference', 5],
  ['1000 px styled', '1000 px styled, reference', 8],
  ['300 px gradient', '300 px gradient, resvg alone', 1 / 1.2],
  ['300 px logo', '300 px logo, reference', 4.4],
  ['300 px gradient', '300 px gradient, reference', 3.6],
  ['300 px gradient and logo', '300 px gradient and logo, reference', 4.4],
  ['1000 px gradient and logo', '1000 px gradient and logo, reference', 4],
];

type Cases = Readonly<Record<string, () => unknown>>;

/** Draws a picture as a render task. @throws When it was drawn in another lane. */
const drawIn = (lanes: readonly Lane[], design: Design, logo: Logo | null): Uint8Array => {
  const drawn = draw({ text: TEXT, design, logo, format: 'png' });
  if (!drawn.ok || !lanes.includes(drawn.value.lane)) throw new Error(`not drawn in ${lanes}`);
  return drawn.value.bytes;
};

const svgOf = (design: Design, logo: Logo | null): string => {
  const plan = planRender(TEXT, design, logo);
  if (isFault(plan)) throw new Error(plan.message);
  return composeSvg(plan, createSymbol(TEXT, plan.symbol), design, logo);
};

const casesOf = (widthPx: number, logo: Logo): Cases => {
  const size = { width: widthPx, height: widthPx };
  const [styled, gradient] = [toDesign({ ...STYLED, ...size }), toDesign({ ...GRADIENT, ...size })];
  const looks: readonly (readonly [string, Design, readonly Lane[], Logo | null])[] = [
    ['plain', toDesign(size), ['plain'], null],
    ['styled', styled, ['stamped'], null],
    // Enlarged, the edges of a logo have too many colours for a palette.
    ['logo', styled, ['stamped', 'layered'], logo],
    ['gradient', gradient, ['layered'], null],
    ['gradient and logo', gradient, ['layered'], logo],
  ];
  const shaded = svgOf(gradient, null);
  const options = { errorCorrectionLevel: 'Q', width: widthPx } as const;
  const cases: Record<string, () => unknown> = {};
  for (const [look, design, lanes, image] of looks) {
    cases[look] = () => drawIn(lanes, design, image);
    cases[`${look}, reference`] = () => drawReference(svgOf(design, image));
  }
  cases['plain, qrcode'] = () => QRCode.toBuffer(TEXT, options);
  cases['gradient, resvg alone'] = () =>
    new Resvg(shaded, { font: { loadSystemFonts: false } }).render().asPng();
  return Object.fromEntries(Object.entries(cases).map(([name, run]) => [`${widthPx} px ${name}`, run]));
};

const symbolCases = (): Cases => {
  const plan = fitSymbol(TEXT, toDesign({}).symbol);
  if (isFault(plan)) throw new Error(plan.message);
  return {
    symbol: () => createSymbol(TEXT, plan),
    'symbol, qrcode': () => QRCode.create(TEXT, { errorCorrectionLevel: plan.level }),
  };
};

const FORMATS = ['png', 'svg', 'pdf'] as const;
const INKS = { color: 'rgb', paper: '#ffffff' } as const;
/** Of files with two lines of text below the code, to those without. */
const WORDS_MAX = { png: 2.6, svg: 1.8, pdf: 2.2 };

/** Files in millimetres, each with other content, laid out and drawn: without words, with two lines, and with a frame. */
const wordCases = (): Cases => {
  let serial = 0;
  const draws = (format: (typeof FORMATS)[number], wordsOf: (n: number) => Words | undefined) => () => {
    serial += 1;
    const text = `https://example.com/item/${String(serial % 1e6).padStart(6, '0')}`;
    const kind = format === 'png' ? 'bitmap' : 'vector';
    const laid = layOutPrint(text, toDesign({}), { moduleMm: 0.508 }, kind, wordsOf(serial));
    if (isFault(laid)) throw new Error(laid.message);
    const { design, page, around } = laid;
    const print = { page, inks: INKS, ...(around && { around }) };
    const drawn = draw({ text, design, logo: null, format, print });
    if (!drawn.ok || drawn.value.lane === 'reference') throw new Error('not drawn in a fast lane');
  };
  const caption = (n: number): CaptionSpec => ({
    text: `Item ${String(n % 1e6).padStart(6, '0')}\nWarehouse 12, shelf ${n % 90}`,
    ...({ linesMax: 2, side: 'below', align: 'center', weight: 'regular', allow: [] } as const),
  });
  const frame = { type: 'line' } as const;
  return Object.fromEntries(
    FORMATS.flatMap((format) => [
      [`${format} in millimetres`, draws(format, () => undefined)],
      [`${format} with two lines`, draws(format, (n) => ({ parts: [], caption: caption(n) }))],
      [
        `${format} with two lines and a frame`,
        draws(format, (n) => ({ parts: [], caption: caption(n), frame })),
      ],
    ]),
  );
};

/** The cost of a picture in each lane. */
export const render: Part = async (_, { share }) => {
  const png = Buffer.from((await createLogo()).split(',')[1]!, 'base64');
  const logo = { png, widthPx: LOGO_PX, heightPx: LOGO_PX };
  const cpuMs = new Map<string, number>();
  for (const cases of [symbolCases(), wordCases(), ...WIDTHS_PX.map((widthPx) => casesOf(widthPx, logo))])
    for (const [name, ms] of await cpuOfCases(cases, Math.ceil(ROUNDS * share))) cpuMs.set(name, ms);
  const ours = drawIn(['plain'], toDesign({ width: 300, height: 300 }), null);
  const theirs = await QRCode.toBuffer(TEXT, { width: 300, errorCorrectionLevel: 'Q' });
  return [
    ...[...cpuMs].map(([name, ms]) => measured(name, ms, 'ms')),
    ...WANTED.map(([one, other, least]) =>
      atLeast(`${other} / ${one}`, cpuMs.get(other)! / cpuMs.get(one)!, least, 'times'),
    ),
    ...FORMATS.map((format) => {
      const ratio = cpuMs.get(`${format} with two lines`)! / cpuMs.get(`${format} in millimetres`)!;
      return atMost(`${format}: two lines / without`, ratio, WORDS_MAX[format], 'times');
    }),
    atLeast('bytes of 300 px: qrcode / ours', theirs.length / ours.length, 2, 'times'),
  ];
};
