import { SaxesParser, type SaxesTagNS } from 'saxes';
import { ok, type Result, refused } from '../../result.ts';
import { ratioFault, type Size } from '../sniff.ts';
import {
  cleanCss,
  escapeMarkup,
  SILENT_ELEMENTS,
  type Written,
  writeAttributes,
  writeStartTag,
} from './rules.ts';

/** CSS pixels in one unit (CSS Values 4, 6.2); `em` and `ex` at the initial font size of 16 px. */
const UNIT_PX: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  mm: 96 / 25.4,
  cm: 96 / 2.54,
  in: 96,
  em: 16,
  ex: 8,
};
const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z]*|%)$/i;

/** Beyond these, 32-bit floats in the rasteriser lose whole user units. */
const MIN_SIDE = 0.01;
const MAX_SIDE = 100_000;

/** The natural size of an SVG, and the part of its plane that it shows. */
interface SvgSize extends Size {
  /** Four numbers. Without a `viewBox` in the document: the natural size at the origin. */
  readonly viewBox: string;
}

/**
 * Returns a length in CSS pixels; `undefined` when it is missing, `auto` or a percentage; `NaN` when it is not a
 * length.
 */
const readLength = (text: string | undefined): number | undefined => {
  const value = text?.trim() ?? 'auto';
  if (value === 'auto') return undefined;
  const [, number = '', unit = ''] = LENGTH.exec(value) ?? [];
  if (unit === '%') return undefined;
  return number === '' ? Number.NaN : Number(number) * (UNIT_PX[unit.toLowerCase()] ?? Number.NaN);
};

const readViewBox = (text: string | undefined): number[] | undefined => {
  if (text === undefined || text.trim() === '') return undefined;
  const numbers = text
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  const [x = Number.NaN, y = Number.NaN] = numbers;
  const isSane = numbers.length === 4 && Math.abs(x) <= MAX_SIDE && Math.abs(y) <= MAX_SIDE;
  return isSane ? numbers : [0, 0, Number.NaN, Number.NaN];
};

const isSide = (value: number): boolean => value >= MIN_SIDE && value <= MAX_SIDE;

/**
 * Returns the natural size of an SVG from its root's attributes: `width` and `height`; one of them and the ratio of the
 * `viewBox`; or the `viewBox` alone (SVG 2, 8.2 and CSS Images 3, 5.1). The fault is a text for the caller.
 */
export const readSvgSize = (root: Readonly<Record<string, string | undefined>>): Result<SvgSize, string> => {
  const box = readViewBox(root.viewBox);
  const boxWidth = box?.[2];
  const boxHeight = box?.[3];
  const width = readLength(root.width);
  const height = readLength(root.height);
  if (box && !(isSide(boxWidth ?? 0) && isSide(boxHeight ?? 0))) {
    return refused(`viewBox must be four numbers with sides of ${MIN_SIDE} to ${MAX_SIDE}`);
  }
  if (!box && (width === undefined || height === undefined))
    return refused('needs a viewBox, or a width and a height');
  const ratio = (boxWidth ?? 1) / (boxHeight ?? 1);
  const widthPx = width ?? (height === undefined ? (boxWidth ?? 0) : height * ratio);
  const heightPx = height ?? (width === undefined ? (boxHeight ?? 0) : width / ratio);
  if (!isSide(widthPx) || !isSide(heightPx))
    return refused(`width and height must be ${MIN_SIDE} to ${MAX_SIDE} pixels`);
  const fault = ratioFault({ widthPx, heightPx });
  return fault === null
    ? ok({ widthPx, heightPx, viewBox: (box ?? [0, 0, widthPx, heightPx]).join(' ') })
    : refused(fault);
};

const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';
const MAX_ELEMENTS = 5000;
const MAX_DEPTH = 100;
/** Characters that the parser gets between two checks for a fault. */
const CHUNK_CHARACTERS = 65_536;

/** An SVG that is safe to draw. */
interface SvgDocument {
  readonly size: SvgSize;
  /** Whether it has filter effects, whose cost grows with the pixels and not with the document. */
  readonly hasFilter: boolean;
  /** Returns the drawing at this many whole pixels, written anew from what was understood. */
  readonly markup: (widthPx: number, heightPx: number) => string;
}

/** Why an SVG is refused. */
interface SvgFault {
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
