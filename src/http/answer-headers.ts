/** The headers of answers with pictures: times, limits, grades and warnings. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenderPlan } from '../../workers/plan.ts';
import type { Rendered, TextLoss } from '../../workers/protocol.ts';
import type { BarcodeAnswer } from '../generate/barcode/barcode.ts';
import type { BulkResult } from '../generate/bulk/answer.ts';
import type { Timings } from '../generate/parts.ts';
import type { Subject } from '../generate/plan.ts';
import { type Graded, worstOf } from '../generate/quality/graded.ts';
import type { Balance } from '../quota/quota.ts';
import { sendLimits } from './limits/rate-limit.ts';

/** Sends `Server-Timing` (W3C) with the milliseconds in the ledger, in the queue and in a render thread. */
export const sendTimings = (reply: FastifyReply, timings: Timings): void => {
  const { quotaMs, queueMs, renderMs } = timings;
  reply.header(
    'server-timing',
    `quota;dur=${quotaMs.toFixed(1)}, queue;dur=${queueMs.toFixed(1)}, render;dur=${renderMs.toFixed(1)}`,
  );
};

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

const RANGES_MAX_CHARACTERS = 2000;

/** Returns ascending numbers as `toRanges`. A long list ends with `...`. */
export const toShortRanges = (numbers: readonly number[]): string => {
  const ranges = toRanges(numbers);
  if (ranges.length <= RANGES_MAX_CHARACTERS) return ranges;
  return `${ranges.slice(0, RANGES_MAX_CHARACTERS).replace(/\S*$/, '')}...`;
};

/** Returns how many things there are, and which, counted from 1: `3;indexes="12 40-41"`. @param indexes The first of them, or all. */
export const listIndexes = (count: number, indexes: readonly number[]): string => {
  const ranges = toShortRanges(indexes);
  const isWhole = indexes.length === count || ranges.endsWith('...');
  return `${count};indexes="${ranges}${isWhole ? '' : '...'}"`;
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

/** Sends the grade of the picture that an answer carries, and its warnings if it has any. */
export const sendGrade = (reply: FastifyReply, { grade, warnings }: Graded): void => {
  reply.header('tessera-grade', String(grade));
  if (warnings !== '') reply.header('tessera-warnings', warnings);
};

const rounded = (value: number): string => String(Number(value.toFixed(4)));

/** Sends the size of a file that is laid out in millimetres, and of its modules. */
export const sendSizeMm = (
  reply: FastifyReply,
  { print, plan }: Pick<Subject, 'print'> & { readonly plan: RenderPlan },
): void => {
  const page = print?.page ?? null;
  if (page === null) return;
  const { widthMm: width, heightMm: height, mmPerPx } = page;
  sendSizes(reply, { width, height, module: plan.geometry.modulePx * mmPerPx });
};

const sendSizes = (reply: FastifyReply, { width, height, module }: Required<Rendered>['sizeMm']): void => {
  reply.header(
    'tessera-size-mm',
    `width=${rounded(width)}, height=${rounded(height)}, module=${rounded(module)}`,
  );
};

/** Sends what the caption of a picture loses, if it loses anything. */
export const sendLost = (reply: FastifyReply, lost: readonly TextLoss[] = []): void => {
  const count = (loss: TextLoss): number => (lost.includes(loss) ? 1 : 0);
  if (lost.length > 0) reply.header('tessera-captions', `cut=${count('cut')}, glyphs=${count('glyphs')}`);
};

/** Sends what a repair changed, if it changed anything. */
export const sendRepaired = (reply: FastifyReply, repaired: string): void => {
  if (repaired !== '') reply.header('tessera-repaired', repaired);
};

/** What the answers to all paid calls have. */
interface Outcome {
  readonly timings: Timings;
  readonly month: Balance;
  readonly replayed: boolean;
}

const sendOutcome = (request: FastifyRequest, reply: FastifyReply, outcome: Outcome): void => {
  sendTimings(reply, outcome.timings);
  sendLimits(request, reply, outcome.month);
  if (outcome.replayed) reply.header('idempotent-replayed', 'true');
};

/** Sends the headers of the answer to a paid call for one picture. */
export const sendPictureOutcome = (
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: Outcome & Graded & { readonly repaired: string },
): void => {
  sendOutcome(request, reply, outcome);
  sendGrade(reply, outcome);
  sendRepaired(reply, outcome.repaired);
};

/** Sends the headers of the answer to a paid call for a barcode, which has no grade. */
export const sendBarcodeOutcome = (
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: BarcodeAnswer,
): void => {
  sendOutcome(request, reply, outcome);
  sendSizes(reply, outcome.sizeMm);
};

/**
 * Sends the headers of a bulk call: those of every paid call, the lowest grade, the warnings of all pictures, the grade
 * of each item in order (`none` without a picture), and the warnings of each item.
 */
export const sendBulkOutcome = (
  request: FastifyRequest,
  reply: FastifyReply,
  { results, ...outcome }: Outcome & { readonly results: readonly BulkResult[] },
): void => {
  sendOutcome(request, reply, outcome);
  const worst = worstOf(results.flatMap((result) => (result.success ? result : [])));
  if (worst !== null) sendGrade(reply, worst);
  reply.header('tessera-grades', results.map((item) => (item.success ? item.grade : 'none')).join(', '));
  const warnings = itemWarnings(results.map((item) => (item.success ? item : null)));
  if (warnings !== '') reply.header('tessera-item-warnings', warnings);
};
