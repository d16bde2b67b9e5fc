/** The request for sheets of labels: one TypeBox value that validates, documents and types it. */
import Type, { type Static } from 'typebox';
import { PRINTER_DPI } from '../../workers/print/dots.ts';
import { CAPTION_MAX_CHARACTERS, LOSSES } from '../csv/caption.ts';
import { CODE_MIN_MM } from './label.ts';
import { PAGE_NAMES } from './templates.ts';

const strict = { additionalProperties: false } as const;

const SIDE_MAX_MM = 2000;
const Side = Type.Number({ minimum: 5, maximum: SIDE_MAX_MM });
/** One length, or one between top and bottom and one between left and right. */
const Lengths = Type.Union(
  [
    Type.Number({ minimum: 0, maximum: 500 }),
    Type.Array(Type.Number({ minimum: 0, maximum: 500 }), { minItems: 2, maxItems: 2 }),
  ],
  { title: 'LabelSpacing', description: 'All, or vertical and horizontal.' },
);

/** Body of `POST /api/v1/folders/:id/sheets`. `resolveSheet` checks what the fields say together. */
export const SheetsRequest = Type.Object(
  {
    template: Type.Optional(
      Type.String({ maxLength: 40, description: 'In place of `page`, columns and rows.' }),
    ),
    page: Type.Optional(
      Type.Object(
        {
          size: Type.Optional(Type.Enum([...PAGE_NAMES])),
          width_mm: Type.Optional(Side),
          height_mm: Type.Optional(Side),
        },
        { ...strict, title: 'SheetPage' },
      ),
    ),
    label: Type.Optional(
      Type.Object(
        {
          columns: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
          rows: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
          margin_mm: Type.Optional(Lengths),
          gap_mm: Type.Optional(Lengths),
          code_mm: Type.Optional(
            Type.Number({
              minimum: CODE_MIN_MM,
              maximum: SIDE_MAX_MM,
              description: 'With the quiet zone; default: the largest that fits.',
            }),
          ),
          caption: Type.Optional(
            Type.String({
              maxLength: CAPTION_MAX_CHARACTERS,
              description:
                'Text with `{content}`, `{name}`, `{external_id}`, `{id}`, `{slug}`, `{file}`, `{index}`, `{gs1}` and `{gtin}`.',
            }),
          ),
          caption_side: Type.Optional(Type.Enum(['above', 'below', 'beside'], { default: 'below' })),
        },
        { ...strict, title: 'SheetLabel' },
      ),
    ),
    allow: Type.Optional(
      Type.Array(Type.Enum([...LOSSES]), {
        maxItems: LOSSES.length,
        uniqueItems: true,
        title: 'SheetLosses',
        description:
          'What labels may lose: `cut` the end of captions, `glyphs` characters that the font lacks, `codes` those that can no longer be drawn.',
      }),
    ),
    dpi: Type.Optional(
      Type.Enum([...PRINTER_DPI], {
        description:
          'Of a label printer: modules are whole dots, all the same. Required for ZPL II and EPL2.',
      }),
    ),
    till: Type.Optional(
      Type.Boolean({ default: false, description: 'Refuses codes that tills might fail to read.' }),
    ),
    crop_marks: Type.Optional(Type.Boolean({ default: false })),
    bleed_mm: Type.Optional(Type.Number({ minimum: 0, maximum: 20, default: 0 })),
    start_at: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'First label used.' })),
    order: Type.Optional(Type.Enum(['rows', 'columns'], { default: 'rows' })),
    stack: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 5000,
        default: 1,
        description: 'Sheets that are cut as one pile, through which labels follow each other.',
      }),
    ),
    copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 1 })),
  },
  {
    ...strict,
    title: 'SheetsRequest',
    examples: [{ template: 'avery-l7160', label: { caption: '{content}', caption_side: 'beside' } }],
  },
);
/** A validated body. */
export type SheetsRequest = Static<typeof SheetsRequest>;
