import { ok, type Result, refused } from '../../../../result.ts';

/** The longest data URI that the service accepts. */
const MAX_CHARACTERS = 2_000_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** Returns a picture file as the data URI that the service accepts, or what is wrong with the file. */
export const readDataUri = async (file: File): Promise<Result<string, string>> => {
  if (!TYPES.includes(file.type)) return refused('Choose a PNG, JPEG, WebP or SVG file.');
  const uri = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.readAsDataURL(file);
  });
  if (uri === '') return refused('This file cannot be read.');
  if (uri.length > MAX_CHARACTERS) return refused('The file is too large. A logo may have about 1.5 MB.');
  return ok(uri);
};
