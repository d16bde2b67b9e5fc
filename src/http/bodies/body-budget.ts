import { AppError } from '../../errors.ts';
import { createAdmission } from '../../limits/admission.ts';

/** Bounds for the bodies of unauthenticated callers, who send only the small body that signs them in. */
export const UNAUTHENTICATED = {
  bodyMaxBytes: 4096,
  /** Bytes of all bodies together. */
  maxBytes: 4 * 1024 * 1024,
  /** Bodies from one network in flight at once. A household behind one address needs fewer. */
  maxBodiesPerNetwork: 32,
  /** Time from the headers to the end of the body. */
  timeoutMs: 10_000,
} as const;

/** The bytes that one body holds in the budget. */
export interface Hold {
  /** Counts received bytes. @throws {AppError} 503 when the budget has no room for them. */
  add(bytes: number): void;
  /** Releases all bytes that were added. */
  release(): void;
}

/** Bounds the memory that bodies take. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

const RETRY_AFTER_S = 2;
const ACCOUNT_SHARE = 0.5;

/**
 * Creates the budget. Bytes count when they are received, so a caller that announces a body and does not send it costs
 * nothing. Unauthenticated callers have a separate part, so they cannot use up that of customers.
 *
 * @param customersMaxBytes Bytes of all bodies of customers together.
 */
export const createBodyBudget = (customersMaxBytes: number) => {
  const inFlight = { customers: 0, strangers: 0 };
  const maxBytes = { customers: customersMaxBytes, strangers: UNAUTHENTICATED.maxBytes };
  const networks = createAdmission({ maxRunningPerKey: UNAUTHENTICATED.maxBodiesPerNetwork });

  const ofAccounts = new Map<string, { bytes: number; bodies: number }>();

  const hold = (whose: keyof typeof inFlight): Hold => {
    let held = 0;
    return {
      add(bytes) {
        if (inFlight[whose] + bytes > maxBytes[whose]) {
          const details = 'Too many large bodies are under way; try again.';
          throw new AppError('overloaded', details, { retryAfterS: RETRY_AFTER_S });
        }
        inFlight[whose] += bytes;
        held += bytes;
      },
      release() {
        inFlight[whose] -= held;
        held = 0;
      },
    };
  };

  return {
    /** Whether the customers' part has room for this many more bytes at this moment. Counts nothing. */
    hasRoom: (bytes: number): boolean => inFlight.customers + bytes <= customersMaxBytes,
    /**
     * Begins to count a body of a caller with a valid key, session or token. Several bodies of an account may take half of
     * the budget, so that others have room; `add` throws a 429 beyond that.
     */
    ofCustomer(accountId: string): Hold {
      const own = ofAccounts.get(accountId) ?? { bytes: 0, bodies: 0 };
      ofAccounts.set(accountId, own);
      own.bodies += 1;
      const { add, release } = hold('customers');
      let held = 0;
      let isOver = false;
      return {
        add(bytes) {
          // What still arrives after the end is not kept.
          if (isOver) return;
          if (own.bodies > 1 && own.bytes + bytes > customersMaxBytes * ACCOUNT_SHARE) {
            const details = 'Too many large bodies of this account are under way; send fewer at a time.';
            throw new AppError('rate_limited', details, { retryAfterS: RETRY_AFTER_S });
          }
          add(bytes);
          held += bytes;
          own.bytes += bytes;
        },
        release() {
          if (isOver) return;
          isOver = true;
          release();
          own.bytes -= held;
          own.bodies -= 1;
          if (own.bodies === 0) ofAccounts.delete(accountId);
        },
      };
    },
    /**
     * Begins to count a body of an unauthenticated caller.
     *
     * @param network Where the request comes from, as `networkOf` writes it.
     * @throws {AppError} 429 while too many bodies from that network are under way.
     */
    ofUnauthenticated(network: string): Hold {
      const leave = networks.tryEnter(network);
      if (leave === null) {
        const details =
          'Too many requests from your address are unfinished; finish them, or try again later.';
        throw new AppError('rate_limited', details, { retryAfterS: RETRY_AFTER_S });
      }
      const { add, release } = hold('strangers');
      return {
        add,
        release() {
          release();
          leave();
        },
      };
    },
    /** Returns the bytes that are counted now. */
    stats: (): { readonly customers: number; readonly strangers: number } => ({ ...inFlight }),
  };
};
