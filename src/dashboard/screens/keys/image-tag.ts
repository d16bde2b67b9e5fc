/** A code as an image in somebody's web page. */

/** What an embedded picture shows. `dark` and `light` are CSS colours. */
export interface Picture {
  readonly content: string;
  readonly widthPx: number;
  readonly dark: string;
  readonly light: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Returns the address of a picture that a key draws. @param service Address of the service, up to `/api/v1/`. */
export const keyedUrl = (
  service: string,
  key: string,
  { content, widthPx, dark, light }: Picture,
): string => {
  const query = new URLSearchParams({ key, content, width: String(widthPx), dark, light });
  return `${service}render?${query}`;
};

/** Returns markup to paste. No content can break out of its attribute. */
export const writeImageTag = (
  url: string,
  { widthPx, heightPx = widthPx, content }: Pick<Picture, 'widthPx' | 'content'> & { heightPx?: number },
): string =>
  `<img src="${attribute(url)}" width="${widthPx}" height="${heightPx}" alt="QR code: ${attribute(content)}">`;

/** Returns the width that the service draws for a number that somebody wrote; 300 for none. */
export const toWidthPx = (written: number): number =>
  Math.min(2000, Math.max(50, Math.round(written || 300)));
