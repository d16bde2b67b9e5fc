import { ok, type Result, refused } from '../../../../result.ts';

/** Returns the UTF-8 text of a file, or what is wrong with the file. */
export const decodeText = async (file: File): Promise<Result<string, string>> => {
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
  } catch {
    return refused('This file is not UTF-8. In a spreadsheet choose “CSV UTF-8” when you save it.');
  }
};
