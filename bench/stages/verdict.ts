/** A measured value beside the limit that it should keep. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly isMet: boolean;
}

/** Returns a verdict that is met when `value` does not exceed `limit`. */
export const atMost = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  value,
  limit,
  unit,
  isMet: value <= limit,
});
/** Returns a verdict that is met when `value` reaches `limit`. */
export const atLeast = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  value,
  limit,
  unit,
  isMet: value >= limit,
});
