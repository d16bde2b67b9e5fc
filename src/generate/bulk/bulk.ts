import { isIndeterminate } from '../../db/faults.ts';
import { defaultFolderName } from '../../db/tables/names.ts';
import type { BulkStore, CodeIds, Folder, NewCall, Saved } from '../../db/tables/saving.ts';
import { isRefunded, type RefundPolicy } from '../../lists.ts';
import type { Balance } from '../../quota/quota.ts';
import { isOk, ok, refused } from '../../result.ts';
import { refuseWhenFull } from '../drawing.ts';
import { toNewCode } from '../new-code.ts';
import { type Caller, noTimings, type Parts, type Timings } from '../parts.ts';
import { NO_TERMS, type Terms } from '../quality/graded.ts';
import type { BulkRequest } from '../request/request.ts';
import {
  chooseFolder,
  type FolderChoice,
  SAVE_ATTEMPTS,
  settleSaved,
  tookTooLong,
  unknownFolder,
  unknownOutcome,
} from '../saving.ts';
import {
  applyRefund,
  giveBack,
  RefusedRecord,
  readRecord,
  refuseAgain,
  type Taken,
  takeUnits,
} from '../units.ts';
import { drawItems, refuseBelow } from './draw-items.ts';
import {
  type BulkResult,
  type Entry,
  findLogos,
  type LinkRules,
  pictureOf,
  readyItems,
  renewSlugs,
  toBulkResults,
} from './items.ts';
import { repairItems } from './repair-items.ts';
import { type BulkRecord, replayCall } from './replay.ts';

/** The answer to a bulk call: one result for each item, in the order of the request. */
export interface BulkAnswer {
  readonly results: readonly BulkResult[];
  readonly usageCount: number;
  readonly remaining: number;
  readonly folderId: string;
  /** The balance now. `usageCount` and `remaining` above are those right after the call, also in a replay. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/** What a bulk call needs beyond the parts of every use case. */
export interface BulkParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly refund: RefundPolicy;
}

/** What a call asks of its pictures, and where the time that they take is noted. */
interface Wanted {
  readonly terms: Terms;
  readonly timings: Timings;
}

const FIELDS = { id: 'folderId', name: 'folderName' };

const folderChoice = ({ folderId: id, folderName: name }: BulkRequest): FolderChoice => ({
  ...{ fields: FIELDS, id, name },
  usual: defaultFolderName(new Date()),
});

/**
 * Makes the use case of a bulk call: it draws up to 100 codes and saves those that were drawn in one folder. A failed
 * item does not fail the call. A call that fails as a whole gives all its units back before it is answered. Its units
 * are paid if its codes were saved, even when the gateway is killed or cannot learn that.
 */
export const createBulk = (parts: BulkParts) => {
  const refundOf = (entries: readonly Entry[]): number =>
    entries.filter((entry) => !entry.ok && isRefunded(parts.refund, entry.fault.cause)).length;

  /** Draws what is to be drawn, and fails what is below the wanted grade. */
  const drawGraded = async (entries: readonly Entry[], accountId: string, { terms, timings }: Wanted) =>
    refuseBelow(
      parts,
      accountId,
      await drawItems(
        parts,
        accountId,
        await repairItems(parts, accountId, entries, terms, timings),
        timings,
      ),
      terms,
    );

  const newCall = ({ claim }: Caller, taken: Taken, entries: readonly Entry[]): NewCall => {
    const refundUnits = refundOf(entries);
    const call = { reservationId: taken.id, refundUnits };
    if (claim === undefined) return { ...call, claim: null };
    const balance = applyRefund(taken, refundUnits);
    const answer = (ids: CodeIds) => JSON.stringify(recordOf(entries, ids, balance));
    return { ...call, claim: { ...claim, route: 'bulk', answer } };
  };

  /**
   * Saves what was drawn and returns the folder and the codes; `null`: a call with the same Idempotency-Key was saved
   * before. An item whose slug is taken gets another and is drawn again.
   */
  const save = async (
    caller: Caller,
    taken: Taken,
    folder: Folder,
    drawn: Entry[],
    wanted: Wanted,
  ): Promise<Saved | null> => {
    for (let attempt = 1; attempt <= SAVE_ATTEMPTS; attempt += 1) {
      const codes = drawn
        .filter(isOk)
        .map(({ value }, position) => toNewCode(value, pictureOf(value), position));
      const call = newCall(caller, taken, drawn);
      const saved = await parts.store.save({ ...caller, folder, codes, call });
      if (saved.ok) return saved.value;
      const { fault } = saved;
      if (fault.kind === 'saved before') return null;
      if (fault.kind === 'given up') throw tookTooLong();
      if (fault.kind === 'folder gone') throw unknownFolder({ fields: FIELDS });
      if (fault.kind === 'id taken') throw new Error('a bulk call asks for no unique ids');
      const renewed = renewSlugs(drawn, new Set(fault.slugs), parts.links);
      drawn.splice(0, drawn.length, ...(await drawGraded(renewed, caller.accountId, wanted)));
    }
    throw new Error('no free slug was found');
  };

  const findSaved = ({ accountId, claim }: Caller) =>
    parts.store.findCall(accountId, 'bulk', claim?.key ?? null);

  return async (request: BulkRequest, caller: Caller, terms: Terms = NO_TERMS): Promise<BulkAnswer> => {
    const timings = noTimings();
    const wanted = { terms, timings };
    const { accountId } = caller;
    // This fails without the database. Nothing could be saved then, so nothing is reserved or drawn.
    const earlier = await findSaved(caller);
    if (earlier !== null) return replayCall(parts, request, caller, earlier, wanted);
    const folder = await chooseFolder(parts.store, accountId, folderChoice(request));
    const prepared = readyItems(request.items, parts.links);
    refuseWhenFull(
      parts,
      accountId,
      'bulk',
      prepared.filter(isOk).map(({ value }) => value.threadMs),
    );
    if (terms.minGrade > 0) parts.freeWork.admit(accountId);
    const units = request.items.length;
    const taken = await takeUnits(parts.quota, caller, { units, kind: 'bulk' }, timings);
    if (taken.kind === 'replay') throw refuseAgain(readRecord(RefusedRecord, taken.answer));
    try {
      const withLogos = await findLogos(parts, accountId, prepared);
      const entries = await drawGraded(withLogos, accountId, wanted);
      const saved = await save(caller, taken, folder, entries, wanted);
      const refundUnits = saved === null ? units : refundOf(entries);
      const month = await settleSaved(parts, caller, taken, refundUnits, timings);
      if (saved === null) return await replayCall(parts, request, caller, (await findSaved(caller))!, wanted);
      const { usageCount, remaining } = applyRefund(taken, refundUnits);
      const { folderId } = saved;
      const results = toBulkResults(entries, idsOf(entries, saved.ids));
      return { results, usageCount, remaining, folderId, month, replayed: false, timings };
    } catch (error) {
      if (isIndeterminate(error)) throw unknownOutcome(error);
      await giveBack(parts, caller, taken, units, error);
      throw error;
    }
  };
};

/** Returns the ids of the items' codes; `null` for one that failed. Codes have places among those that were saved. */
const idsOf = (entries: readonly Entry[], ids: CodeIds): readonly (string | null)[] => {
  let place = 0;
  return entries.map((entry) => (entry.ok ? ids.get(place++)! : null));
};

const recordOf = (
  entries: readonly Entry[],
  ids: CodeIds,
  { usageCount, remaining }: Balance,
): BulkRecord => {
  const ofItems = idsOf(entries, ids);
  return {
    usageCount,
    remaining,
    items: entries.map((entry, index) =>
      entry.ok
        ? ok({ id: ofItems[index]!, slug: entry.value.slug, logo: entry.value.found?.sha256 ?? null })
        : refused(entry.fault.error),
    ),
  };
};
