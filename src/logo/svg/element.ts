import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { ALLOWED_ELEMENTS, cleanCss, cleanFunctions, cleanHref, escapeMarkup } from './rules.ts';

const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
/** How much of the caller's text a message quotes. */
const MAX_QUOTED_CHARACTERS = 40;

/** Markup written from what was understood, or what is wrong with the caller's. */
export type Written = Result<string, string>;

/** Returns the value to write; `''` leaves the attribute out, and `null` refuses the document. */
const cleanAttribute = (element: string, name: string, value: string): string | null => {
  if (name === 'href') return element === 'a' ? '' : cleanHref(element, value);
  if (/^on/i.test(name)) return null;
  return name === 'style' ? cleanCss(value) : cleanFunctions(value);
};

/** Whether an attribute is written: those of SVG itself, and `xlink:href` when there is no `href`. */
const isDrawn = (attribute: SaxesAttributeNS, hasHref: boolean): boolean =>
  attribute.uri === '' || (attribute.uri === XLINK_NAMESPACE && attribute.local === 'href' && !hasHref);

/** Writes the attributes of a start tag with checked and escaped values, each after a space. */
export const writeAttributes = (
  element: string,
  attributes: Readonly<Record<string, SaxesAttributeNS>>,
): Written => {
  let text = '';
  for (const attribute of Object.values(attributes)) {
    if (!isDrawn(attribute, 'href' in attributes)) continue;
    const cleaned = cleanAttribute(element, attribute.local, attribute.value);
    if (cleaned === null) {
      const quoted = attribute.value.slice(0, MAX_QUOTED_CHARACTERS);
      return refused(`has ${attribute.local}="${quoted}" on <${element}>, which is not supported`);
    }
    if (cleaned !== '') text += ` ${attribute.local}="${escapeMarkup(cleaned)}"`;
  }
  return ok(text);
};

/** Writes the start tag of an element below the root. */
export const writeStartTag = ({ local, attributes }: SaxesTagNS): Written => {
  if (local === 'text') return refused('has text, but there are no fonts to draw it; convert it to paths');
  if (!ALLOWED_ELEMENTS.has(local)) {
    return refused(`has a <${local.slice(0, MAX_QUOTED_CHARACTERS)}>, which is not supported`);
  }
  const written = writeAttributes(local, attributes);
  return written.ok ? ok(`<${local}${written.value}>`) : written;
};
