/** What a receipt says: an entry for each code, and a statement about all of them, which is signed. */
import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { createFirstSeen, hashText } from '../../duplicates/first-seen.ts';
import { CONDITION_TEXTS, type Condition } from '../../reading/conditions.ts';
import { orNull, readStored } from '../../stored-json.ts';
import { Judgement, RESULTS } from '../judge.ts';
import { toCanonicalJson } from './jws.ts';

const Entry = Type.Object({
  ...Judgement.properties,
  id: Type.String(),
  /** What the code is called; absent when it has no name. */
  name: Type.Optional(Type.String()),
  /** SHA-256 of the picture, hexadecimal; `null` when there is none. */
  sha256: orNull(Type.String()),
  /** 0 to 4; `null` without a picture. */
  grade: orNull(Type.Integer()),
  /** In the syntax of `Tessera-Warnings`; absent at grade 4. */
  warnings: Type.Optional(Type.String()),
});
/** One code of a receipt. */
export type Entry = Readonly<Static<typeof Entry>>;

/** Versions of what drew and read the pictures, by name. */
export type Software = Readonly<Record<string, string>>;

/** What a receipt is about. */
export interface Subject {
  readonly id: string;
  /** The address of the installation. */
  readonly installation: string;
  /** `null`: about codes that were chosen. */
  readonly folder: { readonly id: string; readonly name: string } | null;
  readonly begunAt: Date;
  readonly software: Software;
  /** Batches that were adding codes to the folder meanwhile: some of their codes may not have been read. */
  readonly unfinishedBatches: number;
}

/** Codes by result and by grade. */
export type Summary = Readonly<Record<(typeof RESULTS)[number] | 'codes', number>> & {
  readonly grades: Readonly<Record<string, number>>;
  /** Texts that several codes have, and how many codes these are. */
  readonly duplicates: { readonly contents: number; readonly codes: number };
};

/** The signed part of a receipt, as its JSON has it. */
export interface Statement {
  readonly type: 'tessera-receipt';
  readonly id: string;
  readonly installation: string;
  readonly folder: Subject['folder'];
  readonly begun_at: string;
  readonly finished_at: string;
  readonly software: Software;
  readonly unfinished_batches: number;
  readonly conditions: Readonly<Record<Condition, string>>;
  readonly summary: Summary;
  /** SHA-256 over the canonical JSON of each code in order, each followed by a line feed. */
  readonly codes_sha256: string;
}

/** Returns an entry as a line of a receipt, without its end. */
export const entryLine = (entry: Entry): string => toCanonicalJson(entry);

/** Reads a line as `entryLine` wrote it. @throws {Error} When it is damaged. */
export const readEntry = (line: string): Entry => {
  const entry = readStored(Entry, line);
  if (entry === null) throw new Error('a stored line of a receipt is damaged');
  return entry;
};

/** Adds up the lines of a receipt. Takes some 25 MB of memory for a million of them. */
export const createTotals = () => {
  const hash = createHash('sha256');
  const counts = new Map<string, number>([['codes', 0], ...RESULTS.map((name) => [name, 0] as const)]);
  const grades = new Map<string, number>();
  const seen = createFirstSeen();
  const count = (map: Map<string, number>, name: string): void => {
    map.set(name, (map.get(name) ?? 0) + 1);
  };
  return {
    /** @param line As `entryLine` wrote it. */
    add(line: string): void {
      const { result, grade, text, expected } = readEntry(line);
      count(counts, 'codes');
      seen.look(hashText(expected ?? text ?? ''), counts.get('codes')!);
      count(counts, result);
      if (grade !== null) count(grades, String(grade));
      hash.update(line).update('\n');
    },
    /** Call it once, at the end. */
    end: (): { readonly summary: Summary; readonly sha256: string } => ({
      summary: {
        ...Object.fromEntries(counts),
        grades: Object.fromEntries(grades),
        duplicates: { ...seen.repeated },
      } as Summary,
      sha256: hash.digest('hex'),
    }),
  };
};

/** Returns the statement as canonical JSON: the bytes that are signed. */
export const writeStatement = (
  { id, installation, folder, begunAt, software, unfinishedBatches }: Subject,
  finishedAt: Date,
  { summary, sha256 }: ReturnType<ReturnType<typeof createTotals>['end']>,
): string =>
  toCanonicalJson({
    type: 'tessera-receipt',
    id,
    installation,
    folder,
    begun_at: begunAt.toISOString(),
    finished_at: finishedAt.toISOString(),
    software,
    unfinished_batches: unfinishedBatches,
    conditions: CONDITION_TEXTS,
    summary,
    codes_sha256: sha256,
  } satisfies Statement);
