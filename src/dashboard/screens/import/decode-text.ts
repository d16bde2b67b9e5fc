import { ok, type Result, refused } from '../../../result.ts';

const MAX_BYTES = 50 * 1024 * 1024;

/** A file as the UTF-8 text that it should be. */
export const decodeText = async (file: File): Promise<Result<string, string>> => {
  if (file.size > MAX_BYTES) return refused('Too large for this page: use the command line.');
  try {
    return ok(new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()));
  } catch {
    return refused('This file is not UTF-8. In a spreadsheet choose “CSV UTF-8” when you save it.');
  }
};
