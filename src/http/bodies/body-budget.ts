import type { FastifyRequest } from 'fastify';
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

/** Whether no hook has accepted a key, session or admin token of this request so far. */
export const isUnauthenticated = (request: FastifyRequest): boolean =>
  !request.principal && !request.isOperator;

/** The bytes that one body holds in the budget. */
export interface Hold {
  /** Counts received bytes. @throws {AppError} 503 when the budget has no room for them. */
  add(bytes: number): void;
  /** Says that the body was received whole, so that it is not given up any more. */
  received(): void;
  /** Releases all bytes that were added. */
  release(): void;
}

/** A body of a customer that is being received. */
interface Arriving {
  bytes: number;
  /** How many bytes it had at the last progress, and when that was. */
  seenBytes: number;
  seenMs: number;
  giveUp(reason: AppError): void;
}

/** A body that gets fewer bytes than this in this time is given up when others need its room. */
const SLOW = { bytes: 65_536, ms: 5000 } as const;

/** Bounds the memory that bodies take. */
export type BodyBudget = ReturnType<typeof createBodyBudget>;

const RETRY_AFTER_S = 2;

const overloadError = (details: string): AppError =>
  new AppError('overloaded', details, { retryAfterS: RETRY_AFTER_S });
const ACCOUNT_SHARE = 0.5;

/**
 * Creates the budget. Bytes count when they are received, so a caller that announces a body and does not send it costs
 * nothing. Unauthenticated callers have a separate part, so they cannot use up that of customers.
 *
 * @param customersMaxBytes Bytes of all bodies of customers together.
 * @param nowMs The clock.
 */
export const createBodyBudget = (
  customersMaxBytes: number,
  nowMs: () => number = () => performance.now(),
) => {
  const inFlight = { customers: 0, strangers: 0 };
  const maxBytes = { customers: customersMaxBytes, strangers: UNAUTHENTICATED.maxBytes };
  const networks = createAdmission({ maxRunningPerKey: UNAUTHENTICATED.maxBodiesPerNetwork });

  const ofAccounts = new Map<string, { bytes: number; bodies: number }>();

  const arriving = new Set<Arriving>();

  /** Returns the bodies that arrive slowly, the largest first. */
  const slowBodies = (): readonly Arriving[] => {
    const now = nowMs();
    return [...arriving]
      .filter(({ bytes, seenMs }) => bytes > 0 && now - seenMs > SLOW.ms)
      .sort((a, b) => b.bytes - a.bytes);
  };

  /** Gives slow bodies up until there is room for this many bytes. */
  const makeRoom = (bytes: number): void => {
    for (const body of inFlight.customers + bytes > customersMaxBytes ? slowBodies() : []) {
      body.giveUp(overloadError('The body came slowly, and others needed its room; send it again.'));
      if (inFlight.customers + bytes <= customersMaxBytes) return;
    }
  };

  const hold = (whose: keyof typeof inFlight): Omit<Hold, 'received'> => {
    let held = 0;
    return {
      add(bytes) {
        if (inFlight[whose] + bytes > maxBytes[whose]) {
          throw overloadError('Too many large bodies are under way; try again.');
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
    /** Whether the customers' part has room for this many more bytes at this moment, or can make it. Counts nothing. */
    hasRoom(bytes: number): boolean {
      const excess = inFlight.customers + bytes - customersMaxBytes;
      return excess <= 0 || slowBodies().reduce((sum, body) => sum + body.bytes, 0) >= excess;
    },
    /**
     * Begins to count a body of a caller with a valid key, session or token. Several bodies of an account may take half of
     * the budget, so that others have room; `add` throws a 429 beyond that.
     *
     * @param onGivenUp Ends a body that arrives slowly while others need its room. Its bytes are released by then.
     */
    ofCustomer(accountId: string, onGivenUp: (reason: AppError) => void): Hold {
      const own = ofAccounts.get(accountId) ?? { bytes: 0, bodies: 0 };
      ofAccounts.set(accountId, own);
      own.bodies += 1;
      const { add, release } = hold('customers');
      let isOver = false;
      const end = (): void => {
        if (isOver) return;
        isOver = true;
        arriving.delete(body);
        release();
        own.bytes -= body.bytes;
        own.bodies -= 1;
        if (own.bodies === 0) ofAccounts.delete(accountId);
      };
      const body: Arriving = {
        bytes: 0,
        seenBytes: 0,
        seenMs: nowMs(),
        giveUp(reason) {
          end();
          onGivenUp(reason);
        },
      };
      arriving.add(body);
      return {
        add(bytes) {
          // What still arrives after the end is not kept.
          if (isOver) return;
          if (own.bodies > 1 && own.bytes + bytes > customersMaxBytes * ACCOUNT_SHARE) {
            const details = 'Too many large bodies of this account are under way; send fewer at a time.';
            throw new AppError('rate_limited', details, { retryAfterS: RETRY_AFTER_S });
          }
          if (body.bytes + bytes - body.seenBytes >= SLOW.bytes)
            Object.assign(body, { seenBytes: body.bytes + bytes, seenMs: nowMs() });
          makeRoom(bytes);
          // It may have been the slow one.
          if (isOver) return;
          add(bytes);
          body.bytes += bytes;
          own.bytes += bytes;
        },
        received: () => void arriving.delete(body),
        release: end,
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
        received() {},
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
