import { basename, extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { namesOf, SHEET_FORMATS, type SheetFormat } from '../../../workers/lists.ts';
import { LOSSES } from '../../csv/caption.ts';
import type { Mapping } from '../../csv/match.ts';
import type { DuplicateRule } from '../../duplicates/rules.ts';
import type { Gs1Form } from '../../gs1/compose.ts';
import { CANONICAL_STEM, isStem } from '../../gs1/digital-link.ts';
import { MODULE_LEAST_MM } from '../../sheets/label.ts';
import { PAGE_NAMES, TEMPLATE_NAMES } from '../../sheets/templates.ts';
import { pluralise } from '../../texts.ts';
import { type Format, sourceOf } from '../bulk/source.ts';
import { duplicatesOption, duplicatesToText } from '../duplicates.ts';
import { formatOption, withColumn, withEncoding } from '../options.ts';
import type { Gs1Columns } from '../sheets/codes.ts';
import type { SheetOptions } from '../sheets/options.ts';
import type { SheetsSummary } from '../sheets/run.ts';
import { formatCount, type Terminal, usageError } from '../terminal.ts';

interface Options extends SheetOptions {
  readonly out: string;
  readonly format?: SheetFormat;
  readonly inputFormat?: Format;
  readonly column?: Mapping;
  readonly encoding?: string;
  readonly gs1?: Gs1Form;
  readonly stem?: string;
  readonly duplicates: DuplicateRule;
  readonly unique?: string;
}

/** The names of the templates, in lines that fit. */
const TEMPLATE_LINES = TEMPLATE_NAMES.join(', ').replace(/(.{80,100},) /g, '$1\n');

const HELP = `
The file has the format of tessera bulk: CSV or XLSX with a header row and a column data, or NDJSON. It may
have more columns, for the captions. No gateway is needed, and nothing is stored. With --gs1, columns such as gtin,
serial, lot and expiry can replace data.

Captions may have {content}, {file}, {index}, {gs1}, {gtin} and the names of columns in braces, and \\n for a new line.
Their type shrinks to 3.5 pt. Captions that still do not fit, or have characters that the font lacks, and rows that
cannot be drawn are named, and nothing is written, unless --allow says so: cut, glyphs, codes, with commas between them.
The label of a code that is missing then says "no code" and its number.

Label printers get ZPL II or EPL2, which need --dpi: each page is one label of the printer, in black and white.

Templates: ${TEMPLATE_LINES}.

Exit codes: 0 every row has its label, 1 nothing was written, 2 usage error.`;

const toText = (
  { rows, pages, missing, failed: failures, moduleMm, lost, duplicates, warnings }: SheetsSummary,
  out: string,
): string => {
  const lines = [
    `${formatCount(rows - failures)} of ${pluralise(rows, 'code')} on ${pluralise(pages, 'page')}; ${out}`,
  ];
  if (moduleMm !== null) {
    const advice =
      moduleMm < MODULE_LEAST_MM ? `; phones need ${MODULE_LEAST_MM} mm: print larger labels` : '';
    lines.push(`The smallest module is ${moduleMm.toFixed(2)} mm${advice}.`);
  }
  if (warnings.length > 0) lines.push(`Some codes have less than grade 4 in print: ${warnings.join(', ')}.`);
  if (lost.cut > 0) lines.push(`${pluralise(lost.cut, 'caption')} cut with "…".`);
  if (lost.glyphs > 0)
    lines.push(`${pluralise(lost.glyphs, 'caption')} with □ for characters that the font lacks.`);
  if (missing.length > 0) lines.push(`${pluralise(failures, 'label')} with "no code":`, ...missing);
  lines.push(...duplicatesToText(duplicates));
  return `${lines.join('\n')}\n`;
};

const gs1Of = ({ gs1: form, stem: given }: Options): Gs1Columns => {
  if (given !== undefined && form !== 'digital-link') throw usageError('--stem needs --gs1 digital-link');
  const stem = given ?? CANONICAL_STEM;
  if (!isStem(stem))
    throw usageError(
      '--stem: give an http or https URL without a slash at its end, such as https://brand.example',
    );
  return form === undefined ? null : { form, stem };
};

/** Returns the format that the extension of a file says. */
const formatOfName = (path: string): SheetFormat =>
  namesOf(SHEET_FORMATS).find((format) => extname(path).toLowerCase() === `.${format}`) ?? 'pdf';

export const addSheetsCommand = (program: Command, terminal: Terminal): void => {
  withEncoding(withColumn(program.command('sheets <file>')))
    .description(
      'make sheets of labels from the rows of a CSV, XLSX or NDJSON file: a PDF, or commands for a label printer',
    )
    .requiredOption('--out <file>', 'required: the file to make, which is written as a whole or not at all')
    .addOption(
      new Option('--format <format>', 'output format; default: by the extension of --out, or pdf').choices(
        namesOf(SHEET_FORMATS),
      ),
    )
    .option('--template <name>', 'label sheet, such as avery-l7160; or give --page, --columns and --rows')
    .option('--page <size>', `${PAGE_NAMES.join(', ')}, or its sides in mm, such as 100x50`)
    .option('--columns <columns>', 'labels side by side')
    .option('--rows <rows>', 'labels one below the other')
    .option('--margin <mm>', 'from the edge of the page to the labels: all, or "vertical,horizontal"')
    .option('--gap <mm>', 'between labels: all, or "vertical,horizontal"')
    .option('--code-mm <mm>', 'side of a code with its quiet zone; default: the largest that fits')
    .option('--caption <text>', 'text next to the code, such as "{index}: {content}"')
    .addOption(
      new Option('--caption-side <side>', 'position of the caption').choices(['above', 'below', 'beside']),
    )
    .option('--allow <losses>', `what labels may lose: ${LOSSES.join(', ')}, with commas between them`)
    .option('--dpi <dpi>', 'of a label printer, 203, 300 or 600: modules are whole dots, all the same')
    .option('--till', 'refuse codes that tills may not read, such as those with modules below 0.396 mm')
    .option('--crop-marks', 'print crop marks in the margins')
    .option('--bleed <mm>', "how far the codes' background extends beyond the labels")
    .option('--start-at <label>', 'first label to use, if some labels of the first sheet are already used')
    .addOption(
      new Option('--order <order>', 'whether rows or columns are filled first').choices(['rows', 'columns']),
    )
    .option('--stack <sheets>', 'sheets that are cut as one pile, through which labels follow each other')
    .option('--copies <copies>', 'number of labels for each code')
    .addOption(
      new Option(
        '--gs1 <form>',
        'encode GS1 data; rows without data get it from GS1 columns such as gtin and lot',
      ).choices(['digital-link', 'element-string']),
    )
    .option('--stem <url>', `what a Digital Link URI begins with; default: ${CANONICAL_STEM}`)
    .addOption(duplicatesOption())
    .option('--unique <column>', 'column whose values must be unique')
    .addOption(formatOption('--input-format'))
    .addHelpText('after', HELP)
    .action(async (file: string, options: Options) => {
      const [{ requestOf }, { runSheets }] = await Promise.all([
        import('../sheets/options.ts'),
        import('../sheets/run.ts'),
      ]);
      const path = resolve(terminal.cwd, file);
      const out = resolve(terminal.cwd, options.out);
      const summary = await runSheets(
        {
          source: sourceOf(
            path,
            options.inputFormat,
            { mapping: options.column ?? {}, others: 'skipped' },
            { encoding: options.encoding ?? null },
          ),
          request: requestOf(options),
          format: options.format ?? formatOfName(out),
          out,
          title: basename(path, extname(path)),
          gs1: gs1Of(options),
          duplicates: options.duplicates,
          unique: options.unique ?? null,
        },
        terminal,
      );
      terminal.out.write(toText(summary, out));
    });
};
