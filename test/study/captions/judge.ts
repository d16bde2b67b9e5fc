/** Draws codes with and without their words, reads both, and says what the words have changed. */
import type { LaidOut } from '../../../src/generate/file.ts';
import { contentValues } from '../../../src/generate/request/words.ts';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Grade, Logo, Rendered } from '../../../workers/protocol.ts';
import { type GrayPage, joinPdfs, textOf } from '../../support/pictures/print.ts';
import { drawPrinted, seenAt, webpOf } from '../../support/pictures/printed.ts';
import { readGrayTwice } from '../../support/pictures/readers.ts';
import { logoOf } from '../designs.ts';
import type { CaptionCase } from './cases.ts';
import { changedDots, foreignDots, type Place, placeOf, withoutWords } from './quiet-zone.ts';

/** The readers. */
export const READERS = ['zxing', 'zbar'] as const;
type Reader = (typeof READERS)[number];

/**
 * What a reader sees of a code. `missed`: not even the bare one. `moved`: only the bare one, since the picture is larger:
 * it also misses it with nothing around. `lost`: only the bare one, for its words. `gained`: only with words.
 */
export type Sight = 'read' | 'missed' | 'moved' | 'lost' | 'gained';

/** Codes below it are read by luck: a reader that finds one among other marks may miss it among more. */
const GRADE_LEAST = 2;

/** What became of a case. */
export interface Judgement {
  readonly number: number;
  readonly format: FileFormat;
  /** Of the bare code; `null`: nothing was drawn. */
  readonly grade: Grade | null;
  /** `undrawable`: not even the bare code. Else the parameter that refuses the words; `null`: they were drawn. */
  readonly refused: string | null;
  readonly sights: Readonly<Partial<Record<Reader, Sight>>>;
  /** What words may not do. */
  readonly faults: readonly string[];
}

/** A file as it is drawn and written. */
interface Made extends Rendered, LaidOut {
  readonly file: Uint8Array;
}

/** A case whose files are made. */
export interface MadeCase {
  readonly asked: CaptionCase;
  readonly bare: Made;
  readonly worded: Made;
}

const make = async (asked: CaptionCase, query: CaptionCase['bare'], logo: Logo | null) => {
  const { format, specimen, name } = asked;
  const { text, design } = specimen;
  const ofContent = contentValues(text);
  const textOf = (of: string) => (of === 'name' ? name : ofContent(of));
  const drawn = drawPrinted({ format, query, text, design, logo, textOf });
  if (!drawn.ok) return drawn;
  const { bytes } = drawn.value;
  const file = format === 'webp' ? await webpOf(bytes) : bytes;
  return { ok: true, value: { ...drawn.value, file } } as const;
};

/** Makes both files of a case, or says what refuses them. */
export const makeCase = async (asked: CaptionCase): Promise<MadeCase | string> => {
  const logo = asked.specimen.logo && (await logoOf(asked.specimen.logo));
  const bare = await make(asked, asked.bare, logo);
  if (!bare.ok) return 'undrawable';
  const worded = await make(asked, asked.words, logo);
  return worded.ok ? { asked, bare: bare.value, worded: worded.value } : worded.fault.field;
};

/** Both pictures of a case, and the text that can be copied from a PDF. */
interface Seen {
  readonly bare: GrayPage;
  readonly worded: GrayPage;
  readonly text: string | null;
}

/** Looks at cases of one format and resolution together, since programs take long to start. */
const lookAt = async (cases: readonly MadeCase[]): Promise<readonly Seen[]> => {
  if (cases.length === 0) return [];
  const { format, dpi } = cases[0]!.asked;
  const worded = cases.map((one) => one.worded.file);
  const pages = await seenAt(format, [...cases.map(({ bare }) => bare.file), ...worded], dpi);
  const texts = format === 'pdf' ? (await textOf(await joinPdfs(worded))).split('\f') : [];
  return cases.map((_, i) => ({
    bare: pages[i]!,
    worded: pages[cases.length + i]!,
    text: texts[i] ?? null,
  }));
};

const spaceless = (text: string): string => text.replace(/\s/gu, '');

/** Whether a text is the wanted one or, where it may be cut, has its parts in order, each but the last with an ellipsis. */
export const isTextOf = (copied: string, wanted: string, isCut: boolean): boolean => {
  const [printed, whole] = [spaceless(copied.normalize('NFC')), spaceless(wanted)];
  if (!isCut) return printed === whole;
  let from = 0;
  return printed.split('…').every((part, i) => {
    const at = whole.indexOf(part, from);
    from = at + part.length;
    return i === 0 ? at === 0 : at >= 0;
  });
};

/** What is left around a code when its words are taken away. */
const PAPER = 255;

const sightOf = async (
  reader: Reader,
  text: string,
  { bare, worded }: Readonly<Record<'bare' | 'worded', string | null>>,
  readAlone: () => Promise<string | null>,
): Promise<readonly [Reader, Sight]> => {
  const [before, now] = [bare === text, worded === text];
  if (before && now) return [reader, 'read'];
  if (!before) return [reader, now ? 'gained' : 'missed'];
  return [reader, (await readAlone()) === text ? 'lost' : 'moved'];
};

const faultsOf = ({ asked, bare, worded }: MadeCase, seen: Seen, at: Place): string[] => {
  const faults: string[] = [];
  const { grade, warnings, lost = [] } = worded;
  if (grade !== bare.grade || warnings !== bare.warnings)
    faults.push(`grade ${grade} (${warnings}), and ${bare.grade} (${bare.warnings}) without words`);
  const foreign = foreignDots(seen.worded, at, worded);
  if (foreign > 0) faults.push(`${foreign} dots in the quiet zone are not its background`);
  if (worded.format === 'png') {
    const changed = changedDots(seen.worded, at, seen.bare, placeOf(asked, bare, seen.bare));
    if (changed > 0) faults.push(`${changed} dots of the code have changed`);
  }
  if (seen.text !== null && !isTextOf(seen.text, asked.wanted, lost.includes('cut')))
    faults.push(`its text is ${JSON.stringify(seen.text.trim())}, not ${JSON.stringify(asked.wanted)}`);
  return faults;
};

const judge = async (made: MadeCase, seen: Seen): Promise<Judgement> => {
  const { asked, worded } = made;
  const { number, format, specimen } = asked;
  const at = placeOf(asked, worded, seen.worded);
  const [before, now] = [await readGrayTwice(seen.bare), await readGrayTwice(seen.worded)];
  const sights: (readonly [Reader, Sight])[] = [];
  for (const reader of READERS) {
    const readAlone = async () => (await readGrayTwice(withoutWords(seen.worded, at, PAPER)))[reader];
    sights.push(
      await sightOf(reader, specimen.text, { bare: before[reader], worded: now[reader] }, readAlone),
    );
  }
  const { grade } = made.bare;
  const lost = sights.flatMap(([reader, sight]) =>
    sight === 'lost' && grade >= GRADE_LEAST
      ? [`${reader} misses a code of grade ${grade} for its words`]
      : [],
  );
  return {
    number,
    format,
    grade,
    refused: null,
    sights: Object.fromEntries(sights),
    faults: [...lost, ...faultsOf(made, seen, at)],
  };
};

const keyOf = ({ format, dpi }: CaptionCase): string => `${format} ${dpi}`;

/** Judges cases, those of a format together. */
export const judgeCases = async (cases: readonly CaptionCase[]): Promise<readonly Judgement[]> => {
  const judgements: Judgement[] = [];
  const byKey = new Map<string, MadeCase[]>();
  for (const asked of cases) {
    const made = await makeCase(asked);
    const { number, format } = asked;
    if (typeof made === 'string')
      judgements.push({ number, format, grade: null, refused: made, sights: {}, faults: [] });
    else byKey.set(keyOf(asked), [...(byKey.get(keyOf(asked)) ?? []), made]);
  }
  for (const together of byKey.values()) {
    const seen = await lookAt(together);
    for (const [i, made] of together.entries()) judgements.push(await judge(made, seen[i]!));
  }
  return judgements.toSorted((one, other) => one.number - other.number);
};
