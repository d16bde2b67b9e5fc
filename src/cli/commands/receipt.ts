/** Checks a receipt with the public keys of its installation, and the pictures of a folder with the receipt. */
import { createPublicKey } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Result } from '../../result.ts';
import { pluralise } from '../../texts.ts';
import {
  checkReceipt,
  checkReport,
  isReport,
  type Receipt,
  type ReportStatement,
} from '../../verify/receipt/document.ts';
import { type PublicKey, toPublicKey } from '../../verify/receipt/jws.ts';
import type { Entry } from '../../verify/receipt/statement.ts';
import { print } from '../admin.ts';
import { createApi, toBaseUrl } from '../api.ts';
import { hashOfFile } from '../files.ts';
import { commandError, formatThing, type Terminal, toPrintable, usageError } from '../terminal.ts';

const KEYS = '/.well-known/tessera-receipts';

const isOurs = (key: unknown): key is { readonly x: string } => {
  const { kty, crv, x } = Object(key);
  return kty === 'OKP' && crv === 'Ed25519' && typeof x === 'string' && /^[\w-]{43}$/.test(x);
};

/** Reads a JWK, a JWK set or a key in PEM. Returns no key for anything else. */
const parseKeys = (text: string): readonly PublicKey[] => {
  try {
    const given = text.includes('-----BEGIN')
      ? createPublicKey(text).export({ format: 'jwk' })
      : JSON.parse(text);
    const keys: readonly unknown[] = Array.isArray(given?.keys) ? given.keys : [given];
    return keys.filter(isOurs).map(({ x }) => toPublicKey(x));
  } catch {
    return [];
  }
};

/** Returns the keys of a file: a JWK set, a JWK, or PEM. @throws {CliFault} when it has none. */
const keysOfFile = async (path: string): Promise<readonly PublicKey[]> => {
  const keys = parseKeys(await readFile(path, 'utf8'));
  if (keys.length === 0)
    throw commandError(`${toPrintable(path)} has no Ed25519 public key, as JWK, JWK set or PEM`);
  return keys;
};

/** Returns the keys of an installation. @param url Without a trailing slash. @throws {CliFault} when it has none. */
const keysOfInstallation = async (url: string): Promise<readonly PublicKey[]> => {
  const response = await createApi(url, null).open(`GET ${KEYS}`);
  const keys = parseKeys(await response.text());
  if (keys.length === 0) throw commandError(`${url}${KEYS} publishes no key for receipts; check --url`);
  return keys;
};

/** How the pictures of a folder compare with those of a receipt. */
type Compared = Awaited<ReturnType<typeof comparePictures>>;

const pngsIn = async (folder: string, under: string): Promise<readonly string[]> =>
  (await readdir(join(folder, under)))
    .filter((name) => name.toLowerCase().endsWith('.png'))
    .map((name) => join(under, name));

/** Returns the PNG files directly in a folder and, where each format has a folder, those in its folder `png`. */
const findPngs = async (folder: string): Promise<readonly string[]> => {
  const below = await pngsIn(folder, 'png').catch(() => []);
  return [...(await pngsIn(folder, '')), ...below].sort();
};

/**
 * Compares the PNG files of a folder with the codes of a receipt by their SHA-256. Files of other formats are left out.
 */
const comparePictures = async (folder: string, codes: readonly Entry[]) => {
  const known = new Set(codes.flatMap(({ sha256 }) => sha256 ?? []));
  /** Pictures of the receipt that the folder does not have. */
  const absent = new Set(known);
  const names = await findPngs(folder);
  /** Names of pictures that the receipt does not have: changed, in another size, or of other codes. */
  const unknown: string[] = [];
  for (const name of names) {
    const sha256 = await hashOfFile(join(folder, name));
    if (!known.has(sha256)) unknown.push(name);
    absent.delete(sha256);
  }
  return { pictures: names.length, unknown, absent: absent.size };
};

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
comes from --key, or from --url; a receipt names its installation, but you decide whether to trust it.

Exit codes: 0 everything is as signed, 1 something is not, 2 usage error.`;

const keysOf = (options: Options, terminal: Terminal): Promise<readonly PublicKey[]> => {
  if (options.key !== undefined) return keysOfFile(resolve(terminal.cwd, options.key));
  const url = options.url ?? terminal.env.TESSERA_URL;
  if (!url) throw usageError('no key: give --key with a file, or --url with the address of the installation');
  return keysOfInstallation(toBaseUrl(url));
};

const readText = async (path: string): Promise<string> => {
  if ((await stat(path)).size > MAX_RECEIPT_BYTES) throw commandError('the file is too large for a receipt');
  return readFile(path, 'utf8');
};

const unwrap = <T>(what: string, checked: Result<T, string>): T => {
  if (!checked.ok) throw commandError(`this ${what} is not valid: ${checked.fault}`);
  return checked.value;
};

const reportToText = ({ counts, parts, ...statement }: ReportStatement): string => {
  const said = { ...statement, ...counts };
  const shown = formatThing(said, {
    batch: 'batch',
    installation: 'installation',
    state: 'state',
    finished: 'finished_at',
    rows: 'rows',
    made: 'made',
    failed: 'failed',
    duplicates: 'duplicates',
  });
  const lines = parts.map(({ n, sha256 }) => `part ${n}: SHA-256 ${sha256}\n`);
  return `The report is genuine.\n${shown}${lines.join('')}`;
};

const toText = ({ statement }: Receipt, compared: Compared | null): string => {
  const { folder, summary, ...rest } = statement;
  const { contents, codes } = summary.duplicates;
  const said = {
    ...rest,
    ...summary,
    receipt: rest.id,
    folder: folder?.name ?? '– (chosen codes)',
    duplicates: contents === 0 ? '0' : `${pluralise(contents, 'content')} in ${pluralise(codes, 'code')}`,
  };
  const shown = formatThing(said, {
    receipt: 'receipt',
    installation: 'installation',
    folder: 'folder',
    finished: 'finished_at',
    codes: 'codes',
    passed: 'passed',
    weak: 'weak',
    failed: 'failed',
    missing: 'missing',
    duplicates: 'duplicates',
    'unfinished batches': 'unfinished_batches',
  });
  const lines = compared === null ? [] : [`${pluralise(compared.pictures, 'picture')} compared.\n`];
  for (const name of compared?.unknown.slice(0, SHOWN) ?? [])
    lines.push(`  ${toPrintable(name)}: changed, or not of this receipt\n`);
  return `The receipt is genuine.\n${shown}${lines.join('')}`;
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
      throw usageError('the report of a batch names its parts, not their pictures; leave the folder out');
    const statement = unwrap('report', checkReport(text, keys));
    return print(terminal, options, { genuine: true, statement }, reportToText(statement));
  }
  const receipt = unwrap('receipt', checkReceipt(text, keys));
  const compared =
    folder === undefined ? null : await comparePictures(resolve(terminal.cwd, folder), receipt.codes);
  const { statement } = receipt;
  print(terminal, options, { genuine: true, statement, compared }, toText(receipt, compared));
  if (compared === null || compared.unknown.length + compared.absent === 0) return;
  throw commandError(
    `${pluralise(compared.unknown.length, 'picture is', 'pictures are')} not in the receipt, and ${pluralise(compared.absent, 'picture')} of the receipt ${compared.absent === 1 ? 'is' : 'are'} not there`,
  );
};

/** Adds `receipt verify`. */
export const addReceiptCommands = (program: Command, terminal: Terminal): void => {
  program
    .command('receipt')
    .description('check receipts')
    .command('verify <receipt> [folder]')
    .description(
      'check the signature of a receipt or a report, and compare the pictures of a folder with a receipt',
    )
    .option('--key <file>', 'public key of the installation, as a JWK set, a JWK or PEM')
    .option('--url <url>', 'address of the installation, to fetch its key from (TESSERA_URL)')
    .option('--json', 'print the result as JSON, for scripts')
    .addHelpText('after', HELP)
    .action((file: string, folder: string | undefined, options: Options) =>
      verify(terminal, options, file, folder),
    );
};
