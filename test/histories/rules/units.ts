/** Units: counted exactly once, and the same wherever they are read. */
import type { Units } from '../final.ts';
import type { History } from '../history.ts';
import { contentOf, type Of, unitsOf } from '../operations.ts';
import {
  attemptsOf,
  type CallOf,
  isOk,
  isOpen,
  kills,
  losesRedis,
  lossesOf,
  mayForgetKeys,
  type Violation,
} from './rule.ts';

/** Figures that must agree, read in several places. */
const checkAgreement = ({ usage, history, invoice }: Units): string[] => {
  const credits = usage.usage_count - usage.monthly_used;
  const remaining = Math.max(0, usage.monthly_quota - usage.monthly_used) + usage.credits;
  const same: readonly (readonly [string, number, number])[] = [
    ['units of the usage history', history.units, usage.usage_count],
    ['monthly units of the usage history', history.monthly, usage.monthly_used],
    ['credits of the usage history', history.credits, credits],
    ['units of the invoice', invoice.units, usage.usage_count],
    ['monthly units of the invoice', invoice.monthly, usage.monthly_used],
    ['credits of the invoice', invoice.credits, credits],
    ['remaining', usage.remaining, remaining],
  ];
  return same.flatMap(([what, is, expected]) => (is === expected ? [] : [`${what}: ${is}, not ${expected}`]));
};

interface Bounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Returns the range of units that the attempts of one operation may have cost. A reservation may have expired before
 * a late acknowledgement, unless codes are saved: those are paid, even when their gateway is killed.
 */
const createBounds = (history: History) => {
  const mayBeLost = lossesOf(history, (fault) => kills(fault) || losesRedis(fault));
  const mayBeLostWhenSaved = lossesOf(history, losesRedis);
  const saved = new Set(history.final.codes.map(({ content }) => content));
  return (calls: readonly CallOf<'single' | 'bulk'>[]): Bounds => {
    const { operation } = calls[0]!;
    const units = unitsOf(operation);
    const isCertain = (call: CallOf<'single' | 'bulk'>) =>
      isOk(call) && call.endMs - call.beginMs < history.ttlMs / 2 && !mayBeLost(call);
    const isSaved = operation.kind === 'bulk' && saved.has(contentOf(operation, 0));
    const isPaid = calls.some(isCertain) || (isSaved && !calls.some(mayBeLostWhenSaved));
    const times = Math.max(calls.filter((call) => isOk(call) || isOpen(call)).length, isSaved ? 1 : 0);
    return {
      least: isPaid ? units : 0,
      most: units * (mayForgetKeys(history, calls) ? times : Math.min(times, 1)),
    };
  };
};

const total = (bounds: readonly Bounds[], made: number): Bounds => ({
  least: bounds.reduce((sum, { least }) => sum + least, made),
  most: bounds.reduce((sum, { most }) => sum + most, made),
});

/** Units that are open during a call. */
export const takenBy = (operation: Of<'single' | 'bulk'>): number =>
  operation.kind === 'single' ? 1 : operation.items.length;

const outside = (used: number, { least, most }: Bounds): string[] =>
  used < least || used > most ? [`${used} are used, not ${least} to ${most}`] : [];

/**
 * Checks that each account, each key, and each key that made another one, paid for acknowledged calls, perhaps for
 * indeterminate ones, and for nothing else, and no key for more than its quota.
 */
export const checkUnits = (history: History): Violation[] => {
  const { units, batches, grants, differences } = history.final;
  const boundsOf = createBounds(history);
  const operations = [...attemptsOf(history, 'single'), ...attemptsOf(history, 'bulk')];
  const isLossless = !history.faults.some(losesRedis);
  const mayBeOpen = lossesOf(history, losesRedis);
  const found = units.flatMap((read, account): string[] => {
    const own = operations.filter((calls) => calls[0]!.operation.account === account);
    /** What the calls of a key cost, and of those that it made, directly or not. */
    const costOf = (key: number): Bounds => {
      const made = batches
        .filter((batch) => batch.account === account && batch.by >= key)
        .reduce((sum, batch) => sum + batch.made, 0);
      return total(own.filter((calls) => calls[0]!.operation.by >= key).map(boundsOf), made);
    };
    // Units that were open when Redis lost them are taken off the use with the most units, whichever key took them.
    const strayed = own
      .filter((calls) => calls.some(mayBeOpen))
      .reduce((sum, [first]) => sum + takenBy(first!.operation), 0);
    const costOfKey = (key: number): Bounds => {
      const { least, most } = costOf(key);
      return { least: least - strayed, most: most + strayed };
    };
    const ofKeys = read.keys.flatMap(({ quota, used }, key) =>
      [
        ...outside(used, costOfKey(key)),
        ...(quota !== null && used > quota ? [`${used} of a quota of ${quota} are used`] : []),
      ].map((what) => `key ${key}: ${what}`),
    );
    const { usage_count, monthly_used, credits } = read.usage;
    const bought = grants
      .filter((grant) => grant.account === account)
      .reduce((sum, { amount }) => sum + amount, 0);
    const had = credits + usage_count - monthly_used;
    return [
      ...checkAgreement(read),
      ...outside(usage_count, costOf(0)),
      ...ofKeys,
      ...(had < bought || (had > bought && isLossless)
        ? [`${had} credits are left or used of ${bought}`]
        : []),
    ].map((what) => `account ${account}: ${what}`);
  });
  return [...found, ...differences].map((what) => ({ rule: 'units', what, calls: [] }));
};
