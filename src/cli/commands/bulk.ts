import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { counted } from '../../counted.ts';
import type { Mapping } from '../../csv/match.ts';
import type { FileFormat } from '../../generate/file.ts';
import { baseUrl, wholeNumber } from '../admin.ts';
import type { Asked } from '../bulk/asked-headers.ts';
import { readAsked, toFormats } from '../bulk/files/asked.ts';
import { type Format, sourceOf } from '../bulk/input/input.ts';
import { type BulkOptions, runBulk, type Summary } from '../bulk/run.ts';
import { failed, misused } from '../fault.ts';
import { keyOf } from '../key.ts';
import { designOf, refuseLocalOptions, refuseRemoteOptions } from '../remote/options.ts';
import { runRemote } from '../remote/run.ts';
import { count, printable, type Terminal } from '../terminal.ts';
import { withColumns } from './columns.ts';

interface Options {
  readonly out: string;
  readonly key?: string;
  readonly url?: string;
  readonly folder?: string;
  readonly concurrency: number;
  readonly minGrade: number;
  readonly repair?: true;
  readonly preset?: string;
  readonly inputFormat?: Format;
  readonly column?: Mapping;
  readonly otherColumns: 'refuse' | 'skip';
  readonly format: readonly FileFormat[];
  readonly payAgain?: true;
  readonly json?: true;
  readonly remote?: true;
  readonly design?: string;
  readonly onError?: 'skip' | 'stop';
}

const MAX_CONCURRENCY = 64;

const HELP = `
The file is CSV or XLSX with a header row, or NDJSON with one item a line. Columns: data (required; also called url,
link, text or content), dynamic, file or name (of the picture), and any option of a code, with dots before inner
fields, such as width or dotsOptions.color. --column names other columns. An empty cell leaves its option out.

The folder gets the pictures and manifest.csv. With several formats, the files of each are in a folder of its name. Run
the same command again after an interruption: finished rows are skipped, and nothing is paid twice. Exit codes: 0 every
row was made, 1 a row failed or the run was stopped, 2 the command was called wrongly.`;

const concurrency = (text: string): number => {
  const value = wholeNumber(text);
  if (value < 1 || value > MAX_CONCURRENCY) throw misused(`--concurrency must be 1 to ${MAX_CONCURRENCY}`);
  return value;
};

const minGrade = (text: string): number => {
  const value = wholeNumber(text);
  if (value > 4) throw misused('--min-grade must be 0 to 4');
  return value;
};

/** Writes a summary as JSON, for scripts. */
export const toJson = ({ rows, manifest, remaining, stopped }: Summary): string =>
  `${JSON.stringify(
    {
      rows,
      made: manifest.rows - manifest.failed,
      failed: manifest.failed,
      not_done: rows - manifest.rows,
      lowest_grade: manifest.lowestGrade,
      below_grade_4: manifest.belowBest,
      manifest: manifest.path,
      failed_rows: manifest.firstFailed,
      remaining,
      stopped: stopped?.message ?? null,
    },
    null,
    2,
  )}\n`;

/** Writes a summary for people. */
export const toText = ({ rows, manifest, remaining }: Summary): string => {
  const { failed: failures, firstFailed } = manifest;
  const lines = [`${count(manifest.rows - failures)} of ${counted(rows, 'code')} made; ${manifest.path}`];
  if (manifest.belowBest > 0) {
    lines.push(
      `${count(manifest.belowBest)} ${manifest.belowBest === 1 ? 'has' : 'have'} a grade below 4, the lowest ${manifest.lowestGrade}; see the column grade`,
    );
  }
  if (remaining !== null) lines.push(`${counted(remaining, 'unit is', 'units are')} left.`);
  if (failures > 0) lines.push(`${counted(failures, 'row')} failed:`);
  for (const { row, error } of firstFailed) lines.push(`  row ${row}: ${printable(error)}`);
  if (failures > firstFailed.length) {
    lines.push(`  … and ${count(failures - firstFailed.length)} more; see the column error of the manifest`);
  }
  return `${lines.join('\n')}\n`;
};

/** Decides the exit code. @throws {CliFault} when not every row was made. */
export const conclude = ({ rows, manifest, stopped, advice }: Summary): void => {
  if (stopped !== null) {
    throw failed(
      `${stopped.message}\n${counted(rows - manifest.rows, 'row is', 'rows are')} not done; ${advice ?? 'run the same command again to continue'}`,
    );
  }
  if (manifest.failed > 0) throw failed(`${counted(manifest.failed, 'row')} failed`);
};

type Common = Pick<BulkOptions, 'source' | 'out' | 'url' | 'key' | 'folderName' | 'files' | keyof Asked>;

const makeHere = (
  common: Common,
  options: Options,
  command: Command,
  terminal: Terminal,
): Promise<Summary> => {
  refuseRemoteOptions(command);
  const { concurrency, payAgain = false } = options;
  return runBulk({ ...common, concurrency, payAgain }, terminal);
};

const makeRemotely = async (
  common: Common,
  { design, onError = 'skip' }: Options,
  command: Command,
  terminal: Terminal,
): Promise<Summary> => {
  refuseLocalOptions(command);
  const path = design === undefined ? null : resolve(terminal.cwd, design);
  return runRemote({ ...common, design: await designOf(path, common.files.print), onError }, terminal);
};

const withPrintOptions = (command: Command): Command =>
  command
    .option('--module-mm <mm>', 'size in print: side of a module, 0.1 to 50')
    .option('--width-mm <mm>', 'size in print: side of the picture without its bleed')
    .option('--dpi <dpi>', 'resolution of PNG and WebP in print, 72 to 2400; default: 300')
    .option('--quiet-zone <modules>', 'quiet zone in print, 0 to 20; default: 4')
    .option('--bleed-mm <mm>', 'background beyond each side, 0 to 20')
    .option('--color <color>', 'colours of PDF and EPS: rgb or cmyk; black is K alone in both; default: rgb')
    .option('--paper <color>', 'what translucent parts of an EPS lie on; default: white');

/** Adds `bulk`. */
export const addBulkCommand = (program: Command, terminal: Terminal): void => {
  withColumns(withPrintOptions(program.command('bulk <file>')))
    .description('make a code of each row of a CSV, XLSX or NDJSON file')
    .requiredOption(
      '--out <folder>',
      'required: folder for the pictures and the manifest: new, empty, or that of an earlier run to continue',
    )
    .option('--key <key>', 'API key with the scope generate, of a Pro account (TESSERA_KEY)')
    .option('--url <url>', 'address of the gateway (TESSERA_URL; http://127.0.0.1:3000)')
    .option('--folder <name>', 'folder in the account for the codes; default: "Bulk Import" and the day')
    .option('--concurrency <calls>', 'how many calls of 100 rows are sent at once', concurrency, 4)
    .option(
      '--min-grade <grade>',
      'do not make, and do not pay, pictures of a lower grade (0 to 4)',
      minGrade,
      0,
    )
    .option('--repair', 'change designs as little as gives the least grade; without --min-grade, 4')
    .option('--preset <preset>', 'preset of the account by id or name, or default; what a row says wins')
    .addOption(
      new Option('--input-format <format>', 'format of the file; default: by its extension').choices([
        'csv',
        'ndjson',
        'xlsx',
      ]),
    )
    .addOption(
      new Option('--format <formats>', 'what is made of each row: png,svg,pdf,eps,webp')
        .argParser(toFormats)
        .default(['png'], 'png'),
    )
    .option(
      '--pay-again',
      'send calls again that were under way more than 23 hours ago; they may be paid twice',
    )
    .option(
      '--remote',
      'upload the file and let the gateway make a batch of it, which goes on without this command',
    )
    .option('--design <file>', 'with --remote: JSON with the options of a design for all rows')
    .addOption(
      new Option('--on-error <do>', 'with --remote: whether a row that fails ends the batch').choices([
        'skip',
        'stop',
      ]),
    )
    .option('--json', 'print a summary as JSON, for scripts')
    .addHelpText('after', HELP)
    .action(async (file: string, options: Options, command: Command) => {
      const key = keyOf(options, terminal);
      const common = {
        source: sourceOf(resolve(terminal.cwd, file), options.inputFormat, {
          mapping: options.column ?? {},
          others: options.otherColumns === 'skip' ? 'skipped' : 'refused',
        }),
        out: resolve(terminal.cwd, options.out),
        url: baseUrl(options, terminal),
        key,
        folderName: options.folder ?? null,
        files: readAsked(options.format, { ...options }),
        minGrade: options.minGrade,
        repair: options.repair ?? false,
        preset: options.preset ?? null,
      };
      const summary = options.remote
        ? await makeRemotely(common, options, command, terminal)
        : await makeHere(common, options, command, terminal);
      terminal.out.write(options.json ? toJson(summary) : toText(summary));
      conclude(summary);
    });
};
