import { randomUUID } from 'node:crypto';
import type { Log } from '../../log.ts';
import type { Balance, Reserve, Reserved, Settle, Take, Taken } from '../quota.ts';
import { createSettler, SETTLER_BOUNDS } from '../settler.ts';
import { type Calls, keyArgs } from './calls.ts';
import type { RedisParts } from './parts.ts';
import {
  isIndeterminate,
  ledgerError,
  type OpenReservation,
  parseReservation,
  toAdmitted,
  toRefused,
} from './replies.ts';
import type { Seeder } from './seed.ts';

/** What `take` works with. */
interface TakeParts {
  readonly calls: Pick<Calls, 'take'>;
  readonly seeder: Pick<Seeder, 'warm'>;
  /** Remembers what a reservation took, in case Redis loses it before it is closed. */
  keep(id: string, reservation: OpenReservation): void;
  /** Closes a reservation in the background: it is paid, or gives back `refundUnits`. */
  closeLater(id: string, accountId: string, refundUnits: number): void;
}

/** Takes that arrive together with the same account and use: one reservation of as many units. */
interface Group {
  readonly waiting: { resolve(taken: Taken): void; reject(error: unknown): void }[];
}

const WAITING_MAX = 20_000;

/** Returns the balance before the last `units` of a reservation were taken, which gave `fromCredits` of them. */
const before = (balance: Balance, units: number, fromCredits: number): Balance => {
  const credits = Math.min(units, fromCredits);
  return {
    ...balance,
    monthlyUsed: balance.monthlyUsed - (units - credits),
    credits: balance.credits + credits,
    usageCount: balance.usageCount - units,
    remaining: balance.remaining + units,
  };
};

/** Returns what each of `count` takes gets of a reservation: a balance of its own while units last. */
export const shareOut = (count: number, reservation: OpenReservation): readonly Taken[] => {
  const all = toAdmitted(reservation);
  const { fromMonthly, fromCredits, balance } = all;
  const units = fromMonthly + fromCredits;
  if (count === 1) return [all];
  // All available units were taken, so what the account has left is beyond the key's quota.
  const noneLeft: Taken =
    balance.remaining > 0
      ? { outcome: 'key_exhausted', keyRemaining: 0, balance }
      : { outcome: 'exhausted', balance };
  return Array.from({ length: count }, (_, i): Taken => {
    if (i >= units) return noneLeft;
    const isMonthly = i < fromMonthly;
    return {
      outcome: 'admitted',
      fromMonthly: isMonthly ? 1 : 0,
      fromCredits: isMonthly ? 0 : 1,
      balance: before(balance, units - 1 - i, fromCredits),
    };
  });
};

/** Returns what each of `count` takes gets when not one unit was left. */
const refuseAll = (count: number, text: string): readonly Taken[] => {
  const refused = toRefused(text);
  if (refused.outcome !== 'exhausted' && refused.outcome !== 'key_exhausted')
    throw new Error(`the script answered ${refused.outcome}`);
  return Array.from({ length: count }, () => refused);
};

/**
 * Makes `take`. Takes that arrive together with the same account and use become one reservation, which is settled with
 * the next run. Until then it can still be refunded if its answer is lost.
 */
export const createTakes = ({ calls, seeder, keep, closeLater }: TakeParts) => {
  const groups = new Map<string, Group>();
  let waiting = 0;

  const run = async (name: string, group: Group, request: Take): Promise<void> => {
    const id = randomUUID();
    const { accountId } = request;
    // The group is complete when its run is sent.
    const seal = (): number => {
      if (groups.get(name) === group) groups.delete(name);
      return group.waiting.length;
    };
    try {
      const text = await seeder.warm(accountId, () => calls.take({ id, ...request }, seal));
      const reservation = parseReservation(text);
      const count = group.waiting.length;
      const taken = reservation === null ? refuseAll(count, text) : shareOut(count, reservation);
      if (reservation !== null) {
        keep(id, reservation);
        closeLater(id, accountId, 0);
      }
      for (const [i, { resolve }] of group.waiting.entries()) resolve(taken[i]!);
    } catch (error) {
      if (isIndeterminate(error)) closeLater(id, accountId, group.waiting.length);
      for (const { reject } of group.waiting) reject(error);
    } finally {
      seal();
      waiting -= group.waiting.length;
    }
  };

  return (request: Take): Promise<Taken> =>
    new Promise((resolve, reject) => {
      if (waiting >= WAITING_MAX)
        return reject(ledgerError('LEDGER_UNAVAILABLE', 'too many calls wait for Redis'));
      waiting += 1;
      const name = `${request.accountId} ${keyArgs(request).join(' ')}`;
      const group = groups.get(name);
      if (group) {
        group.waiting.push({ resolve, reject });
        return;
      }
      const first: Group = { waiting: [{ resolve, reject }] };
      groups.set(name, first);
      void run(name, first, request);
    });
};

/** A settlement waits in the batcher for the next script run, so it does not wait here. */
const SETTLER = { ...SETTLER_BOUNDS, delayMs: 0, groupMax: 512 };

/**
 * As many as settlements may wait. What older ones took is forgotten, so they expire if Redis loses them.
 */
const ENTRIES_MAX = 50_000;

/** Creates a memory of what this gateway's open reservations took, in case Redis loses them. */
export const createMemory = () => {
  const kept = new Map<string, OpenReservation>();
  return {
    keep(id: string, opened: OpenReservation): void {
      const oldest = kept.size >= ENTRIES_MAX ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(id, opened);
    },
    /** Returns what a reservation took; `null` when it is not known. */
    find: (id: string): OpenReservation | null => kept.get(id) ?? null,
    forget: (id: string): void => void kept.delete(id),
  };
};

/** Makes the calls of requests over the parts of the ledger. */
export const createReservations = (
  { calls, seeder, answers, movedClaims, room }: RedisParts,
  reservationTtlMs: number,
  log: Log,
) => {
  const memory = createMemory();

  /** @param told Whether the balance is wanted. Otherwise the settlement goes with the next script run of its shard. */
  const settle = async (request: Settle, told: boolean): Promise<string> => {
    const { id, accountId, refundUnits } = request;
    const closing = { refundUnits, told, kept: await answers.keep(request), isPatient: !told };
    let answer = await seeder.warm(accountId, () => calls.settle(id, accountId, closing));
    const opened = answer.startsWith('unknown') ? memory.find(id) : null;
    if (opened)
      answer = await seeder.warm(accountId, () => calls.settleRemainder(id, accountId, opened, closing));
    // Only once an answer came: a failed call is retried.
    memory.forget(id);
    return answer;
  };

  const flush = async (settles: readonly Settle[]): Promise<readonly Settle[]> => {
    const results = await Promise.allSettled(settles.map((request) => settle(request, false)));
    return settles.filter((_, i) => results[i]!.status === 'rejected');
  };
  const settler = createSettler({ ...SETTLER, maxAgeMs: reservationTtlMs, flush }, log);

  const ask = (request: Reserve, isClaimChecked: boolean): Promise<string> =>
    seeder
      .warm(request.accountId, () => calls.reserve(request, isClaimChecked))
      .catch((error: unknown) => {
        const { id, accountId, units } = request;
        if (isIndeterminate(error)) settler.add({ id, accountId, refundUnits: units });
        throw error;
      });

  const take = createTakes({
    calls,
    seeder,
    keep: memory.keep,
    closeLater: (id, accountId, refundUnits) => settler.add({ id, accountId, refundUnits }),
  });

  const refuseWhenFull = (): void => {
    if (room.isFull()) throw ledgerError('LEDGER_UNAVAILABLE', 'Redis has used up its memory');
  };

  return {
    async reserve(request: Reserve): Promise<Reserved> {
      refuseWhenFull();
      let text = await ask(request, false);
      if (text === 'moved') {
        const found = await movedClaims.find(request.accountId, request.claim!);
        if (found) return found;
        text = await ask(request, true);
      }
      const opened = parseReservation(text);
      if (opened) {
        memory.keep(request.id, opened);
        return toAdmitted(opened);
      }
      const refused = toRefused(text);
      if (refused.outcome !== 'replay') return refused;
      const answer = await answers.find(refused.answer);
      return answer === null ? { outcome: 'running' } : { outcome: 'replay', answer };
    },

    async take(request: Take): Promise<Taken> {
      refuseWhenFull();
      return take(request);
    },

    /** Closes a reservation now, and returns what `lua/run.lua` answers with the balance. */
    settle: (request: Settle): Promise<string> => settle(request, true),
    /** The settlements that are made in the background. */
    settler,
  };
};
