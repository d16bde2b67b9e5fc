/** The commands that change, import and export many short links. */
import { extname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { LINK_SOURCES } from '../../../link-imports/sources.ts';
import { writeWhole } from '../../files.ts';
import { LINE_FORMATS, type LineFormat, lineFormatOf } from '../../links/row-file.ts';
import { type SendOptions, sendFile, withSendOptions } from '../../links/send.ts';
import { type KeyOptions, withKey } from '../../options.ts';
import { printFile, receiveFile } from '../../receive.ts';
import { type Terminal, toPrintable, usageError } from '../../terminal.ts';

interface ChangeOptions extends SendOptions {
  readonly otherColumns?: 'refuse' | 'skip';
}

interface ImportOptions extends SendOptions {
  readonly from?: string;
  readonly domain?: string;
  readonly folder?: string;
  readonly dropped?: 'refuse' | 'accept';
}

interface ExportOptions extends KeyOptions {
  readonly format?: LineFormat;
  readonly passwords?: 'left_out' | 'hashed';
  readonly out?: string;
}

const CHANGE_HELP = `
The file is CSV with a header row, or NDJSON; gzip may have packed it. A row names its link by slug or external_id, and
has the fields that change, such as destination, active_until and tags. An empty cell leaves a field as it is, null
removes its value. Running the command again changes nothing twice. Exit codes: 0 all rows are in order, 1 a row has a
fault or the job failed, 2 usage error.`;

const IMPORT_HELP = `
The file is CSV with a header row, or NDJSON with a link or a page of links on each line; gzip may have packed it. A
link that you have already is left as it is, so run the command again after an interruption: nothing is made twice.
Exit codes: 0 all rows are in order, 1 a row has a fault or the import failed, 2 usage error.`;

const addChange = (links: Command, terminal: Terminal): void => {
  withSendOptions(links.command('change <file>'))
    .description(
      'change many short links, each to its own, from a CSV or NDJSON file; - reads standard input',
    )
    .addOption(
      new Option(
        '--other-columns <do>',
        'what to do with columns that are not fields; default: refuse',
      ).choices(['refuse', 'skip']),
    )
    .addHelpText('after', CHANGE_HELP)
    .action((file: string, options: ChangeOptions) => {
      const { column, otherColumns: other_columns, inputFormat } = options;
      const isTable = lineFormatOf(file, inputFormat) === 'csv';
      if (!isTable && (column !== undefined || other_columns !== undefined))
        throw usageError('--column and --other-columns are for CSV; rows of NDJSON name their fields');
      return sendFile({ file, path: '/api/v1/link-jobs', query: { other_columns } }, options, terminal);
    });
};

const addImport = (links: Command, terminal: Terminal): void => {
  withSendOptions(links.command('import <file>'))
    .description('make short links that were elsewhere, from a CSV or NDJSON file; - reads standard input')
    .addOption(
      new Option(
        '--from <service>',
        'where the file comes from; default: tessera, or a table of your own',
      ).choices(LINK_SOURCES),
    )
    .option('--domain <host>', 'host of all links, whatever the rows say')
    .option('--folder <name>', 'folder of links whose rows name none; default: "Imported links" and the date')
    .addOption(
      new Option(
        '--dropped <do>',
        'what to do about what a link cannot keep, such as a password; default: refuse',
      ).choices(['refuse', 'accept']),
    )
    .addHelpText('after', IMPORT_HELP)
    .action((file: string, options: ImportOptions) => {
      const { from: source, domain, folder: folder_name, dropped } = options;
      const query = { source, domain, folder_name, dropped };
      return sendFile({ file, path: '/api/v1/links/imports', query }, options, terminal);
    });
};

const addExport = (links: Command, terminal: Terminal): void => {
  withKey(links.command('export'), 'manage')
    .description('print all short links, or write them to a file, as links import reads them back')
    .addOption(
      new Option('--format <format>', 'output format; default: by the extension of --out, or ndjson').choices(
        LINE_FORMATS,
      ),
    )
    .addOption(
      new Option(
        '--passwords <how>',
        'what to write of passwords: nothing, or the hash, which an import takes; default: left_out',
      ).choices(['left_out', 'hashed']),
    )
    .option('--out <file>', 'file to write; it is there when all links are in it')
    .action(async (options: ExportOptions) => {
      const {
        out,
        passwords,
        format = out !== undefined && extname(out) === '.csv' ? 'csv' : 'ndjson',
      } = options;
      const [path, ask] = ['/api/v1/links/export', { query: { format, passwords } }];
      if (out === undefined) return printFile(path, ask, options, terminal);
      await writeWhole(resolve(terminal.cwd, out), receiveFile(path, ask, options, terminal));
      terminal.out.write(`${toPrintable(out)} has all links.\n`);
    });
};

/** Adds `links change`, `import` and `export`. */
export const addMovingCommands = (links: Command, terminal: Terminal): void => {
  addChange(links, terminal);
  addImport(links, terminal);
  addExport(links, terminal);
};
