import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { namesOf, SYMBOLOGIES } from '../../../workers/lists.ts';
import { print } from '../admin.ts';
import { type KeyOptions, mediaTypeOf, openApi, withKeyOptions } from '../options.ts';
import type { Terminal } from '../terminal.ts';

interface Options extends KeyOptions {
  readonly out: string;
  readonly symbology: string;
  readonly moduleMm?: string;
  readonly widthMm?: string;
  readonly dpi?: string;
  readonly round?: string;
  readonly quietZone?: string;
  readonly text?: string;
  readonly till?: true;
  readonly once?: string;
}

/** Returns the numbers of a header such as `width=10, height=12`. */
const toNumbers = (header: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    header.split(', ').map((part) => {
      const [name, value] = part.split('=');
      return [name!, Number(value)];
    }),
  );

const make = async (data: string, options: Options, terminal: Terminal): Promise<void> => {
  const { out, symbology, moduleMm, widthMm, dpi, round, quietZone, text, till, once } = options;
  const response = await openApi(options, terminal).open('POST /api/v1/barcodes/file', {
    body: { symbology, data },
    query: { module_mm: moduleMm, width_mm: widthMm, dpi, round, quiet_zone: quietZone, text, till },
    headers: { accept: mediaTypeOf(out), 'idempotency-key': once },
  });
  const file = resolve(terminal.cwd, out);
  await writeFile(file, new Uint8Array(await response.arrayBuffer()));
  const sizeMm = toNumbers(response.headers.get('tessera-size-mm')!);
  const { width, height, module } = sizeMm;
  const said = `${out}: ${width} by ${height} mm, modules of ${module} mm\n`;
  print(terminal, options, { file, size_mm: sizeMm }, said);
};

export const addBarcodeCommand = (program: Command, terminal: Terminal): void => {
  withKeyOptions(program.command('barcode <data>'), 'generate')
    .description('make a GS1 DataMatrix, EAN-13 or UPC-A of GS1 data, for one unit')
    .requiredOption('--out <file>', 'the file to write: .png, .svg, .pdf, .eps or .webp')
    .addOption(
      new Option('--symbology <name>', 'what is drawn')
        .choices(namesOf(SYMBOLOGIES))
        .default('gs1-datamatrix'),
    )
    .option('--module-mm <mm>', 'side of a module, 0.1 to 50; default: near what GS1 advises')
    .option('--width-mm <mm>', 'width with the quiet zones')
    .option('--dpi <dpi>', 'resolution of PNG and WebP, 72 to 2400; default: 300')
    .option('--round <how>', 'down: the largest size of whole dots within the asked one; default: none')
    .option('--quiet-zone <modules>', 'quiet zone on each side; default: what the symbology needs')
    .option('--text <text>', 'text below: none, or gs1 for the data or the digits; default: none')
    .option('--till', 'refuse sizes and data that tills may not read')
    .option('--once <key>', 'Idempotency-Key: the same command is paid once in 24 hours')
    .action((data: string, options: Options) => make(data, options, terminal));
};
