/** `tessera bulk`: the options of a run, and what is printed when it has ended. */
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import {
  type FileFormat,
  FORMATS,
  namesOf,
  ROW_SYMBOLOGIES,
  type RowSymbology,
} from '../../../workers/lists.ts';
import { TILL } from '../../../workers/print/dots.ts';
import type { Mapping } from '../../csv/match.ts';
import { createNotes } from '../../csv/notes.ts';
import { DUPLICATE_SCOPES, type DuplicateRule, type DuplicateScope } from '../../duplicates/rules.ts';
import { pluralise } from '../../texts.ts';
import { createWholeNumberParser, keyOf, print, readBaseUrl, URL_HELP } from '../admin.ts';
import type { Summary } from '../bulk/run.ts';
import { type ColumnsSaid, type Format, sourceOf } from '../bulk/source.ts';
import { duplicatesOption, duplicatesToText, NO_DUPLICATES } from '../duplicates.ts';
import { codeHeaders, formatOption, withColumns, withEncoding } from '../options.ts';
import { commandError, formatCount, type Terminal, toPrintable, usageError } from '../terminal.ts';

interface Options {
  readonly out: string;
  readonly key?: string;
  readonly url?: string;
  readonly folder?: string;
  readonly minGrade?: number;
  readonly repair?: true;
  readonly preset?: string;
  readonly profile?: string;
  readonly domain?: string;
  readonly inputFormat?: Format;
  readonly column?: Mapping;
  readonly encoding?: string;
  readonly otherColumns: 'refuse' | 'skip';
  readonly format: readonly FileFormat[];
  readonly symbology?: RowSymbology;
  readonly till?: true;
  readonly json?: true;
  readonly design?: string;
  readonly onError: 'skip' | 'stop';
  readonly duplicates: DuplicateRule;
  readonly duplicatesIn?: DuplicateScope;
  readonly unique?: string;
}

const HELP = `
The file is CSV or XLSX with a header row, or NDJSON with one item a line. Columns: data (required; also called url,
link, text or content), dynamic, slug, external_id, file or name (of the picture), and any option of a code, with dots
before inner fields, such as width or dotsOptions.color. --column names other columns. An empty cell leaves its option
out. If any row has an error, no code is made.

The gateway makes a batch of the file, which goes on if this command ends. The folder gets the pictures and
manifest.csv. With several formats, the files of each are in a folder of its name. Run the same command again after an
interruption: what is sent and saved is skipped, and nothing is paid twice. Exit codes: 0 every row was made, 1 a row
failed or the run was stopped, 2 usage error.`;

const toJson = ({ rows, manifest, stopped, duplicates = NO_DUPLICATES, notes = createNotes() }: Summary) => ({
  rows,
  encoding: notes.encoding,
  empty_rows: notes.emptyRows,
  first_empty_rows: notes.firstEmptyRows,
  made: manifest.rows - manifest.failed,
  failed: manifest.failed,
  not_done: rows - manifest.rows,
  lowest_grade: manifest.lowestGrade,
  below_grade_4: manifest.belowBest,
  manifest: manifest.path,
  failed_rows: manifest.firstFailed.map(({ row, fileRow, error }) => ({
    row,
    file_row: fileRow,
    error,
  })),
  duplicates: duplicates.count,
  duplicate_rows: duplicates.first.map(({ row, fileRow, firstRow, firstFileRow, kind, firstBatchId }) => ({
    row,
    file_row: fileRow,
    first_row: firstRow,
    first_file_row: firstFileRow,
    kind,
    ...(firstBatchId === undefined ? {} : { first_batch: firstBatchId }),
  })),
  stopped: stopped?.message ?? null,
});

/** Writes a summary for people. */
export const toText = ({ rows, manifest, duplicates = NO_DUPLICATES }: Summary): string => {
  const { failed: failures, firstFailed } = manifest;
  const lines = [
    `${formatCount(manifest.rows - failures)} of ${pluralise(rows, 'code')} made; ${manifest.path}`,
  ];
  if (manifest.belowBest > 0) {
    lines.push(
      `${formatCount(manifest.belowBest)} ${manifest.belowBest === 1 ? 'has' : 'have'} a grade below 4, the lowest ${manifest.lowestGrade}; see the column grade`,
    );
  }
  if (failures > 0) lines.push(`${pluralise(failures, 'row')} failed:`);
  for (const { row, fileRow, error } of firstFailed)
    lines.push(`  row ${fileRow === null ? row : `${fileRow} of the file`}: ${toPrintable(error)}`);
  if (failures > firstFailed.length) {
    lines.push(
      `  … and ${formatCount(failures - firstFailed.length)} more; see the column error of the manifest`,
    );
  }
  lines.push(...duplicatesToText(duplicates));
  return `${lines.join('\n')}\n`;
};

/** Prints a summary, and decides the exit code. @throws {CliFault} when not every row was made. */
export const conclude = (summary: Summary, options: { readonly json?: true }, terminal: Terminal): void => {
  print(terminal, options, toJson(summary), toText(summary));
  const { rows, manifest, stopped, advice = 'run the same command again to continue' } = summary;
  const left = rows - manifest.rows;
  if (stopped !== null) {
    const parts = [
      ...(manifest.failed > 0 ? [`${pluralise(manifest.failed, 'row')} failed`] : []),
      ...(left > 0 ? [`${pluralise(left, 'row is', 'rows are')} not done`] : []),
    ];
    throw commandError(
      [stopped.message, ...(parts.length > 0 ? [`${parts.join(' and ')}; ${advice}`] : [])].join('\n'),
    );
  }
  if (manifest.failed > 0) throw commandError(`${pluralise(manifest.failed, 'row')} failed`);
};

/** Returns the formats of a list such as `png,svg`. @throws {CliFault} when it names others, or one twice. */
const toFormats = (text: string): readonly FileFormat[] => {
  const formats = text.split(',').map((name) => name.trim().toLowerCase() as FileFormat);
  if (!formats.every((format) => Object.hasOwn(FORMATS, format)))
    throw usageError(`--format must be one or several of ${namesOf(FORMATS).join(',')}`);
  if (new Set(formats).size < formats.length) throw usageError('--format names a format twice');
  return formats;
};

const withPrintOptions = (command: Command): Command =>
  command
    .option('--module-mm <mm>', 'size in print: side of a module, 0.1 to 50')
    .option('--width-mm <mm>', 'size in print: side of the picture without its bleed')
    .option('--dpi <dpi>', 'resolution of PNG and WebP in print, 72 to 2400; default: 300')
    .option('--round <how>', 'down: the largest size of whole dots within the asked one; default: none')
    .option('--quiet-zone <modules>', 'quiet zone in print, 0 to 20; default: 4')
    .option('--bleed-mm <mm>', 'background beyond each side, 0 to 20')
    .option('--color <color>', 'colours of PDF and EPS: rgb or cmyk; black is always pure K; default: rgb')
    .option('--paper <color>', 'colour of the paper under translucent parts of an EPS; default: white')
    .option('--spots <colors>', 'spot colours of PDF and EPS: 1a4b8c=PANTONE 286 C, separated by commas')
    .option('--overprint', 'black and spot colours print over the background of a PDF or EPS')
    .option('--dieline <ink>', 'a line in this ink along which the picture of a PDF or EPS is cut')
    .option('--dieline-radius-mm <mm>', 'corners of the dieline; default: 0')
    .option('--white <ink>', 'a white in this ink below the picture of a PDF or EPS and its bleed')
    .option('--varnish <ink>', 'a varnish in this ink over all but the code and its quiet zone')
    .option('--text <text>', 'text below the code: none, or gs1 for its GS1 data; default: none')
    .option('--caption <text>', 'text beside the code, with columns in braces: "{name}"')
    .option('--caption-side <side>', 'where it stands: below, above or beside; default: below')
    .option('--caption-mm <mm>', 'greatest height of its digits, 0.9 to 200')
    .option('--caption-align <align>', 'left, center or right; default: center, beside the code left')
    .option('--caption-weight <weight>', 'regular or bold; default: regular')
    .option('--caption-color <color>', 'default: that of the dots, in a banner of the background')
    .option('--frame <frame>', 'none, line, rounded, corners, banner-below or banner-above; default: none')
    .option('--frame-color <color>', 'default: that of the dots')
    .option('--allow <losses>', 'what captions may lose: cut (their end), glyphs, or cut,glyphs')
    .option(
      '--till',
      'for tills: refuse codes that tills may not read, and choose a module size if none is given',
    );

/** Pictures that tills may not read are not paid for. A repair without a grade asks for the best one anyway. */
const minGradeOf = ({ minGrade, repair, till }: Options): number | undefined =>
  till && !(repair && minGrade === undefined) ? Math.max(minGrade ?? 0, TILL.grade) : minGrade;

const toQuery = (
  { format, onError, duplicates, duplicatesIn, unique, profile }: Options,
  { mapping, others }: ColumnsSaid,
): Readonly<Record<string, string>> => ({
  formats: format.join(','),
  on_error: onError,
  duplicates,
  ...(duplicatesIn === undefined ? {} : { duplicates_in: duplicatesIn }),
  ...(unique === undefined ? {} : { unique }),
  ...(profile === undefined ? {} : { profile }),
  ...(Object.keys(mapping).length === 0 ? {} : { columns: JSON.stringify(mapping) }),
  ...(others === 'skipped' ? { other_columns: 'skip' } : {}),
});

/** Options that do not decide what is made, or are compared on their own. */
const BESIDES = ['--out', '--key', '--url', '--folder', '--input-format', '--design', '--json'];

/** Returns the options that decide what is made, by their flags. */
const decidingOptions = (command: Command, design: string | null): Readonly<Record<string, unknown>> => {
  const values = command.opts<Readonly<Record<string, unknown>>>();
  const given = command.options.flatMap((option) => {
    const value = values[option.attributeName()];
    const isDeciding = value !== undefined && !BESIDES.includes(option.long!);
    return isDeciding ? [[option.long!, Array.isArray(value) ? value.join(',') : value]] : [];
  });
  return { ...Object.fromEntries(given), ...(design === null ? {} : { '--design': design }) };
};

const runBulk = async (file: string, options: Options, command: Command, terminal: Terminal) => {
  if (options.profile !== undefined && command.getOptionValueSource('format') === 'default')
    throw usageError('--format: name the files to make, such as pdf; --profile gives their size and colours');
  // Loaded only when the command runs: otherwise every command would start a second later.
  const [{ readDesign, readPrint }, { runFile }] = await Promise.all([
    import('../bulk/design.ts'),
    import('../bulk/run.ts'),
  ]);
  const columns = {
    mapping: options.column ?? {},
    others: options.otherColumns === 'skip' ? 'skipped' : 'refused',
  } as const;
  const path = options.design === undefined ? null : resolve(terminal.cwd, options.design);
  const asked = readPrint(options.format, { ...options });
  const { design, composed, captioned } = await readDesign(path, asked, options.symbology);
  const headers = codeHeaders({ ...options, minGrade: minGradeOf(options) });
  return runFile(
    {
      key: keyOf(options, terminal),
      url: readBaseUrl(options, terminal),
      out: resolve(terminal.cwd, options.out),
      source: sourceOf(resolve(terminal.cwd, file), options.inputFormat, columns, {
        composed,
        captioned,
        encoding: options.encoding ?? null,
      }),
      folderName: options.folder ?? null,
      formats: options.format,
      options: decidingOptions(command, design),
      terms: {
        query: toQuery(options, columns),
        headers: { ...headers, ...(design === null ? {} : { design }) },
      },
    },
    terminal,
  );
};

export const addBulkCommand = (program: Command, terminal: Terminal): void => {
  withEncoding(withColumns(withPrintOptions(program.command('bulk <file>'))))
    .description('make a code from each row of a CSV, XLSX or NDJSON file, as a batch of the gateway')
    .requiredOption(
      '--out <folder>',
      'required: folder for the pictures and the manifest; new, empty, or that of an earlier run to continue',
    )
    .option('--key <key>', 'API key with the scope generate, of a Pro account (TESSERA_KEY)')
    .option('--url <url>', URL_HELP)
    .option('--folder <name>', 'folder of the account for the codes; default: "Bulk Import" and the date')
    .option(
      '--min-grade <grade>',
      'do not make or pay for pictures below this grade (0 to 4)',
      createWholeNumberParser('--min-grade', 0, 4),
    )
    .option('--repair', 'make the smallest change to each design that reaches --min-grade, or else grade 4')
    .option('--preset <preset>', 'preset of the account: its id, its name or "default"; a row overrides it')
    .option('--profile <profile>', 'print profile of the account: its id or its name; sizes override it')
    .option('--domain <host>', 'own domain of short links, or shared; default: your default domain')
    .addOption(formatOption('--input-format'))
    .addOption(
      new Option('--format <formats>', 'files to make from each row: any of png,svg,pdf,eps,webp')
        .argParser(toFormats)
        .default(['png'], 'png'),
    )
    .option('--design <file>', 'JSON file with design options for all rows')
    .addOption(
      new Option('--symbology <name>', 'what rows are that do not say it; default: qr').choices(
        namesOf(ROW_SYMBOLOGIES),
      ),
    )
    .addOption(
      new Option('--on-error <do>', 'what happens when a row fails while codes are made')
        .choices(['skip', 'stop'])
        .default('skip'),
    )
    .addOption(duplicatesOption())
    .addOption(
      new Option(
        '--duplicates-in <where>',
        'where earlier rows are looked for: in the file, or in all kept batches of the account too; default: batch',
      ).choices(DUPLICATE_SCOPES),
    )
    .option('--unique <field>', 'field whose values must be unique, such as external_id')
    .option('--json', 'print a summary as JSON, for scripts')
    .addHelpText('after', HELP)
    .action(async (file: string, options: Options, command: Command) =>
      conclude(await runBulk(file, options, command, terminal), options, terminal),
    );
};
