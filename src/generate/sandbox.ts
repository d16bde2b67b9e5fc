/** What the calls of sandbox keys make: the same pictures with a mark, neither paid nor saved. */
import { randomUUID } from 'node:crypto';
import { isBarcode, type ThreadTask } from '../../workers/group.ts';
import { estimateFileMs, type PlannedTask, planLayout } from '../../workers/plan.ts';
import { isFault } from '../../workers/protocol.ts';
import type { Quota } from '../quota/quota.ts';
import { ok } from '../result.ts';
import { createBarcode } from './barcode/barcode.ts';
import { type BulkParts, createBulk } from './bulk/bulk.ts';
import type { Caller, Parts } from './parts.ts';
import { createImage, createSingle } from './single.ts';

/** Returns a ledger that admits everything, takes nothing, and tells the balance of the account as it is. */
const withoutTaking = (quota: Quota): Quota => {
  const admit = async ({ accountId }: { readonly accountId: string }) => ({
    ...({ outcome: 'admitted', fromMonthly: 0, fromCredits: 0 } as const),
    balance: await quota.read(accountId),
  });
  return {
    ...quota,
    reserve: admit,
    take: admit,
    settle: async ({ accountId }) => ({ outcome: 'settled', balance: await quota.read(accountId) }),
    settleLater: () => {},
  };
};

/** Returns render threads that count the estimated time of pictures as free work. */
export const countingFree = ({ pool, freeWork }: Pick<Parts, 'pool' | 'freeWork'>): Parts['pool'] => ({
  ...pool,
  render: (request) => {
    for (const ms of request.estimatedMs) freeWork.spend(request.accountId, ms);
    return pool.render(request);
  },
});

const marked = (task: ThreadTask): ThreadTask =>
  isBarcode(task) ? { ...task, mark: 'test' } : { ...task, design: { ...task.design, mark: 'test' } };

/** Returns what a task takes with its mark, which no fast lane draws. */
const estimate = (task: ThreadTask | PlannedTask, plainMs: number): number => {
  if (!('plan' in task) || task.repair !== undefined) return plainMs;
  const { plan, design, logo, format } = task;
  const layout = planLayout(plan.symbol, design, logo);
  if (isFault(layout)) return plainMs;
  return estimateFileMs(format, layout, logo !== null && logo.vector === undefined);
};

/** Returns render threads that put the mark on every picture. */
const marking = (pool: Parts['pool']): Parts['pool'] => ({
  ...pool,
  render: (request) => {
    const tasks = request.tasks.map(marked);
    const estimatedMs = request.estimatedMs.map((ms, i) => estimate(tasks[i]!, ms));
    return pool.render({ ...request, tasks, estimatedMs });
  },
});

/** Returns a cache that keeps nothing: the cache of the gateway knows pictures without the mark. */
const keepingNothing = (cache: Parts['cache']): Parts['cache'] => ({
  ...cache,
  find: () => null,
  through: (_, __, render) => render(),
});

/** Returns a store that saves nothing. What would have been made gets an id that refers to nothing. */
const withoutSaving = (store: BulkParts['store']): BulkParts['store'] => ({
  ...store,
  findCall: async () => null,
  save: async ({ folder, codes }) =>
    ok({
      folderId: 'id' in folder ? folder.id : randomUUID(),
      ids: new Map(codes.map(({ position }) => [position, randomUUID()])),
    }),
});

/** Wraps a use case, whose pictures are free work. @throws {AppError} 429 when the account has overdrawn its budget. */
export const withinBudget =
  <Request, More extends readonly unknown[], Answer>(
    freeWork: Parts['freeWork'],
    make: (request: Request, caller: Caller, ...more: More) => Promise<Answer>,
  ) =>
  async (request: Request, caller: Caller, ...more: More): Promise<Answer> => {
    freeWork.admit(caller.accountId);
    return make(request, caller, ...more);
  };

/**
 * Makes the use cases of sandbox keys. They check and answer as those of live keys do, except that nothing is taken,
 * kept or saved, so a short link in a picture leads nowhere.
 */
export const createSandbox = (parts: Parts, { store, links }: Pick<BulkParts, 'store' | 'links'>) => {
  const { quota, cache, freeWork } = parts;
  const free = {
    ...parts,
    quota: withoutTaking(quota),
    pool: marking(countingFree(parts)),
    cache: keepingNothing(cache),
  };
  const bulk = createBulk({ ...free, store: withoutSaving(store), links, refund: 'none' });
  return {
    single: withinBudget(freeWork, createSingle(free)),
    image: withinBudget(freeWork, createImage(free)),
    barcode: withinBudget(freeWork, createBarcode(free)),
    bulk: withinBudget(freeWork, bulk),
  };
};

/** What `createSandbox` returns. */
export type Sandbox = ReturnType<typeof createSandbox>;
