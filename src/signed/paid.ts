/** Remembers which pictures are paid: for a month of the ledger, across gateways, restarts and the loss of Redis. */
import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sql } from '../db/client.ts';
import { retryWhenLost } from '../db/faults.ts';
import { isPaid, notePaid } from '../db/tables/signed.ts';
import type { Sketch } from '../generate/redraw.ts';

/** Paid pictures that a gateway knows without asking: some 15 MB. */
const KNOWN_MAX = 50_000;

export interface AccountPicture {
  readonly accountId: string;
  /** As `pictureId` returns it. */
  readonly id: string;
}

/** The memory of paid pictures. Both calls fail when the database is unavailable and must be asked. */
export type PaidPictures = ReturnType<typeof createPaidPictures>;

/**
 * Returns the SHA-256 of all that decides a picture, in base64url. It stays the same across versions of the renderer,
 * so an update in the middle of a month costs nobody a unit.
 */
export const pictureId = ({
  text,
  design,
  format,
  logoSha256,
}: Pick<Sketch, 'text' | 'design' | 'format' | 'logoSha256'>): string =>
  hash('sha256', JSON.stringify([text, design, format, logoSha256]), 'base64url');

const monthNow = (): string => `${new Date().toISOString().slice(0, 7)}-01`;

/** Creates the memory. */
export const createPaidPictures = (sql: Sql) => {
  const known = new LRUCache<string, true>({ maxSize: KNOWN_MAX, sizeCalculation: () => 1 });
  const keyOf = ({ accountId, id }: AccountPicture, month: string) => `${month} ${accountId} ${id}`;
  const rowOf = ({ accountId, id }: AccountPicture, month: string) => ({
    accountId,
    month,
    picture: Buffer.from(id, 'base64url'),
  });
  return {
    /**
     * Whether the picture is paid this month, by this gateway's clock. A clock that is slightly behind asks for last
     * month.
     */
    async has(picture: AccountPicture): Promise<boolean> {
      const month = monthNow();
      const key = keyOf(picture, month);
      if (known.get(key)) return true;
      const found = await isPaid(sql, rowOf(picture, month));
      if (found) known.set(key, true);
      return found;
    },
    /**
     * Notes that a reservation of the month pays for the picture. Returns `false` when another one did before.
     *
     * @param month The first day of the ledger's month, `YYYY-MM-DD`.
     */
    async note(picture: AccountPicture, month: string, reservationId: string): Promise<boolean> {
      const isFirst = await retryWhenLost(() => notePaid(sql, rowOf(picture, month), reservationId));
      known.set(keyOf(picture, month), true);
      return isFirst;
    },
  };
};
