import type { Command } from 'commander';
import { keyOf, print, readBaseUrl } from '../../admin.ts';
import { createPatientCall, explained } from '../../api.ts';
import { type KeyOptions, withKeyOptions } from '../../options.ts';
import type { ScanReport } from '../../scan-check.ts';
import { commandError, createStatus, formatCount, type Terminal, toPrintable } from '../../terminal.ts';

const SHOWN = 20;

const HELP = `
The files are scanned sheets or photos in PNG, JPEG or WebP, each of at most 24 MiB and 25 million pixels: scan at 300
dpi. Codes that hold the same text can be told apart within one picture only. --json lists up to 1,000 unread codes.

Exit codes: 0 every code of the folder was read and every symbol can be decoded, 1 something is unread or wrong or a
picture cannot be read, 2 usage error.`;

type Odd = ScanReport['wrong'][number];

/** Where a symbol is, for people: the middle of it in pixels. */
const placeOf = ({ file, corners }: Odd): string => {
  const [x, y] = [0, 1].map((axis) => Math.round(corners.reduce((sum, at) => sum + at[axis]!, 0) / 4));
  return `${file} at ${x}, ${y}`;
};

const nameOf = ({
  id,
  name,
  external_id,
}: {
  readonly id: string;
  readonly name: string | null;
  readonly external_id: string | null;
}): string => [id, external_id, name].filter((text) => text !== null).join(', ');

/** Lists the first lines under a heading, and says how many more there are. */
const section = (heading: string, count: number, lines: readonly string[]): readonly string[] => {
  if (count === 0) return [];
  const shown = lines.slice(0, SHOWN).map((line) => `  ${toPrintable(line)}`);
  const more = count - shown.length;
  return [`${heading}:`, ...shown, ...(more > 0 ? [`  … and ${formatCount(more)} more; see --json`] : [])];
};

const toText = ({ codes, read, unread, unread_codes, repeated, wrong, foreign }: ScanReport): string => {
  const counts = [
    `${formatCount(read)} of ${formatCount(codes)} codes read`,
    `${formatCount(unread)} unread`,
    ...[
      [repeated.length, 'repeated'] as const,
      [wrong.length, 'wrong'] as const,
      [foreign.length, 'foreign'] as const,
    ].map(([count, what]) => `${formatCount(count)} ${what}`),
  ];
  const lines = [
    `${counts.join(', ')}.`,
    ...section(
      'Unread',
      unread,
      unread_codes.map((code) => `${nameOf(code)}: ${code.content}`),
    ),
    ...section('Wrong, because they cannot be decoded', wrong.length, wrong.map(placeOf)),
    ...section(
      'Foreign, because no code of the folder holds their text',
      foreign.length,
      foreign.map((symbol) => `${placeOf(symbol)}: ${symbol.content}`),
    ),
    ...section(
      'Repeated',
      repeated.length,
      repeated.map((symbol) => `${placeOf(symbol)}: ${nameOf(symbol.code!)}`),
    ),
  ];
  return `${lines.join('\n')}\n`;
};

export const addScanCheckCommand = (program: Command, terminal: Terminal): void => {
  withKeyOptions(program.command('scan-check <folder-id> <files...>'), 'manage')
    .description('read scanned sheets or photos, and compare them with the codes of a folder')
    .addHelpText('after', HELP)
    .action(async (folder: string, files: readonly string[], options: KeyOptions) => {
      const { checkScans } = await import('../../scan-check.ts');
      const url = readBaseUrl(options, terminal);
      const { signal } = new AbortController();
      const call = createPatientCall(url, keyOf(options, terminal), signal, terminal.err);
      const status = createStatus(terminal.err, performance.now());
      const pictures = { files, cwd: terminal.cwd };
      const show = (done: number): void =>
        status.show(`${formatCount(done)} of ${formatCount(files.length)} pictures read`);
      const report = await checkScans(call, folder, pictures, show).catch((error: unknown) => {
        throw explained(url, error);
      });
      status.end();
      print(terminal, options, report, toText(report));
      const { unread, wrong } = report;
      if (unread + wrong.length > 0)
        throw commandError(`${formatCount(unread)} unread, ${formatCount(wrong.length)} wrong`);
    });
};
