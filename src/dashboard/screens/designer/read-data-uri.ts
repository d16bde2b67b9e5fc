import { ok, type Result, refused } from '../../../result.ts';

/** As the service bounds it. */
const MAX_CHARACTERS = 2_000_000;
const TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/svg+xml'];

/** A picture file as the service takes it. */
export const readDataUri = async (file: File): Promise<Result<string, string>> => {
  if (!TYPES.includes(file.type)) return refused('This is no PNG, JPEG, WebP or SVG.');
  const uri = await new Promise<string>((resolve) => {
    const reader = new FileReader();
    reader.onloadend = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.readAsDataURL(file);
  });
  if (uri === '') return refused('This file cannot be read.');
  if (uri.length > MAX_CHARACTERS)
    return refused('Too large: a logo may have about 1.5 MB. Save it smaller.');
  return ok(uri);
};
