import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { counted } from '../../counted.ts';
import {
  checkReceipt,
  checkReport,
  isReport,
  type Receipt,
  type ReportStatement,
} from '../../verify/receipt/document.ts';
import type { PublicKey } from '../../verify/receipt/jws.ts';
import { toBaseUrl } from '../api.ts';
import { failed, misused } from '../fault.ts';
import { fields } from '../table.ts';
import { printable, type Terminal } from '../terminal.ts';
import { keysOfFile, keysOfInstallation } from '../verify/keys.ts';
import { type Compared, comparePictures } from '../verify/pictures.ts';

interface Options {
  readonly key?: string;
  readonly url?: string;
  readonly json?: true;
}

/** The receipt of a hundred thousand codes has about 60 MB. */
const MAX_RECEIPT_BYTES = 256 * 1024 * 1024;
const SHOWN = 20;

const HELP = `
Checks that the installation signed the receipt and that nothing in it was changed. With a folder, also that the folder
has exactly the pictures of the receipt. The report of a batch is checked in the same way, without a folder. The key
comes from --key, or from --url; a receipt names its installation, but whom you trust is for you to say.

Exit codes: 0 all is as signed, 1 something is not, 2 the command was called wrongly.`;

const keysOf = (options: Options, terminal: Terminal): Promise<readonly PublicKey[]> => {
  if (options.key !== undefined) return keysOfFile(resolve(terminal.cwd, options.key));
  const url = options.url ?? terminal.env.TESSERA_URL;
  if (!url) throw misused('no key: give --key with a file, or --url with the address of the installation');
  return keysOfInstallation(toBaseUrl(url));
};

const readText = async (path: string): Promise<string> => {
  if ((await stat(path)).size > MAX_RECEIPT_BYTES) throw failed('the file is too large for a receipt');
  return readFile(path, 'utf8');
};

const toReceipt = (text: string, keys: readonly PublicKey[]): Receipt => {
  const checked = checkReceipt(text, keys);
  if (!checked.ok) throw failed(`this receipt does not hold: ${checked.fault}`);
  return checked.value;
};

const reportToText = ({
  batch,
  installation,
  state,
  finished_at,
  counts,
  parts,
}: ReportStatement): string => {
  const lines = [
    'The report is genuine.',
    fields([
      ['batch', batch],
      ['installation', installation],
      ['state', state],
      ['finished', finished_at],
      ['rows', counts.rows],
      ['made', counts.made],
      ['failed', counts.failed],
    ]).trimEnd(),
    ...parts.map(({ n, sha256 }) => `part ${n}: SHA-256 ${sha256}`),
  ];
  return `${lines.join('\n')}\n`;
};

const verifyReport = (
  { out }: Terminal,
  { json }: Options,
  text: string,
  keys: readonly PublicKey[],
): void => {
  const checked = checkReport(text, keys);
  if (!checked.ok) throw failed(`this report does not hold: ${checked.fault}`);
  const statement = checked.value;
  out.write(json ? `${JSON.stringify({ genuine: true, statement }, null, 2)}\n` : reportToText(statement));
};

const toText = ({ statement }: Receipt, compared: Compared | null): string => {
  const { id, installation, folder, finished_at, summary } = statement;
  const { codes, passed, weak, failed: failures, missing } = summary;
  const lines = [
    'The receipt is genuine.',
    fields([
      ['receipt', id],
      ['installation', installation],
      ['folder', folder?.name ?? '– (chosen codes)'],
      ['finished', finished_at],
      ['codes', codes],
      ['passed', passed],
      ['weak', weak],
      ['failed', failures],
      ['missing', missing],
    ]).trimEnd(),
  ];
  if (compared !== null) lines.push(`${counted(compared.pictures, 'picture')} compared.`);
  for (const name of compared?.unknown.slice(0, SHOWN) ?? []) {
    lines.push(`  ${printable(name)}: changed, or not of this receipt`);
  }
  return `${lines.join('\n')}\n`;
};

const verify = async (
  terminal: Terminal,
  options: Options,
  file: string,
  folder: string | undefined,
): Promise<void> => {
  const keys = await keysOf(options, terminal);
  const text = await readText(resolve(terminal.cwd, file));
  if (isReport(text)) {
    if (folder !== undefined)
      throw misused('the report of a batch names its parts, not their pictures; leave the folder out');
    return verifyReport(terminal, options, text, keys);
  }
  const receipt = toReceipt(text, keys);
  const compared =
    folder === undefined ? null : await comparePictures(resolve(terminal.cwd, folder), receipt.codes);
  const asJson = { genuine: true, statement: receipt.statement, compared };
  terminal.out.write(options.json ? `${JSON.stringify(asJson, null, 2)}\n` : toText(receipt, compared));
  if (compared === null || compared.unknown.length + compared.absent === 0) return;
  throw failed(
    `${counted(compared.unknown.length, 'picture is', 'pictures are')} not of the receipt, and ${counted(compared.absent, 'picture')} of the receipt ${compared.absent === 1 ? 'is' : 'are'} not there`,
  );
};

/** Adds `receipt verify`. */
export const addReceiptCommands = (program: Command, terminal: Terminal): void => {
  program
    .command('receipt')
    .description('check receipts')
    .command('verify <receipt> [folder]')
    .description(
      'check the signature of a receipt or of a report, and the pictures of a folder against a receipt',
    )
    .option('--key <file>', 'public key of the installation: a JWK set, a JWK or PEM')
    .option('--url <url>', 'address of the installation, to fetch its key from (TESSERA_URL)')
    .option('--json', 'print what was found as JSON, for scripts')
    .addHelpText('after', HELP)
    .action((file: string, folder: string | undefined, options: Options) =>
      verify(terminal, options, file, folder),
    );
};
