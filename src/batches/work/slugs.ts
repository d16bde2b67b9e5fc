import { createHmac } from 'node:crypto';
import { slugOf } from '../../links/slug.ts';

/**
 * Returns the slug of a row: deterministic, but indistinguishable from random without the secret. A piece that is made
 * again gets the same short links.
 *
 * @param attempt From 0, incremented each time the slug turned out to be taken.
 */
export const slugOfRow = (secret: Buffer, row: number, attempt: number): string =>
  slugOf(createHmac('sha256', secret).update(`${row}.${attempt}`).digest());
