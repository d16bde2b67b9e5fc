import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { type Written, writeAttributes, writeStartTag } from './element.ts';
import { cleanCss, escapeMarkup, SILENT_ELEMENTS } from './rules.ts';
import { readSvgSize, type SvgSize } from './size.ts';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 100;
/** Characters that the parser gets between two checks for a fault. */
const CHUNK_CHARACTERS = 65_536;

/** An SVG that is safe to draw. */
export interface SvgDocument {
  readonly size: SvgSize;
  /** Whether it has filter effects, whose cost grows with the pixels and not with the document. */
  readonly hasFilter: boolean;
  /** Returns the drawing at this many whole pixels, written anew from what was understood. */
  readonly markup: (widthPx: number, heightPx: number) => string;
}

/** Why an SVG is refused. */
export interface SvgFault {
  /** Whether it is an SVG at all. If not, it is some other text that begins with "<". */
  readonly isSvg: boolean;
  readonly message: string;
}

interface Reading {
  isSvg: boolean;
  fault: string | null;
  size: SvgSize | null;
  rootAttributes: string;
  /** Everything below the root, written anew. */
  readonly body: string[];
}

const write = (reading: Reading, written: Written): string => {
  if (written.ok) return written.value;
  reading.fault ??= written.fault;
  return '';
};

const readRoot = (reading: Reading, tag: SaxesTagNS): void => {
  if (tag.local !== 'svg' || tag.uri !== SVG_NAMESPACE) {
    reading.fault ??= `must have <svg xmlns="${SVG_NAMESPACE}"> as its root`;
    return;
  }
  reading.isSvg = true;
  const { width, height, viewBox, ...others } = tag.attributes;
  const size = readSvgSize({ width: width?.value, height: height?.value, viewBox: viewBox?.value });
  if (size.ok) reading.size = size.value;
  else reading.fault ??= size.fault;
  reading.rootAttributes = write(reading, writeAttributes('svg', others));
};

/** Makes the parser write the accepted elements, leave out the silent ones with their content, and keep the bounds. */
const walk = (parser: SaxesParser<{ xmlns: true }>, reading: Reading): void => {
  let elements = 0;
  let depth = 0;
  /** Depth of the element that is left out with its content at the moment; 0 when there is none. */
  let silentDepth = 0;
  let css: string | null = null;

  parser.on('opentag', (tag) => {
    depth++;
    elements++;
    if (elements > MAX_ELEMENTS) reading.fault ??= `has more than ${MAX_ELEMENTS} elements; send a PNG`;
    if (depth > MAX_DEPTH) reading.fault ??= `is nested more than ${MAX_DEPTH} deep; send a PNG`;
    if (reading.fault || silentDepth > 0) return;
    if (depth === 1) readRoot(reading, tag);
    else if (tag.uri !== SVG_NAMESPACE || SILENT_ELEMENTS.has(tag.local)) silentDepth = depth;
    else reading.body.push(write(reading, writeStartTag(tag)));
    if (tag.local === 'style' && silentDepth === 0) css = '';
  });

  parser.on('closetag', (tag) => {
    const isWritten = silentDepth === 0 && depth > 1;
    if (silentDepth === depth) silentDepth = 0;
    depth--;
    if (!isWritten) return;
    if (css !== null) {
      const cleaned = cleanCss(css);
      if (cleaned === null) reading.fault ??= 'has a <style> that refers to something outside the document';
      reading.body.push(escapeMarkup(cleaned ?? ''));
      css = null;
    }
    reading.body.push(`</${tag.local}>`);
  });

  const addText = (text: string): void => {
    if (css !== null && silentDepth === 0) css += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
};

/** Makes the parser refuse documents that are not acceptable as a whole. */
const guard = (parser: SaxesParser<{ xmlns: true }>, reading: Reading): void => {
  /** The root has not been read yet. The document is taken for an SVG, so that the caller reads this fault. */
  const refuse = (fault: string): void => {
    reading.isSvg = true;
    reading.fault ??= fault;
  };
  parser.on('error', () => {
    reading.fault ??= 'is not well-formed XML';
  });
  parser.on('processinginstruction', ({ target }) => {
    if (target === 'xml-stylesheet') refuse('has a style sheet outside the document');
  });
  // What a bare one names is never fetched, and nothing of it is written. Entities could be of any size (XML 1.0, 4.2).
  parser.on('doctype', (declaration) => {
    if (declaration.replace(/"[^"]*"|'[^']*'/g, '').includes('['))
      refuse(
        'has declarations in its <!DOCTYPE>, as Illustrator writes them for itself: export it without "Preserve Illustrator Editing Capabilities", or remove them',
      );
  });
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding && !/^(?:utf-?8|us-ascii)$/i.test(encoding)) refuse('must be encoded as UTF-8');
  });
};

const parse = (text: string): Reading => {
  const reading: Reading = { isSvg: false, fault: null, size: null, rootAttributes: '', body: [] };
  const parser = new SaxesParser({ xmlns: true, position: false });
  walk(parser, reading);
  guard(parser, reading);
  for (let at = 0; at < text.length && !reading.fault; at += CHUNK_CHARACTERS) {
    parser.write(text.slice(at, at + CHUNK_CHARACTERS));
  }
  if (!reading.fault) parser.close();
  return reading;
};

const decodeUtf8 = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
};

/**
 * Reads an SVG by allow-list and writes it anew from what it understood, so that the rasteriser never gets a byte that
 * was not checked here. It refuses document types with declarations, entities, encodings other than UTF-8, elements and
 * references that are not known to be harmless, text (there are no fonts), and sizes out of bounds.
 *
 * Takes time in proportion to the document, so it is meant for a thread that can be ended. Never throws.
 */
export const readSvg = (bytes: Uint8Array): Result<SvgDocument, SvgFault> => {
  const text = decodeUtf8(bytes);
  if (text === null) return refused({ isSvg: true, message: 'must be encoded as UTF-8' });
  const { isSvg, fault, size, rootAttributes, body } = parse(text);
  if (fault !== null || !size) return refused({ isSvg, message: fault ?? 'is empty' });
  const content = `viewBox="${size.viewBox}"${rootAttributes}>${body.join('')}</svg>`;
  return ok({
    size,
    hasFilter: /\bfilter\b/i.test(content),
    markup: (widthPx, heightPx) =>
      `<svg xmlns="${SVG_NAMESPACE}" width="${widthPx}" height="${heightPx}" ${content}`,
  });
};
