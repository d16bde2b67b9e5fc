import type { Log } from '../../../log.ts';
import type { Reserve, Reserved, Settle, Take, Taken } from '../../quota.ts';
import { createSettler, SETTLER_BOUNDS } from '../../settler.ts';
import type { RedisParts } from '../parts.ts';
import {
  isIndeterminate,
  ledgerError,
  type Opened,
  parseOpening,
  toAdmitted,
  toRefused,
} from '../replies.ts';
import { createTakes } from './takes.ts';

/** A settlement waits in the batcher for the next script run, so it does not wait here. */
const SETTLER = { ...SETTLER_BOUNDS, delayMs: 0, groupMax: 512 };

/**
 * As many as settlements may wait. What older ones took is forgotten, so they expire if Redis loses them.
 */
const ENTRIES_MAX = 50_000;

/** Creates a memory of what this gateway's open reservations took, in case Redis loses them. */
export const createMemory = () => {
  const kept = new Map<string, Opened>();
  return {
    keep(id: string, opened: Opened): void {
      const oldest = kept.size >= ENTRIES_MAX ? kept.keys().next().value : undefined;
      if (oldest !== undefined) kept.delete(oldest);
      kept.set(id, opened);
    },
    /** Returns what a reservation took; `null` when it is not known. */
    find: (id: string): Opened | null => kept.get(id) ?? null,
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
      const opened = parseOpening(text);
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
