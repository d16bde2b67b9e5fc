import type { FilesAsked } from './asked.ts';
import { isDrawn } from './asked.ts';
import { createDrawnFiles, type DrawnFilesParts } from './drawn-files.ts';
import { createAnsweredFiles, type FileMaker } from './file-maker.ts';

/** Makes the maker of a run's files. It starts render threads only when it draws any. */
export const createFileMaker = async (asked: FilesAsked, parts: DrawnFilesParts): Promise<FileMaker> =>
  isDrawn(asked) ? createDrawnFiles(asked, parts) : createAnsweredFiles(parts.store);
