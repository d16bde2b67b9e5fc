/** A measured value beside what was wanted. */
export interface Verdict {
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly isMet: boolean;
}

export const atMost = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  value,
  limit,
  unit,
  isMet: value <= limit,
});
export const atLeast = (what: string, value: number, limit: number, unit: string): Verdict => ({
  what,
  value,
  limit,
  unit,
  isMet: value >= limit,
});
