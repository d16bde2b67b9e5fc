import type { FastifyRequest } from 'fastify';
import { type Watch, watchUpload } from '../../../../batches/receive/upload.ts';
import { AppError } from '../../../../errors.ts';
import { principalOf } from '../../../auth/auth.ts';
import { onConnectionEnd } from '../../../bodies/connections.ts';
import { payerOfBody } from '../../../limits/metered.ts';

/** Each upload holds up to some 20 MB. */
const PLACES = 6;
const PLACES_OF_ACCOUNT = 3;
/** An upload of which nothing has come for this long gives its place to an account that has fewer. */
const SILENT_MS = 5000;

interface Place {
  readonly accountId: string;
  readonly watch: Watch;
  readonly request: FastifyRequest['raw'];
}

const overloadError = (details: string): AppError => new AppError('overloaded', details, { retryAfterS: 10 });

/** Creates the places of a gateway for uploads of batches. */
export const createUploadPlaces = () => {
  const open = new Set<Place>();
  const heldBy = (accountId: string): number =>
    [...open].filter((place) => place.accountId === accountId).length;

  /** @throws {AppError} 503 when there is no room that the account could fairly have. */
  const makeRoom = (ownPlaces: number): void => {
    if (open.size < PLACES) return;
    const excess = ({ accountId, watch }: Place): number =>
      heldBy(accountId) - ownPlaces - (watch.silentMs() < SILENT_MS ? 1 : 0);
    // An upload that is fully received will leave soon.
    const [last] = [...open]
      .filter((place) => !place.request.complete && excess(place) > 0)
      .sort((a, b) => excess(b) - excess(a) || a.watch.bytes() - b.watch.bytes());
    if (last === undefined)
      throw overloadError('Too many batches are being sent; try again when one is received.');
    open.delete(last);
    last.watch.giveUp(
      overloadError(
        'Another account had no place for its batch, and yours had several or sent nothing; send this one again.',
      ),
    );
  };

  return {
    /**
     * Receives the body of a request in a place. While all are taken, an account with at least two fewer than another
     * takes over one of the other's: the one whose upload has sent least. From an upload that is silent it takes over with
     * one place fewer.
     *
     * @param receive Must ask for the body through the watch, which aborts the upload when its connection closes.
     * @throws {AppError} 429 while the account has as many places as it may have, 503 while all are taken.
     */
    async hold<T>(request: FastifyRequest, receive: (watch: Watch) => Promise<T>): Promise<T> {
      const { accountId } = principalOf(request);
      const ownPlaces = heldBy(accountId);
      if (ownPlaces >= PLACES_OF_ACCOUNT)
        throw new AppError(
          'rate_limited',
          `An account may send ${PLACES_OF_ACCOUNT} batches at a time; try again when one is received.`,
          { retryAfterS: 10 },
        );
      makeRoom(ownPlaces);
      const { raw } = request;
      const watch = watchUpload(payerOfBody(request, accountId));
      const place = { accountId, watch, request: raw };
      open.add(place);
      const endEarly = (): void => {
        if (!raw.complete) watch.giveUp(new AppError('malformed_body', 'body: ended early'));
      };
      const forget = onConnectionEnd(raw.socket, endEarly);
      if (raw.socket.destroyed) endEarly();
      try {
        return await receive(watch);
      } finally {
        forget();
        watch.end();
        open.delete(place);
      }
    },
  };
};

/** What `createUploadPlaces` returns. */
export type UploadPlaces = ReturnType<typeof createUploadPlaces>;
