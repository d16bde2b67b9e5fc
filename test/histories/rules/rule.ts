/** What the rules of the checker share. */
import type { Call, Felt, History } from '../history.ts';
import type { Kind, Of } from '../operations.ts';

/** What does not hold, and the calls that show it. */
export interface Violation {
  readonly rule: string;
  readonly what: string;
  readonly calls: readonly Call[];
}

/** A call of one kind. */
export type CallOf<K extends Kind> = Call & { readonly operation: Of<K> };

export const groupBy = <T>(all: readonly T[], nameOf: (one: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const name = nameOf(one);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return groups;
};

const isOf =
  <K extends Kind>(kind: K) =>
  (call: Call): call is CallOf<K> =>
    call.operation.kind === kind;

export const callsOf = <K extends Kind>({ calls }: Pick<History, 'calls'>, kind: K): CallOf<K>[] =>
  calls.filter(isOf(kind));

/** The attempts of each operation of a kind. */
export const attemptsOf = <K extends Kind>(history: History, kind: K): CallOf<K>[][] => [
  ...groupBy(callsOf(history, kind), ({ operation }) => operation.name).values(),
];

export const isOk = ({ outcome }: Call): boolean => outcome === 'ok';
/** Whether it may have had its effect, or have it later. */
export const isOpen = ({ outcome }: Call): boolean => outcome === 'indeterminate';

const overlaps = (fault: Felt, fromMs: number, toMs: number): boolean =>
  fault.beginMs <= toMs && fault.endMs >= fromMs;

/** Faults that were felt in a span. */
export const faultsIn = ({ faults }: History, fromMs: number, toMs: number): Felt[] =>
  faults.filter((fault) => overlaps(fault, fromMs, toMs));

export const kills = ({ blow }: Felt): boolean => blow.kind === 'kill';
export const losesRedis = ({ blow }: Felt): boolean =>
  blow.kind === 'empty redis' || blow.kind === 'restart redis';

/** Whether Redis lost its data, and the Idempotency-Keys with it, while or between these calls. */
export const mayForgetKeys = (history: History, calls: readonly Call[]): boolean => {
  const fromMs = Math.min(...calls.map(({ beginMs }) => beginMs));
  const toMs = Math.max(...calls.map(({ endMs }) => endMs));
  return faultsIn(history, fromMs, toMs).some(losesRedis);
};

/** Postgres has units and scans, and Redis settlements, so long after an answer, unless something is disturbed. */
const WRITTEN_MS = 2000;

/** What was answered before this moment is safe from a loss at `atMs`: no fault was felt from then on. */
const safeBefore = (history: History, atMs: number): number => {
  let fromMs = atMs - WRITTEN_MS;
  for (;;) {
    const earlier = faultsIn(history, fromMs, atMs).map(({ beginMs }) => beginMs - WRITTEN_MS);
    const next = Math.min(fromMs, ...earlier);
    if (next === fromMs) return fromMs;
    fromMs = next;
  }
};

/**
 * Returns whether what a call did may be lost with one of these losses, as docs/operations.md says: with a gateway that is
 * killed right after its answer, and, of units, with the data of Redis before Postgres has them.
 */
export const lossesOf = (history: History, isLoss: (fault: Felt) => boolean) => {
  const losses = history.faults
    .filter(isLoss)
    .map((fault) => ({ ...fault, safeMs: safeBefore(history, fault.beginMs) }));
  return (call: Call): boolean =>
    losses.some(
      ({ blow, safeMs, endMs }) =>
        (blow.kind !== 'kill' || blow.gateways.includes(call.gateway)) &&
        call.endMs >= safeMs &&
        call.beginMs <= endMs,
    );
};
