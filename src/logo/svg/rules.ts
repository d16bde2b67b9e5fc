import type { SaxesAttributeNS, SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { sniff } from '../sniff.ts';

/** The elements that are drawn. Scripts, foreign content, animation, media and text are not among them. */
const ALLOWED_ELEMENTS: ReadonlySet<string> = new Set(
  `svg g defs symbol use switch a style path rect circle ellipse line polyline polygon image
  linearGradient radialGradient stop pattern clipPath mask marker filter
  feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
  feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode
  feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence`.split(/\s+/),
);

/** Elements that describe the picture and draw nothing. They are left out with their content. */
export const SILENT_ELEMENTS: ReadonlySet<string> = new Set(['title', 'desc', 'metadata']);

const DATA_IMAGE = /^data:image\/(?:png|jpe?g);base64,/i;
/** Enough base64 for the longest magic number. */
const MAGIC_CHARACTERS = 24;
const URL_FUNCTION = /url\(([^()]*)(\)?)/gi;

/** A cleaned value, or `null` when the document is to be refused. */
type Cleaned = string | null;

/**
 * Cleans an attribute's value. Every `url()` must name an element of the same document. Quotes in it are removed,
 * because resvg does not understand them there and would paint black.
 */
const cleanFunctions = (value: string): Cleaned => {
  let isLocal = true;
  const cleaned = value.replace(URL_FUNCTION, (_match, inner: string, close: string) => {
    const target = inner
      .trim()
      .replace(/^(["'])(.*)\1$/s, '$2')
      .trim();
    isLocal &&= close === ')' && /^#[^\s"']+$/.test(target);
    return `url(${target})`;
  });
  return isLocal ? cleaned : null;
};

/** Cleans a style sheet. It may import nothing, use no escapes, and name only elements of the document in `url()`. */
export const cleanCss = (css: string): Cleaned => (/@import|\\/i.test(css) ? null : cleanFunctions(css));

/** The payload must begin as the PNG or JPEG that it claims to be: an SVG inside would be drawn unchecked. */
const cleanDataImage = (href: string): Cleaned => {
  const header = DATA_IMAGE.exec(href)?.[0];
  if (!header) return null;
  const payload = href.slice(header.length).replace(/\s+/g, '');
  const type = sniff(Buffer.from(payload.slice(0, MAGIC_CHARACTERS), 'base64'));
  return type === 'png' || type === 'jpeg' ? `data:image/${type};base64,${payload}` : null;
};

/** Cleans a reference: `#id`, or a PNG or JPEG as a data URI on the elements that draw pictures. */
const cleanHref = (element: string, value: string): Cleaned => {
  const href = value.trim();
  if (/^#[^\s"']+$/.test(href)) return href;
  return element === 'image' || element === 'feImage' ? cleanDataImage(href) : null;
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text, or an attribute's value that stands in double quotes. */
export const escapeMarkup = (text: string): string => text.replace(/[&<>"]/g, (c) => ESCAPES[c] ?? c);

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
