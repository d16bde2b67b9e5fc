/** The request and response headers about the grade of pictures. */

import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Grade } from '../../workers/protocol.ts';
import type { BulkResult } from '../generate/bulk/items.ts';
import { type Graded, type Terms, worstOf } from '../generate/quality/graded.ts';

/** Clients and proxies accept 8 to 16 kB of headers in total. */
const MAX_BYTES = 4096;

const withoutFigures = (warnings: string): string => warnings.replace(/;v=[^,]*/g, '');

/** Returns ascending numbers as `0-2 5`. */
export const toRanges = (numbers: readonly number[]): string => {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(' ');
};

const toList = (items: readonly (Graded | null)[], word: (warnings: string) => string): readonly string[] => {
  const groups = new Map<string, number[]>();
  for (const [index, item] of items.entries()) {
    if (item === null || item.warnings === '') continue;
    const warnings = word(item.warnings);
    groups.set(warnings, [...(groups.get(warnings) ?? []), index]);
  }
  return [...groups].map(
    ([warnings, indexes]) => `(${warnings.replaceAll(', ', ' ')});items="${toRanges(indexes)}"`,
  );
};

/**
 * Returns `Tessera-Item-Warnings`: an RFC 8941 list with an inner list of warnings for all items that have the same
 * ones, and those items, counted from 0: `(contrast;v=0.31);items="0-4 7"`. '' without warnings. At most 4,096 bytes: a
 * longer one loses the figures, and then the last groups.
 *
 * @param items `null` for one without a picture.
 */
export const itemWarnings = (items: readonly (Graded | null)[]): string => {
  const whole = toList(items, (warnings) => warnings).join(', ');
  if (whole.length <= MAX_BYTES) return whole;
  let header = '';
  for (const group of toList(items, withoutFigures)) {
    const longer = header === '' ? group : `${header}, ${group}`;
    if (longer.length > MAX_BYTES) break;
    header = longer;
  }
  return header;
};

/** The request headers of calls that generate. */
export const TermsHeaders = Type.Object({
  'tessera-min-grade': Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4,
      description: 'Refuses pictures of a lower grade, free of charge.',
    }),
  ),
});

/** The request headers of calls that may repair what they generate. */
export const RepairHeaders = Type.Object({
  ...TermsHeaders.properties,
  'tessera-repair': Type.Optional(
    Type.Literal('true', {
      description: 'Makes the least change that gives grade 4, or `Tessera-Min-Grade`.',
    }),
  ),
});

/** Returns what validated headers ask for. */
export const termsOf = (headers: Static<typeof TermsHeaders>): Terms => ({
  minGrade: (headers['tessera-min-grade'] ?? 0) as Grade,
  repair: false,
});

/** Returns the same for a call that may repair. */
export const repairTermsOf = (headers: Static<typeof RepairHeaders>): Terms =>
  headers['tessera-repair'] === undefined
    ? termsOf(headers)
    : { minGrade: (headers['tessera-min-grade'] ?? 4) as Grade, repair: true };

/** Sends the grade of the picture that an answer carries, and its warnings if it has any. */
export const sendGrade = (reply: FastifyReply, { grade, warnings }: Graded): void => {
  reply.header('tessera-grade', String(grade));
  if (warnings !== '') reply.header('tessera-warnings', warnings);
};

/** Sends what a repair changed, if it changed anything. */
export const sendRepaired = (reply: FastifyReply, repaired: string): void => {
  if (repaired !== '') reply.header('tessera-repaired', repaired);
};

/**
 * Sends the headers of a bulk call: the lowest grade, the warnings of all pictures, the grade of each item in order
 * (`none` without a picture), and the warnings of each item.
 */
export const sendGrades = (reply: FastifyReply, results: readonly BulkResult[]): void => {
  const worst = worstOf(results.flatMap((result) => (result.success ? result : [])));
  if (worst !== null) sendGrade(reply, worst);
  reply.header('tessera-grades', results.map((item) => (item.success ? item.grade : 'none')).join(', '));
  const warnings = itemWarnings(results.map((item) => (item.success ? item : null)));
  if (warnings !== '') reply.header('tessera-item-warnings', warnings);
};
