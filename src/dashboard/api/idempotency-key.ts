/**
 * Returns a new value for the header `Idempotency-Key`. Avoids `crypto.randomUUID`, which pages served over plain HTTP
 * do not have.
 */
export const newIdempotencyKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join('');
