/**
 * Works on verifications in turns, one at a time in each gateway: the one that has waited longest gets a few seconds.
 * What is read is saved in pages, so a gateway that is killed loses one page, and another continues.
 */
import { randomUUID } from 'node:crypto';
import { messageOf } from '../../workers/symbol/gs1.ts';
import { type DrawnPicture, drawPictures } from '../archive/files.ts';
import type { Database } from '../db/database.ts';
import { countFilling } from '../db/tables/batches/batches.ts';
import { listChosen } from '../db/tables/codes/chosen.ts';
import { listCodes, type StoredCode } from '../db/tables/codes/codes.ts';
import {
  endTurn,
  finishVerification,
  renewTurn,
  savePage,
  type Turn,
  takeTurn,
} from '../db/tables/verification-turns.ts';
import { eachPage, type Results } from '../db/tables/verifications.ts';
import { createRounds, LEASE_MS, runWhileRenewed } from '../execution/rounds.ts';
import type { Redraw } from '../generate/redraw.ts';
import type { Log } from '../log.ts';
import type { Readers } from '../reading/readers.ts';
import { judge, judgeMissing } from './judge.ts';
import { type Signer, toCanonicalJson } from './receipt/jws.ts';
import { createTotals, type Entry, entryLine, type Software, writeStatement } from './receipt/statement.ts';

/** What reading saved codes needs. */
interface ReadingParts {
  readonly redraw: Redraw;
  readonly readers: Pick<Readers, 'read'>;
  /** Pays for reading, as `redraw` does for drawing, which waits until there is enough. */
  readonly freeWork: { spend(accountId: string, ms: number): void };
  /** The address of a short link. */
  shortUrl(slug: string, place: string | null): string;
}

/** Pictures that are in memory together: at most about 30 MB. */
const DRAWN_TOGETHER = 16;

/** Returns what readers must read in the symbol of a code. @param shortUrl The address of a short link. */
export const heldText = (
  { slug, place, content, design }: StoredCode,
  shortUrl: ReadingParts['shortUrl'],
): string => {
  // What readers read of an element string has no brackets.
  const said = design.symbol.gs1 === 'element-string' ? messageOf(content) : content;
  return slug === null ? said : shortUrl(slug, place);
};

const readOne = async (
  { readers, freeWork, shortUrl }: ReadingParts,
  accountId: string,
  code: StoredCode,
  picture: DrawnPicture,
): Promise<Entry> => {
  const known = { id: code.id, ...(code.name === null ? {} : { name: code.name }) };
  const expected = heldText(code, shortUrl);
  if (!picture.ok) {
    return { ...known, sha256: null, grade: null, ...judgeMissing(expected, 'it can no longer be drawn') };
  }
  const { bytes, grade, warnings } = picture.value;
  const reading = await readers.read(bytes, (ms) => freeWork.spend(accountId, ms));
  const { sha256 } = reading;
  return { ...known, sha256, grade, ...(warnings === '' ? {} : { warnings }), ...judge(reading, [expected]) };
};

const countOf = (entries: readonly Entry[]): Results => {
  const count = (result: Entry['result']) => entries.filter((entry) => entry.result === result).length;
  return { passed: count('passed'), weak: count('weak'), failed: count('failed'), missing: count('missing') };
};

/**
 * Draws the pictures of codes as the archive has them, and reads them. Returns their lines in the receipt, without the
 * last line end.
 *
 * @throws When nothing can be drawn at the moment.
 */
const readCodes = async (
  parts: ReadingParts,
  accountId: string,
  codes: readonly StoredCode[],
): Promise<{ readonly entries: string; readonly results: Results }> => {
  const entries: Entry[] = [];
  for (let at = 0; at < codes.length; at += DRAWN_TOGETHER) {
    const together = codes.slice(at, at + DRAWN_TOGETHER);
    const pictures = await drawPictures(parts.redraw, accountId, together);
    // Reading waits for drawing, so that what waits to be drawn meanwhile is other work.
    entries.push(
      ...(await Promise.all(together.map((code, i) => readOne(parts, accountId, code, pictures[i]!)))),
    );
  }
  return { entries: entries.map(entryLine).join('\n'), results: countOf(entries) };
};

/** What the work needs. */
interface VerifierParts extends ReadingParts {
  readonly sql: Database['sql'];
  readonly signer: Signer;
  readonly software: Software;
  /** The address of the installation; '' while it is unknown. */
  installation(): string;
  /** Whether this gateway takes verifications; otherwise others do. */
  readonly works: boolean;
  readonly log: Pick<Log, 'warn'>;
}

const PAGE_CODES = 64;
const TURN_MS = 3000;
const CLOSE_MS = 2000;
const PAUSE_AFTER_FAILURE_MS = 15_000;
/** Failures in a row: with the pauses, at least five minutes in which nothing could be drawn. */
const FRUITLESS_MAX = 20;

const finish = async ({ sql, signer, installation, software }: VerifierParts, turn: Turn): Promise<void> => {
  const totals = createTotals();
  for await (const page of eachPage(sql, turn.id)) {
    for (const line of page === '' ? [] : page.split('\n')) totals.add(line);
  }
  const { id, accountId, folder, createdAt } = turn;
  const unfinishedBatches =
    folder === null ? 0 : await countFilling(sql, accountId, { folderId: folder.id, since: createdAt });
  const { summary, sha256 } = totals.end();
  const subject = {
    id,
    installation: installation(),
    folder,
    begunAt: createdAt,
    software,
    unfinishedBatches,
  };
  const statement = writeStatement(subject, new Date(), { summary, sha256 });
  const signed = { statement, jws: signer.sign(statement) };
  await finishVerification(sql, turn, signed, { ...summary.duplicates, unfinishedBatches });
};

/** Returns the next codes of a turn. Codes in the bin are left out. */
const listNext = async (sql: Database['sql'], { accountId, folder, codeIds, after }: Turn) => {
  const page = { after, limit: PAGE_CODES };
  return folder === null
    ? listChosen(sql, accountId, codeIds ?? [], page)
    : listCodes(sql, accountId, folder.id, page);
};

/** Adds counts to counts. */
const addTo = (sums: { -readonly [Result in keyof Results]: number }, counts: Results): void => {
  for (const result of ['passed', 'weak', 'failed', 'missing'] as const) sums[result] += counts[result];
};

/** Starts the work. It ends with `close`. */
export const startVerifier = (parts: VerifierParts) => {
  const { sql, log } = parts;
  const options = {
    leaseHolder: randomUUID(),
    leaseMs: LEASE_MS,
    software: toCanonicalJson(parts.software),
    fruitlessMax: FRUITLESS_MAX,
  };
  const rounds = createRounds('verifications', log);
  const pictures = { passed: 0, weak: 0, failed: 0, missing: 0 };
  let failedPages = 0;

  /** Returns the turn after a page; `null` when there is nothing left to do in it. */
  const readPage = async (turn: Turn): Promise<Turn | null> => {
    const { rows, next } = await listNext(sql, turn);
    const last = rows.at(-1);
    const page = last && { ...(await readCodes(parts, turn.accountId, rows)), last };
    const saved = page && (await savePage(sql, turn, page));
    if (saved === null) return null;
    if (page !== undefined) addTo(pictures, page.results);
    if (next !== null && saved !== undefined) return saved;
    await finish(parts, saved ?? turn);
    return null;
  };

  const work = async (turn: Turn): Promise<void> => {
    const endMs = Date.now() + TURN_MS;
    let present: Turn | null = turn;
    while (present !== null && Date.now() < endMs && !rounds.isEnding()) present = await readPage(present);
    if (present !== null) await endTurn(sql, present);
  };

  const takeOne = async (): Promise<boolean> => {
    // Before the gateway listens, it may not know the address that its short links begin with.
    const turn = parts.installation() === '' ? null : await takeTurn(sql, options);
    if (turn === null) return false;
    try {
      await runWhileRenewed(
        () => renewTurn(sql, turn, LEASE_MS),
        () => work(turn),
      );
    } catch (err) {
      const isEnding = rounds.isEnding();
      if (!isEnding) failedPages += 1;
      if (!isEnding) log.warn({ err, verification: turn.id }, 'page of codes could not be read; will retry');
      await endTurn(sql, turn, isEnding ? 0 : PAUSE_AFTER_FAILURE_MS);
    }
    return true;
  };
  if (parts.works) rounds.work('no verification could be taken from the database; will retry', takeOne);

  return {
    wake: rounds.wake,
    /** Pictures of saved pages by their results, and pages that failed, since the start. */
    stats: (): { readonly pictures: Results; readonly failedPages: number } => ({
      pictures: { ...pictures },
      failedPages,
    }),
    /**
     * Releases a running turn, so that another gateway continues. One that waits for a render thread is abandoned after
     * two seconds; another gateway takes over when its lease expires.
     */
    close: (): Promise<void> => rounds.end(CLOSE_MS),
  };
};

/** The work on verifications, running. */
export type Verifier = ReturnType<typeof startVerifier>;
