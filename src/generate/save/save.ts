/** Makes one code and saves it. */
import { estimateFileMs } from '../../../workers/plan.ts';
import type { BulkStore, CodeIds } from '../../db/tables/saving.ts';
import { AppError, fieldError } from '../../errors.ts';
import type { FoundLogo } from '../../logo/outcome.ts';
import { okOrThrow } from '../../result.ts';
import { type DrawnFile, drawFile } from '../draw-file.ts';
import { drawnFormat, type FileSpec } from '../file.ts';
import { type Made, payFor, type Taken } from '../paid-call.ts';
import { type Call, type Caller, type GradeTerms, noTimings, type Parts } from '../parts.ts';
import { planPicture, type Subject } from '../plan.ts';
import { findLogo } from '../prepare.ts';
import { requireGrade } from '../quality/graded.ts';
import type { Redraw } from '../redraw.ts';
import { externalIdTaken, refuse } from '../refusals.ts';
import type { CodeRequest } from '../request/code-request.ts';
import {
  type DomainLinkRules,
  type LinkRules,
  linksOn,
  type OwnSlugRules,
  untilSlugsAreFree,
} from '../slugs.ts';
import { replaySave, type SaveAnswer, type SaveRecord } from './answer.ts';
import { type CodeSpec, type CodeTarget, FOLDER_FIELDS, readCodeRequest } from './request.ts';
import { type SlugsTaken, saveDrawn } from './save-drawn.ts';

/** What saving one code needs beyond the parts of every use case. */
export interface SaveParts extends Parts {
  readonly store: BulkStore;
  readonly links: LinkRules;
  readonly slugs: OwnSlugRules;
  readonly redraw: Redraw;
}

/** Returns the text of a code, with a new slug if it is dynamic. */
const chooseText = (links: DomainLinkRules, { content, destination, ownSlug }: CodeSpec) => {
  if (destination === null) return { slug: null, text: content };
  const slug = links.createSlug();
  return { slug, text: links.shortUrl(ownSlug?.slug ?? slug) };
};

/** A picture on its way to its folder. */
interface Code extends Subject {
  /** The slug of its short link; `null`: it is not dynamic. */
  readonly slug: string | null;
}

/** What is answered of a code as soon as it is saved. */
type SavedCode = Omit<SaveAnswer, 'month' | 'replayed' | 'timings'>;

/** @throws {AppError} 409 when the external id, or the slug that the account chose, is taken. */
const saveCode = async (
  { store, slugs }: SaveParts,
  { accountId, keyId, claim }: Caller & Call,
  { folder, domain, spec }: CodeTarget,
  { slug, found }: Code,
  { bytes, design, repaired, grade, warnings }: DrawnFile,
  taken: Taken,
): Promise<Made<SavedCode> | SlugsTaken> => {
  const { usageCount } = taken.balance;
  const domainId = domain?.id ?? null;
  const recordOf = (ids: CodeIds): SaveRecord => ({ id: ids.get(0)!, repaired, usageCount });
  const answer = (ids: CodeIds) => JSON.stringify(recordOf(ids));
  const call = {
    ...{ reservationId: taken.id, refundUnits: 0 },
    uniqueExternalId: spec.isUnique ? spec.externalId : null,
    claim: claim === undefined ? null : { ...claim, route: 'code' as const, answer },
  };
  const drawn = { ...spec, position: 0, slug, design, found, grade, warnings };
  const made = await saveDrawn(store, { accountId, keyId, folder, domainId, call }, [drawn], FOLDER_FIELDS);
  if (made.kind === 'id taken') throw externalIdTaken(made.codeId);
  if (made.kind === 'slugs taken' && spec.ownSlug !== null) {
    const inUse = await store.findSlugsInUse(made.slugs, domainId);
    if (inUse.size === 0) throw fieldError('slug', slugs.taken, 'name_taken');
  }
  if (made.kind !== 'saved') return made;
  return { kind: 'made', value: { ...recordOf(made.saved.ids), bytes, grade, warnings }, refundUnits: 0 };
};

/**
 * Makes the use case of a code that is saved: it draws one code for one unit. A call that fails costs nothing, like
 * a single call. Its unit is paid if the code was saved, even when the gateway is killed or cannot learn that.
 */
export const createSave =
  (parts: SaveParts) =>
  async (request: CodeRequest, caller: Caller, terms: GradeTerms, file: FileSpec): Promise<SaveAnswer> => {
    const { store, links } = parts;
    const { accountId, claim } = caller;
    const timings = noTimings();
    const call = { ...caller, terms, timings };
    /** It fails without the database. Nothing could be saved then, so nothing is reserved or drawn. */
    const findAnswer = async (): Promise<SaveAnswer | null> => {
      const saved = await store.findCall(accountId, 'code', claim?.key ?? null);
      return saved && replaySave(parts, call, saved, file);
    };

    const make = async (): Promise<SaveAnswer> => {
      const target = await readCodeRequest(parts, caller, request);
      const { spec } = target;
      const here = linksOn(links, target.domain);
      const format = drawnFormat(file.format);
      const toCode = (found: FoundLogo | null): Code => ({
        ...chooseText(here, spec),
        design: spec.design,
        format,
        found,
      });
      const code = toCode(null);
      const plan = okOrThrow(planPicture(code.text, code.design, null), refuse);
      const need = { use: 'code', units: 1, estimatedMs: [estimateFileMs(format, plan, false)] } as const;
      const paid = await payFor(parts, call, need, async (taken) => {
        const found = await findLogo(parts, accountId, request.image);
        return untilSlugsAreFree<Code, Made<SavedCode>>({ ...code, plan, found }, async (each) => {
          const drawn = await drawFile(parts, call, each, file);
          requireGrade(parts, call, drawn);
          const saved = await saveCode(parts, call, target, each, drawn, taken);
          return saved.kind === 'slugs taken' ? { kind: 'again', pictures: toCode(found) } : saved;
        });
      });
      if (paid.kind !== 'paid') return (await findAnswer())!;
      return { ...paid.value, month: paid.month, replayed: false, timings };
    };

    const earlier = await findAnswer();
    if (earlier !== null) return earlier;
    return make().catch(async (error: unknown) => {
      // What is taken may have been taken by the first call with the same key, which was saved meanwhile.
      const isTaken = error instanceof AppError && error.code === 'name_taken';
      const first = isTaken ? await findAnswer() : null;
      if (first === null) throw error;
      return first;
    });
  };
