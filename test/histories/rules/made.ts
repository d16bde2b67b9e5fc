/** Created objects: complete or absent, once for each key, and present when acknowledged. */
import type { History } from '../history.ts';
import { contentOf, KEY_QUOTAS, type Of, savedBy } from '../operations.ts';
import { attemptsOf, type CallOf, callsOf, groupBy, isOk, mayForgetKeys, type Violation } from './rule.ts';
import { takenBy } from './units.ts';

type Code = History['final']['codes'][number];

/** Whether the codes of an acknowledged bulk call differ from its answer. */
const misplaced = ({ operation, answer }: CallOf<'bulk'>, codes: readonly Code[]): boolean =>
  operation.items.some((item, index) => {
    if (item === 'failing') return false;
    const slug = answer!.slugs[index] ?? null;
    const content = contentOf(operation, index);
    return !codes.some(
      (code) => code.content === content && code.slug === slug && code.folder === answer!.names,
    );
  });

const checkBulk = (history: History, attempts: CallOf<'bulk'>[], codes: readonly Code[]): string[] => {
  const wanted = savedBy(attempts[0]!.operation);
  const counts = wanted.map((content) => codes.filter((code) => code.content === content).length);
  const copies = counts[0]!;
  const acknowledged = attempts.filter(isOk);
  if (counts.some((count) => count !== copies) || codes.length !== copies * wanted.length)
    return [`only a part of it is saved: ${codes.length} of ${wanted.length} codes`];
  if (copies > 1 && !mayForgetKeys(history, attempts)) return [`its codes are saved ${copies} times`];
  if (acknowledged.length > 0 && copies === 0) return ['it was acknowledged, but its codes are missing'];
  if (acknowledged.some((call) => misplaced(call, codes))) return ['its codes differ from its answer'];
  if (copies > 0 && attempts.every(({ outcome }) => outcome === 'refused'))
    return ['it was refused, but its codes are saved'];
  return [];
};

/** Checks bulk calls. */
export const checkCodes = (history: History): Violation[] => {
  const byName = groupBy(history.final.codes, ({ content }) => content.split('/').at(-2)!);
  return attemptsOf(history, 'bulk').flatMap((calls) =>
    checkBulk(history, calls, byName.get(calls[0]!.operation.name) ?? []).map((what) => ({
      rule: 'codes',
      what,
      calls,
    })),
  );
};

/** Returns a test whether a batch may have failed because its key, or one that made it, had too few units left. */
const createLacks = (history: History) => {
  const takers = history.calls.flatMap(({ operation }) => {
    const { account, by, kind } = operation;
    if (kind === 'batch') return [{ account, by, units: operation.rows }];
    return kind === 'single' || kind === 'bulk' ? [{ account, by, units: takenBy(operation) }] : [];
  });
  return ({ account, by }: Of<'batch'>): boolean =>
    KEY_QUOTAS.some((quota, key) => {
      if (quota === null || key > by) return false;
      const ofKey = takers.filter((taker) => taker.account === account && taker.by >= key);
      return ofKey.reduce((sum, { units }) => sum + units, 0) > quota;
    });
};

/** Checks that each batch exists once and has ended in the state that its rows imply, with all of its codes. */
export const checkBatches = (history: History): Violation[] => {
  const { batches, codes } = history.final;
  const byName = groupBy(codes, ({ content }) => content.split('/').at(-2)!);
  const mayLackUnits = createLacks(history);
  return attemptsOf(history, 'batch').flatMap((calls): Violation[] => {
    const { operation } = calls[0]!;
    const { name, rows, isFaulty } = operation;
    const found = batches.filter((batch) => batch.name === name);
    const fault = (what: string) => [{ rule: 'batches', what, calls }];
    if (found.length > 1) return fault(`there are ${found.length} of it`);
    const [batch] = found;
    if (batch === undefined) return calls.some(isOk) ? fault('it was acknowledged, but is missing') : [];
    if (calls.some((call) => isOk(call) && call.answer!.names !== batch.id))
      return fault('it has another id');
    const saved = byName.get(name)?.length ?? 0;
    const isRefused = isFaulty || (batch.state === 'failed' && mayLackUnits(operation));
    const [state, made] = isRefused ? (['failed', 0] as const) : (['done', rows] as const);
    if (batch.state !== state || batch.made !== made || saved !== made)
      return fault(
        `${rows} rows: it is ${batch.state} with ${batch.made} made and ${saved} codes; ${batch.reason}`,
      );
    return [];
  });
};

/** Checks that acknowledged folders exist, and that folders made for codes have codes. */
export const checkFolders = (history: History): Violation[] => {
  const { folders, codes } = history.final;
  const names = new Set(folders.map(({ name }) => name));
  const used = new Set(codes.map(({ folder }) => folder));
  const made = callsOf(history, 'folder');
  const own = new Set(made.map(({ operation }) => operation.name));
  return [
    ...made
      .filter((call) => isOk(call) && !names.has(call.operation.name))
      .map((call) => ({ rule: 'folders', what: 'it was acknowledged, but is missing', calls: [call] })),
    ...folders
      .filter(({ id, name }) => !own.has(name) && !used.has(id))
      .map(({ name }) => ({ rule: 'folders', what: `"${name}" was made without its codes`, calls: [] })),
  ];
};

/** Checks that acknowledged credits with a reference were added once, with the right amount. */
export const checkGrants = (history: History): Violation[] =>
  attemptsOf(history, 'credits').flatMap((calls): Violation[] => {
    const { name, amount } = calls[0]!.operation;
    const found = history.final.grants.filter(({ reference }) => reference === name);
    const isThere = found.length === 1 && found[0]!.amount === amount;
    if (isThere || (found.length === 0 && !calls.some(isOk))) return [];
    return [{ rule: 'credits', what: `${found.length} grants of ${amount}`, calls }];
  });
