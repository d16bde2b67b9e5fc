import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { pluralise } from '../../texts.ts';
import { createWholeNumberParser, print } from '../admin.ts';
import { commandError, formatCount, type Terminal, toPrintable } from '../terminal.ts';
import type { FolderReport } from '../verify-folder.ts';

interface Options {
  readonly threads: number;
  readonly json?: true;
}

const SHOWN = 20;
/** Pictures in memory for each thread. */
const AHEAD = 4;
const PROGRESS_EVERY = 100;

const HELP = `
The folder is one that tessera bulk wrote, or an unpacked archive: pictures and manifest.csv. Two independent readers
read each picture, sharp, blurred and small, and the result is compared with the manifest. SVG, PDF, EPS and barcodes
are compared but not read. No gateway is needed.

Exit codes: 0 every code reads or is only compared, 1 a code does not read, says something else or is missing,
2 usage error.`;

const toText = ({ results, unread, troubles }: FolderReport): string => {
  const { codes, passed, weak, compared } = results;
  const lines = [
    `${formatCount(passed)} of ${pluralise(codes, 'code')} passed, ${pluralise(weak, 'is', 'are')} weak.`,
  ];
  for (const [format, files] of Object.entries(unread)) {
    lines.push(
      files === 1
        ? `1 ${format.toUpperCase()} file is that of the manifest; it was not read.`
        : `${formatCount(files)} ${format.toUpperCase()} files are those of the manifest; they were not read.`,
    );
  }
  for (const { row, file_row: fileRow, file, what, result } of troubles.slice(0, SHOWN)) {
    const place = toPrintable(fileRow === null ? row : `${fileRow} of the file,`);
    lines.push(`  row ${place} ${toPrintable(file)}: ${result}: ${toPrintable(what)}`);
  }
  const more = codes - passed - compared - Math.min(SHOWN, troubles.length);
  if (more > 0) lines.push(`  … and ${formatCount(more)} more; see --json`);
  return `${lines.join('\n')}\n`;
};

export const addVerifyCommand = (program: Command, terminal: Terminal): void => {
  program
    .command('verify <folder>')
    .description('read the pictures of a local folder and compare them with its manifest')
    .option(
      '--threads <threads>',
      'number of reading threads',
      createWholeNumberParser('--threads', 1, 64),
      availableParallelism(),
    )
    .option('--json', 'print the result as JSON, for scripts')
    .addHelpText('after', HELP)
    .action(async (folder: string, options: Options) => {
      const [{ createReaders }, { verifyFolder }] = await Promise.all([
        import('../../reading/readers.ts'),
        import('../verify-folder.ts'),
      ]);
      const log = { error: (_: object, message: string) => terminal.err.write(`${message}\n`) };
      const readers = await createReaders({ threads: options.threads, share: () => options.threads }, log);
      const showProgress = (codes: number): void => {
        if (terminal.err.isTTY && codes % PROGRESS_EVERY === 0)
          terminal.err.write(`\r${formatCount(codes)} read `);
      };
      try {
        const path = resolve(terminal.cwd, folder);
        const report = await verifyFolder(readers, path, AHEAD * options.threads, showProgress);
        if (terminal.err.isTTY) terminal.err.write('\r');
        print(terminal, options, report, toText(report));
        const { failed: failures, missing } = report.results;
        if (failures + missing > 0) {
          throw commandError(
            `${pluralise(failures, 'code')} failed, ${pluralise(missing, 'is', 'are')} missing`,
          );
        }
      } finally {
        await readers.close();
      }
    });
};
