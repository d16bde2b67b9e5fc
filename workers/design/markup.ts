const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

/**
 * Writes one element as markup. Attribute values are escaped here and nowhere else. `children` must be elements
 * made by this function. An attribute whose value is `null` is left out.
 */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  ...children: readonly string[]
): string {
  let opening = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) opening += ` ${key}="${escapeText(String(value))}"`;
  }
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
}
