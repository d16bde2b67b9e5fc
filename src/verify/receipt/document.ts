/** Receipts as JSON: the statement, its signature, and the codes, one a line. */
import { createHash } from 'node:crypto';
import { ok, type Result, refused } from '../../result.ts';
import { type PublicKey, toCanonicalJson, verifyJws } from './jws.ts';
import type { Entry, Statement } from './statement.ts';

/** A receipt that is genuine: the key signed what it says. */
export interface Receipt {
  readonly statement: Statement;
  readonly codes: readonly Entry[];
}

/**
 * Writes a receipt.
 *
 * @param pages The codes, one canonical line each, in pieces of whole lines without the last line end.
 */
export async function* writeReceipt(
  { statement, jws }: { readonly statement: string; readonly jws: string },
  pages: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  yield `{\n"statement": ${statement},\n"jws": "${jws}",\n"codes": [`;
  let between = '\n';
  for await (const page of pages) {
    if (page === '') continue;
    yield between + page.replaceAll('\n', ',\n');
    between = ',\n';
  }
  yield '\n]\n}\n';
}

const parse = (text: string): { readonly [key: string]: unknown } => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

const linesOf = (codes: readonly unknown[]): readonly string[] | null => {
  try {
    return codes.map(toCanonicalJson);
  } catch {
    // Nested too deep for any receipt of ours.
    return null;
  }
};

/** The statement of a batch's report, as far as it is shown; `src/batches/report.ts` writes it. */
export interface ReportStatement {
  readonly batch: string;
  readonly installation: string;
  readonly state: string;
  readonly finished_at: string;
  readonly counts: Readonly<Record<'rows' | 'made' | 'failed' | 'duplicates', number>>;
  readonly parts: readonly { readonly n: number; readonly bytes: number; readonly sha256: string }[];
}

/** Whether a text is a batch's report rather than a receipt. Does not check it. */
export const isReport = (text: string): boolean => {
  const { codes, statement } = parse(text);
  return codes === undefined && Object(statement).batch !== undefined;
};

/** Reads the report of a batch and checks it like `checkReceipt`. */
export const checkReport = (text: string, keys: readonly PublicKey[]): Result<ReportStatement, string> => {
  const { jws, statement } = parse(text);
  if (typeof jws !== 'string') return refused('it is not a report');
  const payload = verifyJws(jws, keys);
  if (!payload.ok) return payload;
  if (linesOf([statement])?.[0] !== payload.value)
    return refused('its statement is not the one that was signed');
  return ok(parse(payload.value) as unknown as ReportStatement);
};

/**
 * Reads a receipt and checks that one of the keys signed it and that nothing in it was changed since. White space and
 * the order of fields may differ. Returns what is wrong, if anything.
 */
export const checkReceipt = (text: string, keys: readonly PublicKey[]): Result<Receipt, string> => {
  const { jws, codes, statement: shown } = parse(text);
  if (typeof jws !== 'string' || !Array.isArray(codes)) return refused('it is not a receipt');
  const payload = verifyJws(jws, keys);
  if (!payload.ok) return payload;
  const lines = linesOf([...codes, shown]);
  if (lines === null || lines.at(-1) !== payload.value) {
    return refused('its statement is not the one that was signed');
  }
  const hash = createHash('sha256');
  for (const line of lines.slice(0, -1)) hash.update(line).update('\n');
  const statement = parse(payload.value) as unknown as Statement;
  if (hash.digest('hex') !== statement.codes_sha256)
    return refused('its codes are not those that were signed');
  return ok({ statement, codes: codes as readonly Entry[] });
};
