import { ok, type Result, refused } from '../../../../result.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** Returns the UTF-8 text of a file, or what is wrong with the file. */
export const decodeText = async (file: File): Promise<Result<string, string>> => {
  if (file.size > MAX_BYTES) return refused('The file is too large for this page. Use the command line.');
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
  } catch {
    return refused('This file is not UTF-8. In a spreadsheet choose “CSV UTF-8” when you save it.');
  }
};
