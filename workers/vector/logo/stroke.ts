import type { LogoStroke } from '../../protocol.ts';

const CAPS = ['butt', 'round', 'square'] as const;
const JOINS = ['miter', 'round', 'bevel'] as const;

/**
 * Sets width, cap, join and miter limit, with operators in this order. The same numbers name caps and joins in PDF and
 * in PostScript.
 */
export const strokeState = (
  { width, cap, join, miterLimit }: LogoStroke,
  operators: readonly [string, string, string, string],
): string =>
  [width, CAPS.indexOf(cap), JOINS.indexOf(join), miterLimit]
    .map((value, i) => `${value} ${operators[i]}`)
    .join(' ');
