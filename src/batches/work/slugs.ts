import { createHmac } from 'node:crypto';
import { slugOf } from '../../links/slug.ts';

/**
 * Returns the slug of a row: the same for the same arguments, and as good as random for whoever does not know the
 * secret. A piece that is made again has the same short links.
 *
 * @param attempt 0, and one more each time the slug turned out to be taken.
 */
export const slugOfRow = (secret: Buffer, row: number, attempt: number): string =>
  slugOf(createHmac('sha256', secret).update(`${row}.${attempt}`).digest());
