const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

type Attributes = Readonly<Record<string, string | number | null>>;

/** Returns a document or an inner document, as `writeElement` does. */
export const svgElement = (attributes: Attributes, ...children: readonly string[]): string =>
  writeElement('svg', { xmlns: 'http://www.w3.org/2000/svg', ...attributes }, ...children);

/** Returns an element that shows a PNG. */
export const imageElement = (png: Uint8Array, attributes: Attributes): string =>
  writeElement('image', {
    ...attributes,
    href: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
  });

/**
 * Writes one element as markup. Attribute values are escaped here and nowhere else. `children` must be elements
 * made by this function. An attribute whose value is `null` is left out.
 */
export function writeElement(name: string, attributes: Attributes, ...children: readonly string[]): string {
  let opening = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) opening += ` ${key}="${escapeText(String(value))}"`;
  }
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}
