/** Makes up to 100 codes and saves those that were drawn in one folder. */

import { defaultFolderName } from '../../db/tables/names.ts';
import type { BulkStore, CodeIds, Folder, NewCall } from '../../db/tables/saving.ts';
import { isRefunded, type RefundPolicy } from '../../lists.ts';
import type { Balance } from '../../quota/quota.ts';
import { isOk, ok, refused } from '../../result.ts';
import { type PaidCall, type Planned, payFor } from '../paid-call.ts';
import { type Caller, noTimings, type Parts, type Timings } from '../parts.ts';
import { NO_TERMS, type Terms } from '../quality/graded.ts';
import type { BulkRequest } from '../request/request.ts';
import { chooseFolder, type FolderChoice, toNewCode, trySave } from '../save/saving.ts';
import { applyRefund, replayRefusal, type Taken } from '../units.ts';
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

type Entries = readonly Entry[];

/** What is known of a call before its units are taken. */
interface Plan extends Planned<Entries> {
  readonly folder: Folder;
}

const FIELDS = { id: 'folderId', name: 'folderName' };

const folderChoice = ({ folderId: id, folderName: name }: BulkRequest): FolderChoice => ({
  ...{ fields: FIELDS, id, name },
  usual: defaultFolderName(new Date()),
});

/** Returns the ids of the items' codes; `null` for one that failed. Codes have places among those that were saved. */
const idsOf = (entries: Entries, ids: CodeIds): readonly (string | null)[] => {
  let place = 0;
  return entries.map((entry) => (entry.ok ? ids.get(place++)! : null));
};

const recordOf = (entries: Entries, ids: CodeIds, { usageCount, remaining }: Balance): BulkRecord => {
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

const newCall = ({ claim }: Caller, taken: Taken, entries: Entries, refundUnits: number): NewCall => {
  const call = { reservationId: taken.id, refundUnits };
  if (claim === undefined) return { ...call, claim: null };
  const balance = applyRefund(taken, refundUnits);
  const answer = (ids: CodeIds) => JSON.stringify(recordOf(entries, ids, balance));
  return { ...call, claim: { ...claim, route: 'bulk', answer } };
};

/** Returns what a bulk call does in the steps of `payFor`. */
const callFor = (
  parts: BulkParts,
  request: BulkRequest,
  caller: Caller,
  terms: Terms,
): PaidCall<Entries, Entries, BulkAnswer, Plan> => {
  const timings = noTimings();
  const { accountId, claim } = caller;
  const { store, links, refund } = parts;
  return {
    ...{ caller, use: 'bulk', terms, timings },
    /** It fails without the database. Nothing could be saved then, so nothing is reserved or drawn. */
    async findEarlier() {
      const earlier = await store.findCall(accountId, 'bulk', claim?.key ?? null);
      return earlier && replayCall(parts, request, caller, earlier, { terms, timings });
    },
    async plan() {
      const folder = await chooseFolder(store, accountId, folderChoice(request));
      const entries = readyItems(request.items, links);
      const estimatedMs = entries.filter(isOk).map(({ value }) => value.threadMs);
      return { units: entries.length, estimatedMs, pictures: entries, folder };
    },
    replay: replayRefusal,
    findLogos: (entries) => findLogos(parts, accountId, entries),
    draw: (entries) => drawItems(parts, accountId, entries, terms, timings),
    grade: (entries) => refuseBelow(parts, accountId, entries, terms),
    async keep(entries, taken, { folder }) {
      const refundUnits = entries.filter(
        (entry) => !entry.ok && isRefunded(refund, entry.fault.cause),
      ).length;
      const codes = entries
        .filter(isOk)
        .map(({ value }, position) => toNewCode(value, pictureOf(value), position));
      const call = newCall(caller, taken, entries, refundUnits);
      const made = await trySave(store, { ...caller, folder, codes, call }, FIELDS);
      if (made.kind === 'slugs taken')
        return { kind: 'again', pictures: renewSlugs(entries, new Set(made.slugs), links) };
      if (made.kind === 'id taken') throw new Error('a bulk call asks for no unique ids');
      if (made.kind !== 'saved') return made;
      const { folderId, ids } = made.saved;
      // Made after the call is settled: nothing that fails may give units of saved codes back.
      const answer = (month: Balance): BulkAnswer => {
        const { usageCount, remaining } = applyRefund(taken, refundUnits);
        const results = toBulkResults(entries, idsOf(entries, ids));
        return { results, usageCount, remaining, folderId, month, replayed: false, timings };
      };
      return { kind: 'done', refundUnits, answer };
    },
  };
};

/**
 * Makes the use case of a bulk call. A failed item does not fail the call. A call that fails as a whole gives all its
 * units back before it is answered. Its units are paid if its codes were saved, even when the gateway is killed or
 * cannot learn that.
 */
export const createBulk =
  (parts: BulkParts) =>
  (request: BulkRequest, caller: Caller, terms: Terms = NO_TERMS): Promise<BulkAnswer> =>
    payFor(parts, callFor(parts, request, caller, terms));
