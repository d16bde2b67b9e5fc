import { ok, type Result, refused } from '../../result.ts';
import { ratioFault, type Size } from '../size.ts';

/** CSS pixels in one unit (CSS Values 4, 6.2); `em` and `ex` at the initial font size of 16 px. */
const UNIT_PX: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};
const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i;

/** Beyond these, 32-bit floats in the rasteriser lose whole user units. */
const MIN_SIDE = 0.01;
const MAX_SIDE = 100_000;

/** The natural size of an SVG, and the part of its plane that it shows. */
export interface SvgSize extends Size {
  /** Four numbers. Without a `viewBox` in the document: the natural size at the origin. */
  readonly viewBox: string;
}

/**
 * Returns a length in CSS pixels; `undefined` when it is missing, `auto` or a percentage; `NaN` when it is not a
 * length.
 */
const readLength = (text: string | undefined): number | undefined => {
  const value = text?.trim() ?? 'auto';
  if (value === 'auto') return undefined;
  const [, number = '', unit = ''] = LENGTH.exec(value) ?? [];
  if (unit === '%') return undefined;
  return number === '' ? Number.NaN : Number(number) * (UNIT_PX[unit.toLowerCase()] ?? Number.NaN);
};

const readViewBox = (text: string | undefined): number[] | undefined => {
  if (text === undefined || text.trim() === '') return undefined;
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x = Number.NaN, y = Number.NaN] = numbers;
  const isSane = numbers.length === 4 && Math.abs(x) <= MAX_SIDE && Math.abs(y) <= MAX_SIDE;
  return isSane ? numbers : [0, 0, Number.NaN, Number.NaN];
};

const isSide = (value: number): boolean => value >= MIN_SIDE && value <= MAX_SIDE;

/**
 * Returns the natural size of an SVG from its root's attributes: `width` and `height`; one of them and the ratio of the
 * `viewBox`; or the `viewBox` alone (SVG 2, 8.2 and CSS Images 3, 5.1). The fault is a text for the caller.
 */
export const readSvgSize = (root: Readonly<Record<string, string | undefined>>): Result<SvgSize, string> => {
  const box = readViewBox(root.viewBox);
  const boxWidth = box?.[2];
  const boxHeight = box?.[3];
  const width = readLength(root.width);
  const height = readLength(root.height);
  if (box && !(isSide(boxWidth ?? 0) && isSide(boxHeight ?? 0))) {
    return refused(`viewBox must be four numbers with sides of ${MIN_SIDE} to ${MAX_SIDE}`);
  }
  if (!box && (width === undefined || height === undefined))
    return refused('needs a viewBox, or a width and a height');
  const ratio = (boxWidth ?? 1) / (boxHeight ?? 1);
  const widthPx = width ?? (height === undefined ? (boxWidth ?? 0) : height * ratio);
  const heightPx = height ?? (width === undefined ? (boxHeight ?? 0) : width / ratio);
  if (!isSide(widthPx) || !isSide(heightPx))
    return refused(`width and height must be ${MIN_SIDE} to ${MAX_SIDE} pixels`);
  const fault = ratioFault({ widthPx, heightPx });
  return fault === null
    ? ok({ widthPx, heightPx, viewBox: (box ?? [0, 0, widthPx, heightPx]).join(' ') })
    : refused(fault);
};
