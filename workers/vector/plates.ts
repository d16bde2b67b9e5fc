/** The plates of a press besides the picture: where its cut, its white and its varnish are. Pure. */
import { boxPath } from '../design/markup.ts';
import { PT_PER_MM } from '../print/dots.ts';
import type { Inks, Page } from '../protocol.ts';
import { type Scene, spreadOf } from './scene.ts';

/** A figure in an ink of its own, in the pixels of the scene. It prints over everything below. */
export interface Plate {
  readonly name: string;
  /** The CMYK that shows it where there is no such ink. */
  readonly instead: readonly number[];
  /** Filled by the even-odd rule, without a stroke. */
  readonly path: string;
  /** Of its stroke; `null`: it is filled. */
  readonly strokePx: number | null;
}

/** Those that people who make plates are used to: magenta lines, and fills that let see what is below. */
const SHOWN = { dieline: [0, 1, 0, 0], white: [0.2, 0, 0, 0], varnish: [0, 0, 0.2, 0] } as const;

/** A quarter of a point: the thinnest line that every device shows. */
const LINE_MM = 0.25 / PT_PER_MM;

/** Returns the plates of a scene on a page, in the order in which they are drawn. */
export const platesOf = (scene: Scene, page: Page, { plates = {} }: Inks): readonly Plate[] => {
  const { leftPx, topPx, widthPx, heightPx, code } = scene;
  const { dieline, white, varnish } = plates;
  const pxPerMm = widthPx / page.widthMm;
  const bleedPx = page.bleedMm * pxPerMm;
  const whole = spreadOf({ leftPx, topPx, widthPx, heightPx, bleedPx });
  const spread = boxPath(whole.x, whole.y, whole.width, whole.height);
  const fill = (name: string | undefined, path: string, instead: readonly number[]): readonly Plate[] =>
    name === undefined ? [] : [{ name, instead, path, strokePx: null }];
  const line = (): readonly Plate[] => {
    if (dieline === undefined) return [];
    const radiusPx = dieline.radiusMm * pxPerMm;
    const path = boxPath(leftPx, topPx, widthPx, heightPx, [radiusPx, radiusPx, radiusPx, radiusPx]);
    return [{ name: dieline.name, instead: SHOWN.dieline, path, strokePx: LINE_MM * pxPerMm }];
  };
  return [
    ...fill(white, spread, SHOWN.white),
    ...fill(varnish, `${spread}${boxPath(code.x, code.y, code.width, code.height)}`, SHOWN.varnish),
    ...line(),
  ];
};
