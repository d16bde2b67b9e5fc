/** Makes up to 100 codes and saves those that were drawn in one folder. */

import type { LinkDomain } from '../../db/tables/domains/served.ts';
import { defaultFolderName } from '../../db/tables/names.ts';
import type { BulkStore, CodeIds, Folder, Saved } from '../../db/tables/saving.ts';
import { isRefunded, type RefundPolicy } from '../../lists.ts';
import type { Balance } from '../../quota/quota.ts';
import { isOk } from '../../result.ts';
import { applyRefund, type Made, payFor, type Taken } from '../paid-call.ts';
import { type Call, type Caller, type GradeTerms, NO_GRADE_TERMS, noTimings, type Parts } from '../parts.ts';
import type { BulkRequest } from '../request/request.ts';
import { chooseBulkDomain } from '../save/domain.ts';
import { chooseFolder, type FolderChoice } from '../save/request.ts';
import { type SlugsTaken, saveDrawn } from '../save/save-drawn.ts';
import { type LinkRules, linksOn, untilSlugsAreFree } from '../slugs.ts';
import { type BulkAnswer, replayBulk, toBulkResults, writeRecord } from './answer.ts';
import { makeItems } from './draw-items.ts';
import { type Entry, pictureOf, readyItems, renewSlugs } from './items.ts';

/** What a bulk call needs beyond the parts of every use case. */
export interface BulkParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly refund: RefundPolicy;
}

const FIELDS = { id: 'folderId', name: 'folderName' };

const folderChoice = ({ folderId: id, folderName: name }: BulkRequest): FolderChoice => ({
  ...{ fields: FIELDS, id, name },
  usual: defaultFolderName(new Date()),
});

/** Items whose codes are saved, and the balance right after the call. */
interface SavedItems {
  readonly entries: readonly Entry[];
  readonly saved: Saved;
  readonly balance: Balance;
}

const saveItems = async (
  { store, refund }: BulkParts,
  { accountId, keyId, claim }: Caller & Call,
  { folder, domain }: { readonly folder: Folder; readonly domain: LinkDomain | null },
  entries: readonly Entry[],
  taken: Taken,
): Promise<Made<SavedItems> | SlugsTaken> => {
  const failed = entries.filter((entry) => !entry.ok && isRefunded(refund, entry.fault.cause));
  const refundUnits = failed.length;
  const balance = applyRefund(taken, refundUnits);
  const answer = (ids: CodeIds) => writeRecord(entries, ids, balance, domain);
  const call = {
    ...{ reservationId: taken.id, refundUnits },
    claim: claim === undefined ? null : { ...claim, route: 'bulk' as const, answer },
  };
  const drawn = entries.flatMap((entry, position) =>
    entry.ok ? [{ ...entry.value, ...pictureOf(entry.value), position }] : [],
  );
  const made = await saveDrawn(
    store,
    { accountId, keyId, folder, domainId: domain?.id ?? null, call },
    drawn,
    FIELDS,
  );
  if (made.kind === 'id taken') throw new Error('a bulk call asks for no unique ids');
  if (made.kind !== 'saved') return made;
  return { kind: 'made', refundUnits, value: { entries, saved: made.saved, balance } };
};

/**
 * Makes the use case of a bulk call. A failed item does not fail the call. A call that fails as a whole gives all its
 * units back before it is answered. Its units are paid if its codes were saved, even when the gateway is killed or
 * cannot learn that.
 */
export const createBulk =
  (parts: BulkParts) =>
  async (request: BulkRequest, caller: Caller, terms: GradeTerms = NO_GRADE_TERMS): Promise<BulkAnswer> => {
    const { store, links } = parts;
    const { accountId, claim } = caller;
    const timings = noTimings();
    const call = { ...caller, terms, timings };
    /** It fails without the database. Nothing could be saved then, so nothing is reserved or drawn. */
    const findAnswer = async (): Promise<BulkAnswer | null> => {
      const saved = await store.findCall(accountId, 'bulk', claim?.key ?? null);
      return saved && replayBulk(parts, request, call, saved);
    };

    const earlier = await findAnswer();
    if (earlier !== null) return earlier;
    const folder = await chooseFolder(store, accountId, folderChoice(request));
    const domain = await chooseBulkDomain(store, caller, request, folder);
    const here = linksOn(links, domain);
    const ready = readyItems(request.items, here);
    const estimatedMs = ready.filter(isOk).map(({ value }) => value.threadMs);
    const need = { use: 'bulk', units: ready.length, estimatedMs } as const;
    const paid = await payFor(parts, call, need, (taken) =>
      untilSlugsAreFree<readonly Entry[], Made<SavedItems>>(ready, async (entries) => {
        const made = await makeItems(parts, call, entries);
        const saved = await saveItems(parts, call, { folder, domain }, made, taken);
        if (saved.kind !== 'slugs taken') return saved;
        return { kind: 'again', pictures: renewSlugs(made, new Set(saved.slugs), here) };
      }),
    );
    if (paid.kind !== 'paid') return (await findAnswer())!;
    // Made after the call is settled: nothing that fails may give units of saved codes back.
    const { entries, saved, balance } = paid.value;
    const results = toBulkResults(entries, saved.ids);
    const { usageCount, remaining } = balance;
    const { folderId } = saved;
    return { results, usageCount, remaining, folderId, month: paid.month, replayed: false, timings };
  };
