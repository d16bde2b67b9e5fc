/** Common parts of the rules. */
import type { Call, Felt, History } from '../history.ts';
import type { Kind, Of } from '../operations.ts';

/** A violated rule, and the calls that show it. */
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
/** Whether the call may have had its effect, or may still have it. */
export const isOpen = ({ outcome }: Call): boolean => outcome === 'indeterminate';

const overlaps = (fault: Felt, fromMs: number, toMs: number): boolean =>
  fault.beginMs <= toMs && fault.endMs >= fromMs;

/** Faults that had effects within a span of time. */
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

/** Without faults, units and scans have reached Postgres, and settlements Redis, this long after an answer. */
const WRITTEN_MS = 2000;

/** Answers before this moment are safe from a loss at `atMs`, because no fault had effects since then. */
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
 * Whether the effects of a call may be lost in one of these losses, as docs/operations/failures.md describes: when a gateway
 * is killed right after its answer or, for units, when Redis loses its data before they reach Postgres.
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
