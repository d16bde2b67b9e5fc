/** One barcode beside the QR code, for one unit. */
import Type from 'typebox';
import { type BarcodeTask, estimateBarcodeMs } from '../../../workers/barcode/protocol.ts';
import type { FileFormat } from '../../../workers/lists.ts';
import type { Rendered } from '../../../workers/protocol.ts';
import type { Balance } from '../../quota/quota.ts';
import { okOrThrow } from '../../result.ts';
import { drawnOrThrow, runTasks } from '../draw.ts';
import { payFor, readRecord } from '../paid-call.ts';
import { type Call, type Caller, NO_GRADE_TERMS, noTimings, type Parts, type Timings } from '../parts.ts';
import { refuse } from '../refusals.ts';
import type { BarcodeQuery, BarcodeRequest } from './request.ts';
import { toBarcodeTask } from './task.ts';

/** A barcode, and the balance after it. */
export interface BarcodeAnswer extends Required<Pick<Rendered, 'bytes' | 'sizeMm'>> {
  /** Units used after the first call, also in a replay. */
  readonly usageCount: number;
  /** The balance now. */
  readonly month: Balance;
  readonly replayed: boolean;
  readonly timings: Timings;
}

/** What is kept for a replay, which draws the same bytes again. */
const BarcodeRecord = Type.Object({ kind: Type.Literal('barcode'), usageCount: Type.Integer() });

const draw = async (
  parts: Parts,
  call: Call,
  task: BarcodeTask,
  format: FileFormat,
): Promise<Pick<BarcodeAnswer, 'bytes' | 'sizeMm'>> => {
  const [outcome] = await runTasks(parts, call, 'single', [{ task, estimatedMs: estimateBarcodeMs(task) }]);
  const { bytes, sizeMm } = drawnOrThrow(outcome!, parts.pool);
  const { accountId, timings } = call;
  const written = format === 'webp' ? await parts.webp.write(bytes, accountId, timings) : bytes;
  return { bytes: written, sizeMm: sizeMm! };
};

/** Makes the use case: it draws one barcode for one unit. A call that fails costs nothing. */
export const createBarcode =
  (parts: Parts) =>
  async (
    request: BarcodeRequest,
    caller: Caller,
    query: BarcodeQuery,
    format: FileFormat,
  ): Promise<BarcodeAnswer> => {
    const task = okOrThrow(toBarcodeTask(request, query, format), refuse);
    const timings = noTimings();
    const call = { ...caller, terms: NO_GRADE_TERMS, timings };
    const need = { use: 'single', units: 1, estimatedMs: [estimateBarcodeMs(task)] } as const;
    const paid = await payFor(parts, call, need, async ({ balance: { usageCount } }) => {
      const drawn = await draw(parts, call, task, format);
      const record = caller.claim && JSON.stringify({ kind: 'barcode', usageCount });
      return { kind: 'made', value: { ...drawn, usageCount }, refundUnits: 0, record };
    });
    if (paid.kind === 'paid') return { ...paid.value, month: paid.month, replayed: false, timings };
    if (paid.kind === 'answered before') throw new Error('a barcode saves nothing');

    const { accountId } = caller;
    const { usageCount } = readRecord(BarcodeRecord, paid.answer);
    parts.freeWork.admit(accountId);
    const drawn = await draw(parts, call, task, format);
    parts.freeWork.spend(accountId, timings.drawnMs);
    return { ...drawn, usageCount, month: paid.month, replayed: true, timings };
  };
