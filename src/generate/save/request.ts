/** Reads what requests that save codes ask for: the folder of any of them, and the code of a single one. */
import type { Design } from '../../../workers/protocol.ts';
import type { LinkDomain } from '../../db/tables/domains/served.ts';
import { toCodeName, toFolderName, toTags } from '../../db/tables/names.ts';
import type { BulkStore, Folder } from '../../db/tables/saving.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { type AppError, type ErrorCode, fieldError } from '../../errors.ts';
import { okOrThrow } from '../../result.ts';
import type { Caller } from '../parts.ts';
import { externalIdTaken, refuse } from '../refusals.ts';
import type { CodeRequest } from '../request/code-request.ts';
import { toDesign } from '../request/design.ts';
import { findDynamicGs1Fault } from '../request/gs1.ts';
import type { LinkRules, OwnSlugRules } from '../slugs.ts';
import { chooseDomain, type DomainChoice } from './domain.ts';

/** How a request names its folder: the fields, and what they say. */
export interface FolderChoice {
  readonly fields: { readonly id: string; readonly name: string };
  readonly id: string | undefined;
  /** A folder of this name is made when the codes are saved, if it is missing. */
  readonly name: string | undefined;
  /** The name when the request says nothing. */
  readonly usual: string;
  /** The code of its faults; absent: that of a body. */
  readonly code?: ErrorCode;
}

/** The same text whether the folder is missing or another account's, so that nobody can probe for folders. */
export const unknownFolder = ({ fields, code }: Pick<FolderChoice, 'fields' | 'code'>): AppError =>
  fieldError(fields.id, 'must be the id of one of your folders', code);

/** Returns the folder of a call. One that is given by its id must exist. @throws {AppError} 400. */
export const chooseFolder = async (
  store: Pick<BulkStore, 'hasFolder'>,
  accountId: string,
  choice: FolderChoice,
): Promise<Folder> => {
  const { fields, id, name, usual, code } = choice;
  if (id !== undefined && name !== undefined)
    throw fieldError(fields.name, `must not be given together with ${fields.id}`, code);
  if (id !== undefined) {
    if (await store.hasFolder(accountId, id)) return { id };
    throw unknownFolder(choice);
  }
  const checked = toFolderName(name ?? usual);
  if (!checked.ok) throw fieldError(fields.name, checked.fault, code);
  return { name: checked.value };
};

/** A code that a request asks for. */
export interface CodeSpec {
  readonly content: string;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly externalId: string | null;
  /** Whether no other code may have the external id. */
  readonly isUnique: boolean;
  /** Where the short link leads; `null`: the code is not dynamic. */
  readonly destination: string | null;
  readonly ownSlug: OwnSlug | null;
  readonly design: Design;
}

/** The fields that name the folder of one code. */
export const FOLDER_FIELDS = { id: 'folder_id', name: 'folder_name' };

/** The folder of codes that name none. */
const USUAL_FOLDER = 'Codes';

/** Returns tags as they are stored. @throws {AppError} 400 when a code cannot have them. */
export const readTags = (texts: readonly string[], field = 'tags'): readonly string[] => {
  const tags = toTags(texts);
  if (tags.ok) return tags.value;
  const { place, message } = tags.fault;
  throw fieldError(place === null ? field : `${field}.${place}`, message);
};

/** What reading a request needs. */
interface ReadParts {
  readonly links: LinkRules;
  readonly slugs: OwnSlugRules;
  readonly store: BulkStore;
}

const readSpec = ({ links, slugs }: ReadParts, request: CodeRequest, domain: LinkDomain | null): CodeSpec => {
  const { data, name, slug, dynamic = false, external_id: externalId } = request;
  const isUnique = request.external_id_unique ?? false;
  if (slug !== undefined && !dynamic) throw fieldError('slug', 'needs dynamic: true');
  if (isUnique && externalId === undefined) throw fieldError('external_id_unique', 'needs external_id');
  const design = toDesign(request);
  const gs1Fault = dynamic ? findDynamicGs1Fault(design.symbol) : null;
  if (gs1Fault !== null) throw refuse(gs1Fault);
  const inField = (field: string) => (fault: string) => fieldError(field, fault);
  return {
    content: data,
    name: name === undefined ? null : okOrThrow(toCodeName(name), inField('name')),
    tags: readTags(request.tags ?? []),
    externalId: externalId ?? null,
    isUnique,
    destination: dynamic ? okOrThrow(links.checkDestination(data), inField('data')) : null,
    ownSlug: slug === undefined ? null : okOrThrow(slugs.check(slug, domain?.id ?? null), inField('slug')),
    design,
  };
};

/** A code that a request asks for, its folder, and the domain of its short link; `null`: the shared one. */
export interface CodeTarget {
  readonly spec: CodeSpec;
  readonly folder: Folder;
  readonly domain: LinkDomain | null;
}

/**
 * Returns what a validated request asks for.
 *
 * @throws {AppError} 400, 409 when the external id must be unique and another code has it.
 */
export const readCodeRequest = async (
  parts: ReadParts,
  { accountId, ...choice }: Pick<Caller, 'accountId' | keyof DomainChoice>,
  request: CodeRequest,
): Promise<CodeTarget> => {
  const { folder_id: id, folder_name: name } = request;
  const named = { fields: FOLDER_FIELDS, id, name, usual: USUAL_FOLDER };
  const folder = await chooseFolder(parts.store, accountId, named);
  const isLinked = request.dynamic || choice.domain !== undefined;
  const domain = isLinked ? await chooseDomain(parts.store, accountId, choice, folder) : null;
  const spec = readSpec(parts, request, domain);
  const { isUnique, externalId } = spec;
  const other = isUnique ? await parts.store.findByExternalId(accountId, externalId!) : null;
  if (other !== null) throw externalIdTaken(other);
  return { spec, folder, domain };
};
