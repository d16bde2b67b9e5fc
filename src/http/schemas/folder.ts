/** Schemas, bodies and errors of folders. */
import Type from 'typebox';
import type { Folder } from '../../db/tables/folders.ts';
import { AppError } from '../../errors.ts';
import { Timestamp, Uuid } from './atoms.ts';

/** A folder with the number of its codes outside the bin. */
export const FolderBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    code_count: Type.Integer(),
    created_at: Timestamp,
  },
  { title: 'Folder' },
);

/** Returns the body of a folder. */
export const toFolderBody = ({ id, name, codeCount, createdAt }: Folder) => ({
  id,
  name,
  code_count: codeCount,
  created_at: createdAt.toISOString(),
});

/** Returns the 409 for a name that another folder of the account has. */
export const nameTaken = () =>
  new AppError('name_taken', 'name: choose another one, or use the folder that has it.');
