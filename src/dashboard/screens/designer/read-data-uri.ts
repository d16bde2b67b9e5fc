/** The service accepts no longer data URI. */
const MAX_CHARACTERS = 2_000_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

type DataUri = { readonly ok: true; readonly uri: string } | { readonly ok: false; readonly problem: string };

/** A picture file as the data URI that the service accepts, or what is wrong with the file. */
export const readDataUri = async (file: File): Promise<DataUri> => {
  if (!TYPES.includes(file.type)) return { ok: false, problem: 'Choose a PNG, JPEG, WebP or SVG file.' };
  const uri = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.readAsDataURL(file);
  });
  if (uri === '') return { ok: false, problem: 'This file cannot be read.' };
  if (uri.length > MAX_CHARACTERS)
    return { ok: false, problem: 'The file is too large. A logo may have about 1.5 MB.' };
  return { ok: true, uri };
};
