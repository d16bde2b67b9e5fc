import { AppError } from '../../errors.ts';

/** The bodies of requests without a valid key or token. They come to sign in, and are small. */
export const STRANGERS = {
  /** Bytes of one. */
  bodyMaxBytes: 4096,
  /** Of all of them. */
  maxBytes: 4 * 1024 * 1024,
  /** Open at once from one address; a household behind one address signs in within moments. */
  maxBodiesPerNetwork: 32,
  /** From the request until its body is there. */
  timeoutMs: 10_000,
} as const;

/** What one body counts. */
export interface Hold {
  /** @throws {AppError} 503 when there is no room for so many more bytes. */
  add(bytes: number): void;
  /** Gives back all that was added. */
  release(): void;
}

export interface BodyBudget {
  /** Whether there is room for so many more bytes of customers just now. Takes none. */
  hasRoom(bytes: number): boolean;
  /** For a body of a caller with a valid key or token. */
  ofCustomer(): Hold;
  /**
   * For a body of anyone else.
   *
   * @param network Where it comes from, see `networkOf`.
   * @throws {AppError} 429 while that network has too many open.
   */
  ofStranger(network: string): Hold;
  /** Bytes received of bodies that are being read or worked on. */
  stats(): { readonly customers: number; readonly strangers: number };
}

const RETRY_AFTER_S = 2;

/**
 * Counts the bytes of bodies as they are received: what a caller announces and never sends costs nothing. Strangers
 * have room of their own, so whatever they send, customers have theirs.
 *
 * @param customersMaxBytes Of all bodies of customers.
 */
export const createBodyBudget = (customersMaxBytes: number): BodyBudget => {
  const inFlight = { customers: 0, strangers: 0 };
  const maxBytes = { customers: customersMaxBytes, strangers: STRANGERS.maxBytes };
  const openByNetwork = new Map<string, number>();

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
    hasRoom: (bytes) => inFlight.customers + bytes <= customersMaxBytes,
    ofCustomer: () => hold('customers'),
    ofStranger(network) {
      const open = openByNetwork.get(network) ?? 0;
      if (open >= STRANGERS.maxBodiesPerNetwork) {
        const details = 'Too many unfinished requests came from your address; end them, or try again later.';
        throw new AppError('rate_limited', details, { retryAfterS: RETRY_AFTER_S });
      }
      openByNetwork.set(network, open + 1);
      const { add, release } = hold('strangers');
      let isOpen = true;
      return {
        add,
        release() {
          release();
          if (!isOpen) return;
          isOpen = false;
          const left = openByNetwork.get(network)! - 1;
          if (left === 0) openByNetwork.delete(network);
          else openByNetwork.set(network, left);
        },
      };
    },
    stats: () => ({ ...inFlight }),
  };
};
