/** Reads what a request for one saved code asks for. */
import type { Design } from '../../../workers/protocol.ts';
import { toCodeName, toTags } from '../../db/tables/names.ts';
import type { OwnSlug } from '../../db/tables/slugs.ts';
import { fieldError } from '../../errors.ts';
import type { Result } from '../../result.ts';
import type { LinkRules } from '../bulk/items.ts';
import { refuse } from '../refusals.ts';
import type { CodeRequest } from '../request/code-request.ts';
import { toDesign } from '../request/design.ts';
import { findDynamicGs1Fault } from '../request/gs1.ts';
import type { FolderChoice } from './saving.ts';

/** The rules of slugs that people choose. */
export interface OwnSlugRules {
  /** Returns a slug that somebody has chosen, or what is wrong with it. */
  check(written: string): Result<OwnSlug, string>;
  /** What is wrong with one that is taken. */
  readonly taken: string;
}

/** A code that is asked for. */
export interface Asked {
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

/** The fields that name the folder. */
export const FOLDER_FIELDS = { id: 'folder_id', name: 'folder_name' };

/** The folder of codes that name none. */
const USUAL_FOLDER = 'Codes';

/** Returns the folder that a request names. */
export const folderChoice = ({ folder_id: id, folder_name: name }: CodeRequest): FolderChoice => ({
  ...{ fields: FOLDER_FIELDS, id, name },
  usual: USUAL_FOLDER,
});

const okOrRefuse = <T>(field: string, checked: Result<T, string>): T => {
  if (!checked.ok) throw fieldError(field, checked.fault);
  return checked.value;
};

/** Returns tags as they are stored. @throws {AppError} 400 when a code cannot have them. */
export const readTags = (texts: readonly string[]): readonly string[] => {
  const tags = toTags(texts);
  if (tags.ok) return tags.value;
  const { place, message } = tags.fault;
  throw fieldError(place === null ? 'tags' : `tags.${place}`, message);
};

/** Returns what a validated request asks for. @throws {AppError} 400. */
export const readAsked = (
  { links, slugs }: { readonly links: LinkRules; readonly slugs: OwnSlugRules },
  request: CodeRequest,
): Asked => {
  const { data, name, slug, dynamic = false, external_id: externalId } = request;
  const isUnique = request.external_id_unique ?? false;
  if (slug !== undefined && !dynamic) throw fieldError('slug', 'needs dynamic: true');
  if (isUnique && externalId === undefined) throw fieldError('external_id_unique', 'needs external_id');
  const design = toDesign(request);
  const gs1Fault = dynamic ? findDynamicGs1Fault(design.symbol) : null;
  if (gs1Fault !== null) throw refuse(gs1Fault);
  return {
    content: data,
    name: name === undefined ? null : okOrRefuse('name', toCodeName(name)),
    tags: readTags(request.tags ?? []),
    externalId: externalId ?? null,
    isUnique,
    destination: dynamic ? okOrRefuse('data', links.checkDestination(data)) : null,
    ownSlug: slug === undefined ? null : okOrRefuse('slug', slugs.check(slug)),
    design,
  };
};
