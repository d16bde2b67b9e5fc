import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { type Written, writeAttributes, writeStartTag } from './element.ts';
import { cleanCss, escapeMarkup, SILENT_ELEMENTS } from './rules.ts';
import { readSvgSize, type SvgSize } from './size.ts';

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 100;
/** Characters fed to the parser between two looks at whether it may stop. */
const CHUNK_CHARACTERS = 65_536;

/** A drawing that may be drawn. */
export interface SvgDocument {
  readonly size: SvgSize;
  /** Whether it has filter effects, whose cost grows with the pixels and not with the document. */
  readonly hasFilter: boolean;
  /** The same drawing, written by us from what was understood, to be drawn at this many whole pixels. */
  readonly markup: (widthPx: number, heightPx: number) => string;
}

/** Why a drawing may not be drawn. */
export interface SvgFault {
  /** Whether the root was an SVG's. When not, it is some other text that begins with "<". */
  readonly isSvg: boolean;
  readonly message: string;
}

interface Reading {
  isSvg: boolean;
  fault: string | null;
  size: SvgSize | null;
  rootAttributes: string;
  /** Everything below the root, written again. */
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

/** Hangs the walk on the parser: which elements are written, which are left out whole, and the bounds. */
const walk = (parser: SaxesParser<{ xmlns: true }>, reading: Reading): void => {
  let elements = 0;
  let depth = 0;
  /** Depth of the element that is being left out with all that it holds; 0: none is. */
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

/** Hangs on the parser what makes the document as a whole unacceptable. */
const guard = (parser: SaxesParser<{ xmlns: true }>, reading: Reading): void => {
  /** Of a document whose root has not been seen: it is taken for an SVG, so that the fault is told. */
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
 * Reads an SVG by allow-list and writes it again from what it understood, so that the rasteriser never meets a
 * byte that was not read here. Refused: document types and entities, encodings other than UTF-8, elements and
 * references that are not known to be harmless, text (there are no fonts), and sizes out of bounds.
 *
 * Takes time in proportion to the document; meant for a thread that can be ended. Never throws.
 */
export const readSvg = (bytes: Uint8Array): Result<SvgDocument, SvgFault> => {
  const text = decodeUtf8(bytes);
  if (text === null) return refused({ isSvg: true, message: 'must be encoded as UTF-8' });
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    const isSvg = !/<!DOCTYPE\s+html/i.test(text);
    return refused({ isSvg, message: 'has a <!DOCTYPE>; remove that declaration and its entities' });
  }
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
