import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { checkReceipt, type Receipt } from '../../verify/receipt/document.ts';
import type { PublicKey } from '../../verify/receipt/jws.ts';
import { toBaseUrl } from '../api.ts';
import { failed, misused } from '../fault.ts';
import { fields } from '../table.ts';
import { count, printable, type Terminal } from '../terminal.ts';
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
has exactly the pictures of the receipt. The key comes from --key, or from --url; a receipt names its installation, but
whom you trust is for you to say. Exit codes: 0 all is as signed, 1 something is not, 2 the command was called wrongly.`;

const keysOf = (options: Options, terminal: Terminal): Promise<readonly PublicKey[]> => {
  if (options.key !== undefined) return keysOfFile(resolve(terminal.cwd, options.key));
  const url = options.url ?? terminal.env.TESSERA_URL;
  if (!url) throw misused('no key: give --key with a file, or --url with the address of the installation');
  return keysOfInstallation(toBaseUrl(url));
};

const readReceipt = async (path: string, keys: readonly PublicKey[]): Promise<Receipt> => {
  if ((await stat(path)).size > MAX_RECEIPT_BYTES) throw failed('the file is too large for a receipt');
  const checked = checkReceipt(await readFile(path, 'utf8'), keys);
  if (!checked.ok) throw failed(`this receipt does not hold: ${checked.fault}`);
  return checked.value;
};

const toText = ({ statement }: Receipt, compared: Compared | null): string => {
  const { id, installation, folder, finished_at, summary } = statement;
  const { codes, passed, weak, failed: failures, missing } = summary;
  const lines = [
    'The receipt is genuine.',
    fields([
      ['receipt', id],
      ['installation', installation],
      ['folder', folder.name],
      ['finished', finished_at],
      ['codes', codes],
      ['passed', passed],
      ['weak', weak],
      ['failed', failures],
      ['missing', missing],
    ]).trimEnd(),
  ];
  if (compared !== null) lines.push(`${count(compared.pictures)} pictures compared.`);
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
  const receipt = await readReceipt(resolve(terminal.cwd, file), keys);
  const compared =
    folder === undefined ? null : await comparePictures(resolve(terminal.cwd, folder), receipt.codes);
  const asJson = { genuine: true, statement: receipt.statement, compared };
  terminal.out.write(options.json ? `${JSON.stringify(asJson, null, 2)}\n` : toText(receipt, compared));
  if (compared === null || compared.unknown.length + compared.absent === 0) return;
  throw failed(
    `${count(compared.unknown.length)} pictures are not those of the receipt, and ${count(compared.absent)} of the receipt are not there`,
  );
};

/** Adds `receipt verify`. */
export const addReceiptCommands = (program: Command, terminal: Terminal): void => {
  program
    .command('receipt')
    .description('check receipts')
    .command('verify <receipt> [folder]')
    .description('check the signature of a receipt, and the pictures of a folder against it')
    .option('--key <file>', 'public key of the installation: a JWK set, a JWK or PEM')
    .option('--url <url>', 'address of the installation, to fetch its key from (TESSERA_URL)')
    .option('--json', 'print what was found as JSON, for scripts')
    .addHelpText('after', HELP)
    .action((file: string, folder: string | undefined, options: Options) =>
      verify(terminal, options, file, folder),
    );
};
