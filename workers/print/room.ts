/** The room of a caption, and how much larger it must be. Pure. */

/** Where the lines of a caption stand. */
export interface Room {
  readonly widthPx: number;
  /** `null`: the lines decide it, of which there are at most `linesMax`. */
  readonly heightPx: number | null;
  /** The side of the code, by whose width a fault says what would fit. */
  readonly codePx: number;
}

/** Sums of doubles have rounding errors. */
export const TOLERANCE = 1e-6;

/** How many times larger codes are tried for a caption that does not fit. */
const GROWTH_MAX = 64;
const GROWTH_STEPS = 24;

/** Returns how many times larger the code must be for its caption to fit, or `null`. */
export const growthThat = (fits: (growth: number) => boolean): number | null => {
  if (!fits(GROWTH_MAX)) return null;
  let [below, fitting] = [1, GROWTH_MAX];
  for (let step = 0; step < GROWTH_STEPS; step += 1) {
    const middle = (below + fitting) / 2;
    if (fits(middle)) fitting = middle;
    else below = middle;
  }
  return fitting;
};
