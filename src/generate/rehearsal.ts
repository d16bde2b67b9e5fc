/**
 * What sandbox keys make with `Tessera-Load-Test`: a load test costs and saves nothing, and takes the time that live calls
 * take. Its calls do the work of live calls, and undo what these keep.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Design } from '../../workers/protocol.ts';
import type { NewCode } from '../db/tables/codes/codes.ts';
import type { Saving } from '../db/tables/saving.ts';
import { MAX_MEASURED_MS } from '../limits/free-work.ts';
import { DATABASE_SHARE } from '../limits/meter.ts';
import type { Quota, Settle, Taken } from '../quota/quota.ts';
import { createBarcode } from './barcode/barcode.ts';
import { type BulkParts, createBulk } from './bulk/bulk.ts';
import { applyRefund } from './paid-call.ts';
import type { Parts } from './parts.ts';
import { countingFree, withinBudget } from './sandbox.ts';
import { createImage, createSingle } from './single.ts';

/** Returns a ledger that gives back all units that it takes, and tells balances as if it had taken none. */
const givingBack = (quota: Quota): Quota => {
  const open = new Map<string, number>();

  const reserve: Quota['reserve'] = async (request) => {
    const reserved = await quota.reserve(request);
    if (reserved.outcome !== 'admitted') return reserved;
    open.set(request.id, request.units);
    return { ...reserved, balance: applyRefund(reserved, request.units) };
  };

  /** Without an answer, the claim of an Idempotency-Key is released. */
  const givingAll = ({ id, accountId, refundUnits }: Settle): Settle => ({
    ...{ id, accountId },
    refundUnits: open.get(id) ?? refundUnits,
  });

  return {
    ...quota,
    reserve,
    async take(request) {
      const id = randomUUID();
      const taken = await reserve({ ...request, id, units: 1 });
      open.delete(id);
      if (taken.outcome === 'admitted')
        quota.settleLater({ id, accountId: request.accountId, refundUnits: 1 });
      return taken as Taken;
    },
    async settle(request) {
      const settled = await quota.settle(givingAll(request));
      // One that fails is settled later.
      open.delete(request.id);
      return settled;
    },
    settleLater(request) {
      quota.settleLater(givingAll(request));
      open.delete(request.id);
    },
  };
};

/**
 * Returns codes in a folder, with designs and logos, that no other call saves: rows that are rolled back are never found
 * by the next call, so calls that save the same ones would wait for each other.
 */
const apart = ({ folder, codes, ...saving }: Saving): Saving => {
  const id = randomUUID();
  const designs = new Map<Design, Design>();
  const logos = new Map<string, Buffer>();
  const ownDesign = (design: Design): Design => {
    const own = designs.get(design) ?? Object.assign({ rehearsal: id }, design);
    designs.set(design, own);
    return own;
  };
  const ownLogo = (logo: NewCode['logo']): NewCode['logo'] => {
    if (logo === null) return null;
    const key = Buffer.from(logo.sha256).toString('hex');
    const sha256 = logos.get(key) ?? randomBytes(32);
    logos.set(key, sha256);
    return { ...logo, sha256 };
  };
  return {
    ...saving,
    folder: 'id' in folder ? folder : { name: id },
    codes: codes.map((code) => ({ ...code, design: ownDesign(code.design), logo: ownLogo(code.logo) })),
  };
};

/** Returns a store that rolls back what it saves. The time that this takes the database counts as free work. */
const rollingBack = ({ store, freeWork }: Pick<BulkParts, 'store' | 'freeWork'>): BulkParts['store'] => ({
  ...store,
  async save(saving) {
    const { made, heldMs } = await store.rehearse(apart(saving));
    freeWork.spend(saving.accountId, Math.min(heldMs, MAX_MEASURED_MS) * DATABASE_SHARE);
    return made;
  },
});

/** Makes the use cases of load tests with sandbox keys. They refuse what those of live keys refuse. */
export const createRehearsal = (parts: Parts, { store, links }: Pick<BulkParts, 'store' | 'links'>) => {
  const { quota, freeWork } = parts;
  const free = { ...parts, quota: givingBack(quota), pool: countingFree(parts) };
  const bulk = createBulk({ ...free, store: rollingBack({ store, freeWork }), links, refund: 'none' });
  return {
    single: withinBudget(freeWork, createSingle(free)),
    image: withinBudget(freeWork, createImage(free)),
    barcode: withinBudget(freeWork, createBarcode(free)),
    bulk: withinBudget(freeWork, bulk),
  };
};

/** What `createRehearsal` returns. */
export type Rehearsal = ReturnType<typeof createRehearsal>;
