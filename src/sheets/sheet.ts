/** Sheets as they were asked for, with every default applied. Pure. */
import type { SheetFormat } from '../../workers/lists.ts';
import { MM_PER_INCH, PRINTER_DPI } from '../../workers/print/dots.ts';
import type { Fault } from '../../workers/protocol.ts';
import type { LabelLayout, Mark } from '../../workers/sheets/protocol.ts';
import { CAPTION_NAMES, type Caption, type Loss, parseCaption } from '../csv/caption.ts';
import { ok, type Result, refused } from '../result.ts';
import { cropMarks, type Grid, layEvenGrid, MARK_MM, MARK_OFFSET_MM, type Order } from './grid.ts';
import { layOutLabel } from './label.ts';
import type { SheetsRequest } from './request.ts';
import { PAGES, TEMPLATE_NAMES, TEMPLATES } from './templates.ts';

/** How sheets look, and in which order their labels are filled. */
export interface Sheet {
  readonly format: SheetFormat;
  readonly grid: Grid;
  readonly label: LabelLayout;
  /** Dots per inch of the printer, of which each module has the same whole number; `null`: codes fill their areas. */
  readonly dpi: number | null;
  readonly caption: Caption | null;
  readonly marks: readonly Mark[];
  readonly bleedMm: number;
  /** How far paper extends beyond the page on each side, for the marks and the bleed of a page that is one label. */
  readonly outsetMm: number;
  /** The first label of the first page that is used, from 1. */
  readonly startAt: number;
  readonly order: Order;
  /** Sheets that are cut as one pile, through which labels follow each other; 1: they follow each other on a sheet. */
  readonly stack: number;
  readonly copies: number;
  /** What labels may lose; else they are refused. */
  readonly allow: readonly Loss[];
  /** Whether tills must read the codes. */
  readonly isForTill: boolean;
}

const fault = (field: string, message: string) => refused({ field, message });

/** The vertical and the horizontal length. */
const toPair = (lengths: number | readonly number[] | undefined): readonly [number, number] =>
  typeof lengths === 'object' ? [lengths[0]!, lengths[1]!] : [lengths ?? 0, lengths ?? 0];

const templateGrid = (name: string, { page, label = {} }: SheetsRequest): Result<Grid, Fault> => {
  if (page !== undefined) return fault('page', 'must be left out with a template');
  for (const field of ['columns', 'rows', 'margin_mm', 'gap_mm'] as const) {
    if (label[field] !== undefined) return fault(`label.${field}`, 'must be left out with a template');
  }
  const grid = (TEMPLATES as Readonly<Record<string, Grid>>)[name];
  if (grid !== undefined && Object.hasOwn(TEMPLATES, name)) return ok(grid);
  return fault('template', `is not known; known are ${TEMPLATE_NAMES.join(', ')}`);
};

const pageSize = ({ size, width_mm: widthMm, height_mm: heightMm }: NonNullable<SheetsRequest['page']>) => {
  if (size !== undefined) {
    return widthMm === undefined && heightMm === undefined
      ? ok(PAGES[size])
      : fault('page.size', 'must be left out with a width and a height');
  }
  if (widthMm === undefined) return fault('page.width_mm', 'is required without a size');
  if (heightMm === undefined) return fault('page.height_mm', 'is required without a size');
  return ok({ widthMm, heightMm });
};

const ownGrid = ({ page, label = {} }: SheetsRequest): Result<Grid, Fault> => {
  if (page === undefined) return fault('template', 'is required; or give page, label.columns and label.rows');
  const size = pageSize(page);
  if (!size.ok) return size;
  const { columns, rows } = label;
  if (columns === undefined) return fault('label.columns', 'is required without a template');
  if (rows === undefined) return fault('label.rows', 'is required without a template');
  const grid = layEvenGrid(size.value, {
    columns,
    rows,
    margin: toPair(label.margin_mm),
    gap: toPair(label.gap_mm),
  });
  return Math.min(grid.labelWidthMm, grid.labelHeightMm) > 0
    ? ok(grid)
    : fault('label.margin_mm', 'and label.gap_mm leave no room for labels');
};

/** A page that is one label: a roll, or a sheet for one code. It has no margin for marks and bleed. */
const isOneLabel = ({ widthMm, heightMm, labelWidthMm, labelHeightMm }: Grid): boolean =>
  widthMm === labelWidthMm && heightMm === labelHeightMm;

const outsetOf = (grid: Grid, bleedMm: number, withMarks: boolean): number => {
  if (!isOneLabel(grid)) return 0;
  return withMarks ? Math.max(bleedMm, MARK_OFFSET_MM) + MARK_MM : bleedMm;
};

/** The widest print heads have 2,600 dots; and `^LL` of ZPL II takes at most 32,000. */
const PAPER_MAX_DOTS = { width: 4096, length: 32_000 } as const;

/** Returns why a label printer cannot print the sheet; `null`: it can. */
const printerFault = (
  { template, page, dpi, bleed_mm: bleedMm = 0, crop_marks: withMarks = false }: SheetsRequest,
  { widthMm, heightMm }: Grid,
): Fault | null => {
  if (dpi === undefined) {
    return { field: 'dpi', message: `is required for a label printer: one of ${PRINTER_DPI.join(', ')}` };
  }
  if (withMarks || bleedMm > 0) {
    const message = 'must be left out for a label printer, whose labels are cut already';
    return { field: withMarks ? 'crop_marks' : 'bleed_mm', message };
  }
  const ofPage = page?.size === undefined ? ['page.width_mm', 'page.height_mm'] : ['page.size', 'page.size'];
  const [ofWidth, ofLength] = template === undefined ? ofPage : ['template', 'template'];
  const dotsOf = (mm: number): number => Math.round((mm * dpi) / MM_PER_INCH);
  const message = (dots: number, side: string, most: number): string =>
    `is ${dots} dots ${side} at ${dpi} dpi; a label printer prints at most ${most}`;
  const [width, length] = [dotsOf(widthMm), dotsOf(heightMm)];
  if (width > PAPER_MAX_DOTS.width)
    return { field: ofWidth!, message: message(width, 'wide', PAPER_MAX_DOTS.width) };
  if (length > PAPER_MAX_DOTS.length)
    return { field: ofLength!, message: message(length, 'long', PAPER_MAX_DOTS.length) };
  return null;
};

/** The labels of a pile are in memory while it is laid out; the largest page has as many. */
const STACK_MAX_LABELS = 5000;

const stackFault = (stack: number, places: number, startAt: number): Fault | null => {
  if (stack === 1) return null;
  if (startAt > 1)
    return { field: 'start_at', message: 'must be left out with stack: piles begin with whole sheets' };
  const most = Math.max(1, Math.floor(STACK_MAX_LABELS / places));
  if (stack <= most) return null;
  return { field: 'stack', message: `must be at most ${most} sheets, which have ${most * places} labels` };
};

/**
 * Returns the sheet that a validated request describes, or what is wrong with it, on a field of the request.
 *
 * @param names What the caption may name besides `CAPTION_NAMES`.
 */
export const resolveSheet = (
  request: SheetsRequest,
  names: readonly string[] = [],
  format: SheetFormat = 'pdf',
): Result<Sheet, Fault> => {
  const { template, label = {}, order = 'rows', stack = 1, copies = 1 } = request;
  const { bleed_mm: bleedMm = 0, start_at: startAt = 1, crop_marks: withMarks = false } = request;
  const grid = template === undefined ? ownGrid(request) : templateGrid(template, request);
  if (!grid.ok) return grid;
  const unprinted = format === 'pdf' ? null : printerFault(request, grid.value);
  if (unprinted !== null) return refused(unprinted);
  const places = grid.value.columns * grid.value.rows;
  if (startAt > places) return fault('start_at', `must be at most ${places}, the labels of a page`);
  const unstacked = stackFault(stack, places, startAt);
  if (unstacked !== null) return refused(unstacked);

  const caption = label.caption ? parseCaption(label.caption, [...CAPTION_NAMES, ...names]) : ok(null);
  if (!caption.ok) return fault('label.caption', caption.fault);
  const { labelWidthMm: widthMm, labelHeightMm: heightMm } = grid.value;
  const laidOut = layOutLabel(
    { widthMm, heightMm },
    {
      codeMm: label.code_mm ?? null,
      captionSide: label.caption_side ?? 'below',
      captionLines: caption.value?.lines ?? 0,
    },
  );
  if (!laidOut.ok) return laidOut;
  const outsetMm = outsetOf(grid.value, bleedMm, withMarks);
  return ok({
    format,
    grid: grid.value,
    label: laidOut.value,
    dpi: request.dpi ?? null,
    caption: caption.value,
    marks: withMarks ? cropMarks(grid.value, bleedMm, outsetMm) : [],
    bleedMm,
    outsetMm,
    startAt,
    order,
    stack,
    copies,
    allow: request.allow ?? [],
    isForTill: request.till ?? false,
  });
};
