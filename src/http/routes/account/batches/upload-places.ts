import { AppError } from '../../../../errors.ts';

/** Places for uploads of batches. */
export interface UploadPlaces {
  /**
   * Takes a place and returns what gives it back.
   *
   * @throws {AppError} 503 while all are taken, or those of this account.
   */
  enter(accountId: string): () => void;
}

/** Each upload holds up to some 20 MB. */
const PLACES = 6;
const PLACES_OF_ACCOUNT = 3;

/** Creates the places of a gateway. */
export const createUploadPlaces = (): UploadPlaces => {
  const open: string[] = [];
  return {
    enter(accountId) {
      const own = open.filter((id) => id === accountId).length;
      if (open.length >= PLACES || own >= PLACES_OF_ACCOUNT)
        throw new AppError('overloaded', 'Too many batches are being sent; try again when one is received.', {
          retryAfterS: 10,
        });
      open.push(accountId);
      return () => {
        open.splice(open.indexOf(accountId), 1);
      };
    },
  };
};
