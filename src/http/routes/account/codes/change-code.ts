/** Changes a saved code to what a request for such a code says. */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyReply } from 'fastify';
import { inTransaction, type Sql } from '../../../../db/client.ts';
import type { Database } from '../../../../db/database.ts';
import { changeCodes, lockCode } from '../../../../db/tables/codes/chosen.ts';
import { getCode, type StoredCode } from '../../../../db/tables/codes/codes.ts';
import { setCodeDesign } from '../../../../db/tables/codes/designs.ts';
import { ensureFolder, hasFolder } from '../../../../db/tables/folders.ts';
import { lockLinks } from '../../../../db/tables/links.ts';
import type { Folder } from '../../../../db/tables/saving.ts';
import { readHost } from '../../../../domains/host.ts';
import { type AppError, fieldError } from '../../../../errors.ts';
import { type GradeTerms, noTimings } from '../../../../generate/parts.ts';
import type { Graded } from '../../../../generate/quality/graded.ts';
import type { CodeRequest } from '../../../../generate/request/code-request.ts';
import { toDesign } from '../../../../generate/request/design.ts';
import { mergeOptions, toImageOption, toOptions } from '../../../../generate/request/options.ts';
import { PictureOptions } from '../../../../generate/request/picture-options.ts';
import { SHARED } from '../../../../generate/save/domain.ts';
import { chooseFolder, FOLDER_FIELDS } from '../../../../generate/save/request.ts';
import { editLink } from '../../../../links/edit.ts';
import { okOrThrow } from '../../../../result.ts';
import { sendGrade, sendRepaired, sendTimings } from '../../../answer-headers.ts';
import { notFound } from '../../../auth/require-found.ts';
import type { checkOf } from '../../../files/versions.ts';
import { decodeHeader } from '../../../preset.ts';
import { codeVersion, readCodeName, readLabelChanges } from '../../../schemas/code.ts';
import type { DescribeParts } from './codes.ts';
import { type RestyleParts, restyleCode, savedLogo } from './restyled.ts';

/** What changing a code needs. */
export type ChangeParts = DescribeParts & RestyleParts;

/** A request for a code; what it leaves out stays as it is. */
type Wanted = Omit<CodeRequest, 'external_id' | 'external_id_unique'>;

/** Who asks for the change, and on which terms. */
interface ChangeCall {
  readonly accountId: string;
  readonly keyId: string;
  /** The header `Tessera-Domain`. */
  readonly domain: string | undefined;
  readonly terms: GradeTerms;
  readonly check: ReturnType<typeof checkOf>;
  readonly reply: FastifyReply;
}

const fixed = (field: string, fault: string): AppError => fieldError(field, fault, 'content_fixed');

const ANOTHER = 'make a code with another external_id, or delete this one first';

/** Whether a header `Tessera-Domain` names the domain of a code's short link. */
const isOnDomain = ({ place }: StoredCode, named: string): boolean => {
  if (named.trim().toLowerCase() === SHARED) return place === null;
  const host = readHost(decodeHeader(named));
  return host.ok && place !== null && place.split('/')[0] === host.value;
};

/** Refuses what would change the content of a code, which may be in print. @throws {AppError} 409. */
const refuseNewContent = (code: StoredCode, wanted: Wanted, domain: string | undefined): void => {
  const { id, content, slug, firstSlug } = code;
  const isDynamic = slug !== null;
  if ((wanted.dynamic ?? isDynamic) !== isDynamic)
    throw fixed('dynamic', `the code ${id} is ${isDynamic ? '' : 'not '}dynamic, and stays so; ${ANOTHER}`);
  if (!isDynamic && wanted.data !== content)
    throw fixed('data', `the code ${id} encodes something else, and is not dynamic; ${ANOTHER}`);
  if (wanted.slug !== undefined && wanted.slug !== slug)
    throw fixed('slug', `the code ${id} encodes ${slug}; change that with PATCH /api/v1/links/${firstSlug}`);
  if (isDynamic && domain !== undefined && !isOnDomain(code, domain))
    throw fixed('Tessera-Domain', `the short link of the code ${id} is on another domain; ${ANOTHER}`);
};

/** Returns the folder that a request names, or `null`. @throws {AppError} 400. */
const readFolder = async (
  { database: { sql } }: Pick<ChangeParts, 'database'>,
  accountId: string,
  { folder_id: id, folder_name: name }: Wanted,
): Promise<Folder | null> =>
  id === undefined && name === undefined
    ? null
    : chooseFolder({ hasFolder: (...of) => hasFolder(sql, ...of) }, accountId, {
        ...{ fields: FOLDER_FIELDS, id, name, usual: '' },
      });

const idOf = async (tx: Sql, accountId: string, folder: Folder): Promise<string> =>
  'id' in folder ? folder.id : (await ensureFolder(tx, accountId, folder.name)).id;

/** Returns the new picture of a code; `null`: it stays as it is. */
const readPicture = async (
  parts: ChangeParts,
  { accountId, reply, terms }: ChangeCall,
  code: StoredCode,
  wanted: Wanted,
) => {
  const own = Object.fromEntries(
    Object.entries(wanted).filter(([name]) => Object.hasOwn(PictureOptions.properties, name)),
  ) as PictureOptions;
  if (Object.keys(own).length === 0) return null;
  const kept = await savedLogo(parts, accountId, code);
  const present = { ...toOptions(code.design), ...(kept && toImageOption(kept.logo)) };
  const options = mergeOptions<PictureOptions>(present, own);
  if (options.image === present.image && isDeepStrictEqual(toDesign(options), code.design)) return null;
  return restyleCode(parts, reply, accountId, code, options, kept, terms);
};

/** Returns what of a code differs from what a request says. */
const readLabels = (code: StoredCode, { name, tags }: Wanted) => {
  const labels = readLabelChanges(tags === undefined ? {} : { tags });
  const readName = name === undefined ? code.name : readCodeName(name);
  return {
    ...(labels.tags !== undefined && !isDeepStrictEqual(labels.tags, code.tags) && labels),
    ...(readName !== code.name && { name: readName }),
  };
};

/**
 * Changes the code with an id to what a request says of it. Nothing is written that is so already. Returns `false` when
 * there is no such code any more.
 *
 * @throws {AppError} 409 when the content would change, 412, and what changes of links, folders and designs throw.
 */
export const changeCode = async (
  parts: ChangeParts,
  call: ChangeCall,
  id: string,
  wanted: Wanted,
): Promise<boolean> => {
  const { accountId, keyId, check, reply } = call;
  const { database, linkRules } = parts;
  const code = await getCode(database.sql, accountId, id);
  if (code === null) return false;
  refuseNewContent(code, wanted, call.domain);
  const { firstSlug } = code;
  const inData = (fault: string) => fieldError('data', fault);
  const destination = firstSlug === null ? null : okOrThrow(linkRules.checkDestination(wanted.data), inData);
  const folder = await readFolder(parts, accountId, wanted);
  const labels = readLabels(code, wanted);
  const picture = await readPicture(parts, call, code, wanted);

  const write = async (changed: Database): Promise<boolean> => {
    const { sql: tx } = changed;
    // Edits of links lock the link before its code.
    if (firstSlug !== null) await lockLinks(tx, [firstSlug]);
    const locked = await lockCode(tx, accountId, id);
    if (locked === null) return false;
    check(codeVersion(locked));
    if (firstSlug !== null && destination !== null && destination !== locked.destination) {
      const edit = { accountId, keyId, slug: firstSlug, change: { destination } };
      const edited = await editLink(changed, { ...edit, labels: {}, newSlug: null, check: () => {} });
      if (!edited.ok) return false;
    }
    const folderId = folder === null ? locked.folderId : await idOf(tx, accountId, folder);
    const change = { ...labels, ...(folderId !== locked.folderId && { folderId }) };
    if (Object.keys(change).length > 0) {
      const missing = await changeCodes(tx, accountId, [id], change);
      if (missing !== null) throw notFound(missing);
    }
    if (picture !== null) await setCodeDesign(tx, accountId, id, picture);
    return true;
  };
  const isChanged = await inTransaction(database.sql, (tx) => write({ ...database, sql: tx }));
  if (!isChanged) return false;
  if (picture === null) sendTimings(reply, noTimings());
  else sendRepaired(reply, picture.repaired);
  const { grade, warnings } = picture ?? code;
  if (grade !== null) sendGrade(reply, { grade, warnings } as Graded);
  return true;
};
