/** Folders as they stand in bodies. */
import Type from 'typebox';
import type { Folder } from '../../db/tables/folders.ts';
import { AppError } from '../../errors.ts';
import { Timestamp, Uuid } from './atoms.ts';

export const FolderBody = Type.Object(
  {
    id: Uuid,
    name: Type.String(),
    code_count: Type.Integer(),
    created_at: Timestamp,
  },
  { title: 'Folder' },
);

export const toFolderBody = ({ id, name, codeCount, createdAt }: Folder) => ({
  id,
  name,
  code_count: codeCount,
  created_at: createdAt.toISOString(),
});

export const nameTaken = () =>
  new AppError('name_taken', 'name: choose another one, or use the folder that has it.');
