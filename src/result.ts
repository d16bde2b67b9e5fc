/**
 * What a function that may refuse returns: a value, or the fault. A lookup that finds nothing returns `null` instead,
 * because that is not a fault. A check, which has no value to return, returns the fault, or `null` when there is none.
 * Unforeseen failures are thrown.
 */
export type Result<T, F> = Ok<T> | Refused<F>;

/** A result that has its value. */
export interface Ok<T> {
  readonly ok: true;
  readonly value: T;
}

/** A result that was refused, and why. */
export interface Refused<F> {
  readonly ok: false;
  readonly fault: F;
}

/** Returns a successful result with a value. */
export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });

/** Makes a result of a fault. */
export const refused = <F>(fault: F): Refused<F> => ({ ok: false, fault });

/** Whether a result has its value, as a type guard for `filter`. */
export const isOk = <T, F>(result: Result<T, F>): result is Ok<T> => result.ok;

/** Returns the value of a result. @throws What `toError` makes of its fault. */
export const okOrThrow = <T, F>(result: Result<T, F>, toError: (fault: F) => Error): T => {
  if (!result.ok) throw toError(result.fault);
  return result.value;
};
