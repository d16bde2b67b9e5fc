/** Schemas, bodies and errors of folders. */
import Type from 'typebox';
import type { Folder, FolderState } from '../../db/tables/folders.ts';
import { toFolderName } from '../../db/tables/names.ts';
import { AppError, fieldError } from '../../errors.ts';
import { orNull } from '../../stored-json.ts';
import { DomainField } from '../domain.ts';
import { Version, versionOf } from '../files/versions.ts';
import { fieldsOf, strict, Timestamp, Uuid } from './atoms.ts';

/** A folder with the number of its codes outside the bin. */
export const FolderBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    code_count: Type.Integer(),
    keep: Type.Boolean({ description: 'Whether its codes are kept regardless of age.' }),
    domain: orNull(
      Type.String({ description: 'The domain of short links that are made in it; null: it names none.' }),
    ),
    created_at: Timestamp,
    etag: Version,
  },
  { title: 'Folder' },
);

export const folderVersion = ({ name, keep, domain }: FolderState): string =>
  versionOf({ name, keep, ...(domain !== null && { domain }) });

export const toFolderBody = (folder: Folder) => ({
  ...fieldsOf(folder, 'id', 'name', 'codeCount', 'keep', 'domain', 'createdAt'),
  etag: folderVersion(folder),
});

/** Returns the 409 for a name that another folder of the account has. */
export const nameTaken = () =>
  new AppError('name_taken', 'name: choose another one, or use the folder that has it.');

const Name = Type.String({
  maxLength: 1000,
  description: 'Unique in the account; trimmed, 1 to 200 characters.',
});

/** The request for a folder's name. */
export const FolderName = Type.Object(
  { name: Name },
  { ...strict, title: 'FolderName', examples: [{ name: 'Autumn campaign' }] },
);

/** The request that changes a folder. */
export const FolderChange = Type.Object(
  {
    name: Type.Optional(Name),
    keep: Type.Optional(
      Type.Boolean({
        description: 'Whether its codes are kept beyond `CODE_RETENTION_MONTHS`.',
      }),
    ),
    domain: DomainField,
  },
  { ...strict, minProperties: 1, title: 'FolderChange', examples: [{ keep: true }] },
);

/** Returns the name, trimmed. @throws {AppError} 400. */
export const readFolderName = (body: { readonly name: string }): string => {
  const checked = toFolderName(body.name);
  if (!checked.ok) throw fieldError('name', checked.fault);
  return checked.value;
};
