/**
 * What a function answers that may refuse what it was asked: its value, or the fault. One that looks for something and
 * finds nothing answers `null`, as that is no fault; one that meets what nobody foresaw throws.
 */
export type Result<T, F> = Ok<T> | Refused<F>;

export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

export interface Refused<F> {
  readonly ok: false;
  readonly fault: F;
}

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

export const refused = <F>(fault: F): Refused<F> => ({ ok: false, fault });

/** For `filter`. */
export const isOk = <T, F>(result: Result<T, F>): result is Ok<T> => result.ok;
