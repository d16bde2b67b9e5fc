import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { ALLOWED_ELEMENTS, cleanCss, cleanFunctions, cleanHref, escapeMarkup } from './rules.ts';

const XLINK_NAMESPACE = 'http://www.w3.org/1999/xlink';
/** Of the caller's own text in a message. */
const MAX_QUOTED_CHARACTERS = 40;

/** Markup that we wrote, or what is wrong with what the caller wrote. */
export type Written = Result<string, string>;

/** The value to write, `''` to leave the attribute out, `null` to refuse the document. */
const cleanAttribute = (element: string, name: string, value: string): string | null => {
  if (name === 'href') return element === 'a' ? '' : cleanHref(element, value);
  if (/^on/i.test(name)) return null;
  return name === 'style' ? cleanCss(value) : cleanFunctions(value);
};

/** Attributes of SVG itself, and `xlink:href` where there is no `href`; editors' own namespaces are left out. */
const isDrawn = (attribute: SaxesAttributeNS, hasHref: boolean): boolean =>
  attribute.uri === '' || (attribute.uri === XLINK_NAMESPACE && attribute.local === 'href' && !hasHref);

/** Every attribute with its name, checked value and escapes, each led by a space. */
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
      return refused(`has ${attribute.local}="${quoted}" on <${element}>, which is not accepted`);
    }
    if (cleaned !== '') text += ` ${attribute.local}="${escapeMarkup(cleaned)}"`;
  }
  return ok(text);
};

/** The start tag of an element below the root. */
export const writeStartTag = ({ local, attributes }: SaxesTagNS): Written => {
  if (local === 'text') return refused('has text, for which there are no fonts here; convert it to paths');
  if (!ALLOWED_ELEMENTS.has(local)) {
    return refused(`has a <${local.slice(0, MAX_QUOTED_CHARACTERS)}>, which is not accepted`);
  }
  const written = writeAttributes(local, attributes);
  return written.ok ? ok(`<${local}${written.value}>`) : written;
};
