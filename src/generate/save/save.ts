/** Makes one code and saves it. */
import { estimateFileMs } from '../../../workers/plan.ts';
import { isIndeterminate } from '../../db/faults.ts';
import type { BulkStore, Folder, NewCall, NotSaved } from '../../db/tables/saving.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { LinkRules } from '../bulk/items.ts';
import { type DrawnFile, drawFile, inFormat, type Wanted } from '../draw-file.ts';
import { planOrRefuse, refuseWhenFull, requireGrade } from '../drawing.ts';
import { drawnFormat, type FileTerms } from '../file.ts';
import { findLogo } from '../logos.ts';
import { toNewCode } from '../new-code.ts';
import { type Caller, noTimings, type Parts } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import type { Redraw } from '../redraw.ts';
import type { CodeRequest } from '../request/code-request.ts';
import {
  chooseFolder,
  SAVE_ATTEMPTS,
  settleSaved,
  tookTooLong,
  unknownFolder,
  unknownOutcome,
} from '../saving.ts';
import { giveBack, RefusedRecord, readRecord, refuseAgain, type Taken, takeUnits } from '../units.ts';
import { type Asked, FOLDER_FIELDS, folderChoice, type OwnSlugRules, readAsked } from './asked.ts';
import { replaySave, type SaveAnswer, type SaveRecord } from './replay.ts';

/** What saving one code needs beyond the parts of every use case. */
export interface SaveParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly slugs: OwnSlugRules;
  readonly redraw: Redraw;
}

/** A call whose unit is taken. */
interface Paying {
  readonly caller: Caller;
  readonly taken: Taken;
  readonly folder: Folder;
}

/** A code that is saved. */
interface Made {
  readonly id: string;
  readonly picture: DrawnFile;
}

const takenIdError = (codeId: string): AppError =>
  new AppError(
    'name_taken',
    `external_id: your code ${codeId} has it; change that one, or leave external_id_unique out.`,
  );

const newCall = ({ claim }: Caller, taken: Taken, asked: Asked, { repaired }: DrawnFile): NewCall => {
  const uniqueExternalId = asked.isUnique ? asked.externalId : null;
  const call = { reservationId: taken.id, refundUnits: 0, uniqueExternalId };
  if (claim === undefined) return { ...call, claim: null };
  const { usageCount } = taken.balance;
  const recordOf = (id: string): SaveRecord => ({ id, repaired, usageCount });
  return {
    ...call,
    claim: { ...claim, route: 'code', answer: (ids) => JSON.stringify(recordOf(ids.get(0)!)) },
  };
};

/**
 * Makes the use case of a code that is saved: it draws one code for one unit. A call that fails costs nothing, like
 * a single call. Its unit is paid if the code was saved, even when the gateway is killed or cannot learn that.
 */
export const createSave = (parts: SaveParts) => {
  const { store, links } = parts;

  const textOf = ({ content, ownSlug }: Asked, slug: string | null): string =>
    slug === null ? content : links.shortUrl(ownSlug?.slug ?? slug);

  const newSlug = ({ destination }: Asked): string | null =>
    destination === null ? null : links.createSlug();

  /** @throws {AppError} When another slug would not help. */
  const refuseUnlessSlug = async (
    fault: Exclude<NotSaved, { readonly kind: 'saved before' }>,
    { ownSlug }: Asked,
    slug: string | null,
  ): Promise<void> => {
    if (fault.kind === 'given up') throw tookTooLong();
    if (fault.kind === 'folder gone') throw unknownFolder({ fields: FOLDER_FIELDS });
    if (fault.kind === 'id taken') throw takenIdError(fault.codeId);
    if (ownSlug === null || slug === null) return;
    const inUse = await store.findSlugsInUse([slug]);
    if (!inUse.has(slug)) throw fieldError('slug', parts.slugs.taken, 'name_taken');
  };

  /**
   * Draws a code and saves it; `null`: a call with the same Idempotency-Key was saved before. A code whose slug is taken
   * gets another, and is drawn again.
   */
  const drawAndSave = async (
    asked: Asked,
    found: FoundLogo | null,
    { caller, taken, folder }: Paying,
    wanted: Wanted,
  ): Promise<Made | null> => {
    const { accountId, keyId } = caller;
    for (let attempt = 1; attempt <= SAVE_ATTEMPTS; attempt += 1) {
      const slug = newSlug(asked);
      const drawing = { text: textOf(asked, slug), laid: { design: asked.design }, found };
      const drawn = await drawFile(parts, accountId, drawing, wanted);
      requireGrade(parts, accountId, drawn, wanted);
      // Everything that may fail is done before the code is saved.
      const picture = { ...drawn, bytes: await inFormat(parts, drawn.bytes, accountId, wanted) };
      const codes = [toNewCode({ ...asked, slug, design: drawn.design, found }, drawn, 0)];
      const call = newCall(caller, taken, asked, drawn);
      const saved = await store.save({ accountId, keyId, folder, codes, call });
      if (saved.ok) return { id: saved.value.ids.get(0)!, picture };
      if (saved.fault.kind === 'saved before') return null;
      await refuseUnlessSlug(saved.fault, asked, slug);
    }
    throw new Error('no free slug was found');
  };

  const findSaved = ({ accountId, claim }: Caller) => store.findCall(accountId, 'code', claim?.key ?? null);

  /** Takes the unit, and makes the code. */
  const make = async (request: CodeRequest, caller: Caller, wanted: Wanted): Promise<SaveAnswer> => {
    const { accountId } = caller;
    const { timings, terms, file } = wanted;
    const asked = readAsked(parts, request);
    const folder = await chooseFolder(store, accountId, folderChoice(request));
    const other = asked.isUnique ? await store.findByExternalId(accountId, asked.externalId!) : null;
    if (other !== null) throw takenIdError(other);
    const plan = planOrRefuse(textOf(asked, newSlug(asked)), asked.design);
    refuseWhenFull(parts, accountId, 'single', [estimateFileMs(drawnFormat(file.format), plan, false)]);
    if (terms.minGrade > 0) parts.freeWork.admit(accountId);
    const taken = await takeUnits(parts.quota, caller, { units: 1, kind: 'code' }, timings);
    if (taken.kind === 'replay') throw refuseAgain(readRecord(RefusedRecord, taken.answer));
    try {
      const found = await findLogo(parts, accountId, request.image);
      const made = await drawAndSave(asked, found, { caller, taken, folder }, wanted);
      const month = await settleSaved(parts, caller, taken, made === null ? 1 : 0, timings);
      if (made === null) return await replaySave(parts, caller, (await findSaved(caller))!, wanted);
      const { usageCount } = taken.balance;
      return { ...made.picture, id: made.id, usageCount, month, replayed: false, timings };
    } catch (error) {
      if (isIndeterminate(error)) throw unknownOutcome(error);
      await giveBack(parts, caller, taken, 1, error);
      throw error;
    }
  };

  return async (request: CodeRequest, caller: Caller, terms: Terms, file: FileTerms): Promise<SaveAnswer> => {
    const wanted = { file, terms, timings: noTimings() };
    // This fails without the database. Nothing could be saved then, so nothing is reserved or drawn.
    const earlier = await findSaved(caller);
    if (earlier !== null) return replaySave(parts, caller, earlier, wanted);
    try {
      return await make(request, caller, wanted);
    } catch (error) {
      // What is taken may have been taken by the first call with the same key, which was saved meanwhile.
      const isTaken = error instanceof AppError && error.code === 'name_taken';
      const first = isTaken ? await findSaved(caller) : null;
      if (first === null) throw error;
      return replaySave(parts, caller, first, wanted);
    }
  };
};
