const MAX_BYTES = 50 * 1024 * 1024;

type Text = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** A file as the UTF-8 text that it should be. */
export const decodeText = async (file: File): Promise<Text> => {
  if (file.size > MAX_BYTES) return { ok: false, problem: 'Too large for this page: use the command line.' };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return {
      ok: false,
      problem: 'This file is not UTF-8. In a spreadsheet choose “CSV UTF-8” when you save it.',
    };
  }
};
