import type { QrSymbol } from '../symbol/symbol.ts';
import { alignmentCentres } from '../symbol/template.ts';
import { clearnessIn } from './suspects.ts';

/** How far around its place a reader looks for an alignment pattern, in modules (zbar, `qr_sampling_grid_init`). */
const REACH = 4;
/**
 * Modules of 25 that may differ where a reader takes a place for the pattern: one more than in zbar
 * (`qr_alignment_pattern_search`), since a logo may end within a module.
 */
const MAX_WRONG = 7;

/** Whether the module at a distance from the centre of an alignment pattern is dark. */
const isDarkIn = (dy: number, dx: number): boolean => Math.max(Math.abs(dy), Math.abs(dx)) !== 1;

/**
 * Whether a logo makes another place look more like an alignment pattern than the pattern that it covers. A reader that
 * corrects its grid by that place then misreads all around it. Of 160 pictures
 * of versions 7 to 13 with a logo, zbar missed 22 of the 83 that have such a place, and 2 of the others.
 */
export function hasFalseAnchor({ size, modules, version }: QrSymbol, ofLogo: Uint32Array): boolean {
  if (version < 2 || ofLogo.length === 0) return false;
  const wrong = new Set<number>();
  for (const suspect of ofLogo) {
    const index = suspect & 0xffff;
    if (clearnessIn(suspect, modules[index]!) === 0) wrong.add(index);
  }
  const seen = (row: number, column: number): boolean => {
    if (row < 0 || column < 0 || row >= size || column >= size) return false;
    const index = row * size + column;
    return Boolean(modules[index]) !== wrong.has(index);
  };
  const distance = (row: number, column: number): number => {
    let count = 0;
    for (let dy = -2; dy <= 2; dy += 1)
      for (let dx = -2; dx <= 2; dx += 1) if (seen(row + dy, column + dx) !== isDarkIn(dy, dx)) count += 1;
    return count;
  };
  return alignmentCentres(version, size).some(([row, column]) => {
    const own = distance(row, column);
    if (own === 0) return false;
    for (let dy = -REACH; dy <= REACH; dy += 1)
      for (let dx = -REACH; dx <= REACH; dx += 1) {
        const other = distance(row + dy, column + dx);
        if (other <= own && other <= MAX_WRONG && (dy !== 0 || dx !== 0)) return true;
      }
    return false;
  });
}
