/** What the form of labels holds, and the request that it makes. */
import type { SheetFormat } from '../../../../workers/lists.ts';
import type { SheetsRequest } from '../../../sheets/request.ts';
import type { PageName } from '../../../sheets/templates.ts';
import { keep, readKept } from '../../ui/kept/stored.ts';

/** The fields of the form. Lengths are in mm; `null` is an empty field. */
export interface Draft {
  /** Of the file: a document, or a language of label printers. */
  readonly format: SheetFormat;
  /** A label sheet; '' for custom measures. */
  readonly template: string;
  /** '' for custom sides. */
  readonly page: PageName | '';
  readonly widthMm: number | null;
  readonly heightMm: number | null;
  readonly columns: number | null;
  readonly rows: number | null;
  readonly marginTopMm: number | null;
  readonly marginLeftMm: number | null;
  readonly gapRowsMm: number | null;
  readonly gapColumnsMm: number | null;
  readonly codeMm: number | null;
  /** The dots per inch of a label printer; '' for others. */
  readonly dpi: '' | '203' | '300' | '600';
  readonly caption: string;
  readonly captionSide: 'above' | 'below' | 'beside';
  /** Whether captions that do not fit are cut, unknown characters become boxes, and codes may be missing; else all are refused. */
  readonly allowCut: boolean;
  readonly allowGlyphs: boolean;
  readonly allowCodes: boolean;
  readonly till: boolean;
  readonly cropMarks: boolean;
  readonly bleedMm: number | null;
  readonly startAt: number | null;
  readonly order: 'rows' | 'columns';
  readonly copies: number | null;
}

export const BEGINNING: Draft = {
  format: 'pdf',
  template: 'avery-l7160',
  page: 'A4',
  widthMm: 62,
  heightMm: 29,
  columns: 3,
  rows: 8,
  marginTopMm: 10,
  marginLeftMm: 10,
  gapRowsMm: 2,
  gapColumnsMm: 2,
  codeMm: null,
  dpi: '',
  caption: '{content}',
  captionSide: 'beside',
  allowCut: false,
  allowGlyphs: false,
  allowCodes: false,
  till: false,
  cropMarks: false,
  bleedMm: null,
  startAt: 1,
  order: 'rows',
  copies: 1,
};

/** Returns the settings with which labels of these codes begin: with their names, if they have any. */
export const firstFor = (codes: readonly { readonly name: string | null }[]): Draft =>
  codes.some(({ name }) => name !== null) ? { ...BEGINNING, caption: '{name}' } : BEGINNING;

const keyOf = (accountId: string): string => `label settings ${accountId}`;

/** Keeps the settings that an account used last, in this browser. */
export const keepUsed = (accountId: string, draft: Draft): void =>
  keep(keyOf(accountId), JSON.stringify(draft));

/** Returns the settings that the account used last in this browser; `null`: it has used none that are still known. */
export const lastUsed = (accountId: string): Draft | null => {
  const kept: unknown = JSON.parse(readKept(keyOf(accountId)) ?? 'null');
  if (typeof kept !== 'object' || kept === null) return null;
  const known = Object.keys(BEGINNING);
  return known.every((name) => name in kept) && Object.keys(kept).length === known.length
    ? (kept as Draft)
    : null;
};

const orNone = (value: number | null): number | undefined => value ?? undefined;

/** Returns the request of a form. Empty fields are left out, and what its format does not have. */
export const toRequest = (draft: Draft): SheetsRequest => {
  const { format, template, page, captionSide, order, till, cropMarks } = draft;
  const own =
    template === ''
      ? {
          columns: orNone(draft.columns),
          rows: orNone(draft.rows),
          margin_mm: [draft.marginTopMm ?? 0, draft.marginLeftMm ?? 0],
          gap_mm: [draft.gapRowsMm ?? 0, draft.gapColumnsMm ?? 0],
        }
      : {};
  const size =
    page === '' ? { width_mm: orNone(draft.widthMm), height_mm: orNone(draft.heightMm) } : { size: page };
  const request = {
    ...(template === '' ? { page: size } : { template }),
    label: {
      ...own,
      code_mm: orNone(draft.codeMm),
      ...(draft.caption === '' ? {} : { caption: draft.caption, caption_side: captionSide }),
    },
    ...(draft.dpi === '' ? {} : { dpi: Number(draft.dpi) }),
    till,
    ...(format === 'pdf' && { crop_marks: cropMarks, bleed_mm: orNone(draft.bleedMm) }),
    order,
    allow: [
      ...(draft.allowCut ? ['cut'] : []),
      ...(draft.allowGlyphs ? ['glyphs'] : []),
      ...(draft.allowCodes ? ['codes'] : []),
    ],
    start_at: orNone(draft.startAt),
    copies: orNone(draft.copies),
  };
  // Undefined fields are not sent.
  return JSON.parse(JSON.stringify(request)) as SheetsRequest;
};
