/** A code as an image in somebody's web page. */

/** The options of an embedded picture. `dark` and `light` are CSS colours. */
export interface Embed {
  readonly key: string;
  readonly content: string;
  readonly widthPx: number;
  readonly dark: string;
  readonly light: string;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const attribute = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

/** Returns the address of the picture. @param service Address of the service, up to `/api/v1/`. */
export const imageUrl = (service: string, { key, content, widthPx, dark, light }: Embed): string => {
  const query = new URLSearchParams({ key, content, width: String(widthPx), dark, light });
  return `${service}render?${query}`;
};

/** Returns markup to paste. No content can break out of its attribute. */
export const imageTag = (service: string, embed: Embed): string => {
  const { widthPx, content } = embed;
  const url = attribute(imageUrl(service, embed));
  return `<img src="${url}" width="${widthPx}" height="${widthPx}" alt="QR code: ${attribute(content)}">`;
};
