const MAX_BYTES = 50 * 1024 * 1024;

type Text = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** The UTF-8 text of a file, or what is wrong with the file. */
export const decodeText = async (file: File): Promise<Text> => {
  if (file.size > MAX_BYTES)
    return { ok: false, problem: 'The file is too large for this page. Use the command line.' };
  try {
    return { ok: true, text: new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer()) };
  } catch {
    return {
      ok: false,
      problem: 'This file is not UTF-8. In a spreadsheet choose “CSV UTF-8” when you save it.',
    };
  }
};
