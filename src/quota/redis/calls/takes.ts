import { randomUUID } from 'node:crypto';
import type { Balance, Take, Taken } from '../../quota.ts';
import {
  isIndeterminate,
  ledgerError,
  type Opened,
  parseOpening,
  toAdmitted,
  toRefused,
} from '../replies.ts';
import type { Seeder } from '../seed.ts';
import { type Calls, keyArgs } from './calls.ts';

/** What `take` works with. */
export interface TakeParts {
  readonly calls: Pick<Calls, 'take'>;
  readonly seeder: Pick<Seeder, 'warm'>;
  /** Remembers what a reservation took, in case Redis loses it before it is closed. */
  keep(id: string, opening: Opened): void;
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
export const shareOut = (count: number, opening: Opened): readonly Taken[] => {
  const all = toAdmitted(opening);
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
      const opening = parseOpening(text);
      const count = group.waiting.length;
      const taken = opening === null ? refuseAll(count, text) : shareOut(count, opening);
      if (opening !== null) {
        keep(id, opening);
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
