/** Makes one code and saves it. */
import { estimateFileMs } from '../../../workers/plan.ts';
import type { BulkStore, Folder, NewCall } from '../../db/tables/saving.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import type { LinkRules } from '../bulk/items.ts';
import { type DrawnFile, drawnFormat, type FileTerms, fileSteps, inFormat, type Wanted } from '../file.ts';
import { type PaidCall, type Planned, payFor } from '../paid-call.ts';
import { type Caller, noTimings, type Parts } from '../parts.ts';
import type { Terms } from '../quality/graded.ts';
import type { Redraw } from '../redraw.ts';
import { externalIdTaken } from '../refusals.ts';
import type { CodeRequest } from '../request/code-request.ts';
import { okOrRefuse } from '../steps.ts';
import { planPicture, type Subject } from '../task.ts';
import { replayRefusal, type Taken } from '../units.ts';
import { type Asked, FOLDER_FIELDS, folderChoice, type OwnSlugRules, readAsked } from './asked.ts';
import { replaySave, type SaveAnswer, type SaveRecord } from './replay.ts';
import { chooseFolder, toNewCode, trySave } from './saving.ts';

/** What saving one code needs beyond the parts of every use case. */
export interface SaveParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly slugs: OwnSlugRules;
  readonly redraw: Redraw;
}

/** What is known of a call before its unit is taken. */
interface Plan extends Planned<Code> {
  readonly asked: Asked;
  readonly folder: Folder;
}

/** A code on its way to its folder. */
interface Code extends Subject {
  /** The slug of its short link; `null`: it is not dynamic. */
  readonly slug: string | null;
}

const newCall = ({ claim }: Caller, taken: Taken, asked: Asked, repaired: string): NewCall => {
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

/** Returns what a call that saves one code does in the steps of `payFor`. */
const callFor = (
  parts: SaveParts,
  request: CodeRequest,
  caller: Caller,
  wanted: Wanted,
): PaidCall<Code, DrawnFile<Code>, SaveAnswer, Plan> => {
  const { store, links, slugs } = parts;
  const { accountId, keyId, claim } = caller;
  const { terms, timings, file } = wanted;
  const format = drawnFormat(file.format);

  /** Returns what is to be drawn, with a new slug if the code is dynamic. */
  const withSlug = ({ content, destination, ownSlug, design }: Asked, found: FoundLogo | null): Code => {
    const slug = destination === null ? null : links.createSlug();
    const text = slug === null ? content : links.shortUrl(ownSlug?.slug ?? slug);
    return { text, design, format, found, slug };
  };

  /** @throws {AppError} 409 when the taken slug is the one that the account chose. */
  const requireOwnSlug = async ({ ownSlug }: Asked, slug: string | null): Promise<void> => {
    if (ownSlug === null || slug === null) return;
    const inUse = await store.findSlugsInUse([slug]);
    if (!inUse.has(slug)) throw fieldError('slug', slugs.taken, 'name_taken');
  };

  return {
    ...{ caller, use: 'code', terms, timings },
    /** It fails without the database. Nothing could be saved then, so nothing is reserved or drawn. */
    async findEarlier() {
      const earlier = await store.findCall(accountId, 'code', claim?.key ?? null);
      return earlier && replaySave(parts, caller, earlier, wanted);
    },
    async plan() {
      const asked = readAsked(parts, request);
      const folder = await chooseFolder(store, accountId, folderChoice(request));
      const other = asked.isUnique ? await store.findByExternalId(accountId, asked.externalId!) : null;
      if (other !== null) throw externalIdTaken(other);
      const code = withSlug(asked, null);
      const plan = okOrRefuse(planPicture(code.text, code.design, null));
      const estimatedMs = [estimateFileMs(format, plan, false)];
      return { units: 1, estimatedMs, pictures: { ...code, plan }, asked, folder };
    },
    replay: replayRefusal,
    ...fileSteps<Code>(parts, accountId, request.image, wanted),
    async keep(drawn, taken, { asked, folder }) {
      const { slug, found } = drawn.subject;
      const { grade, warnings, repaired, design } = drawn;
      // Everything that may fail is done before the code is saved.
      const bytes = await inFormat(parts, drawn.bytes, accountId, wanted);
      const codes = [toNewCode({ ...asked, slug, design, found }, drawn, 0)];
      const call = newCall(caller, taken, asked, repaired);
      const made = await trySave(store, { accountId, keyId, folder, codes, call }, FOLDER_FIELDS);
      if (made.kind === 'id taken') throw externalIdTaken(made.codeId);
      if (made.kind === 'slugs taken') {
        await requireOwnSlug(asked, slug);
        return { kind: 'again', pictures: withSlug(asked, found) };
      }
      if (made.kind !== 'saved') return made;
      const { usageCount } = taken.balance;
      const answer = { id: made.saved.ids.get(0)!, bytes, grade, warnings, repaired, usageCount };
      return {
        ...{ kind: 'done', refundUnits: 0 },
        answer: (month) => ({ ...answer, month, replayed: false, timings }),
      };
    },
  };
};

/**
 * Makes the use case of a code that is saved: it draws one code for one unit. A call that fails costs nothing, like
 * a single call. Its unit is paid if the code was saved, even when the gateway is killed or cannot learn that.
 */
export const createSave =
  (parts: SaveParts) =>
  async (request: CodeRequest, caller: Caller, terms: Terms, file: FileTerms): Promise<SaveAnswer> => {
    const call = callFor(parts, request, caller, { file, terms, timings: noTimings() });
    try {
      return await payFor(parts, call);
    } catch (error) {
      // What is taken may have been taken by the first call with the same key, which was saved meanwhile.
      const isTaken = error instanceof AppError && error.code === 'name_taken';
      const first = isTaken ? await call.findEarlier() : null;
      if (first === null) throw error;
      return first;
    }
  };
