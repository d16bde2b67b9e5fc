/** Sends one batch, and waits and tries again when the service asks for that. */
import { api, ask, type Fault } from '../../../api/client.ts';
import { asFault } from '../../../ui/use-load.ts';
import { type Batch, readGrades, withoutRefused } from './batches.ts';

const MAX_WAITS = 8;
/** People decide about longer waits, for example when the month's units are used up. */
const MAX_WAIT_S = 30;

const post = async ({ idempotencyKey, rows }: Batch, folderName: string) => {
  const call = api.POST('/api/v1/qr/bulk', {
    params: { header: { 'idempotency-key': idempotencyKey } },
    body: { folderName, items: rows.map(({ item }) => item) },
  });
  const answer = await ask(call);
  return { answer, grades: readGrades((await call).response.headers.get('tessera-grades')) };
};

const waitMs = ({ status, retryAfterS }: Fault): number | null => {
  const isForNow = [409, 429, 503].includes(status) && retryAfterS !== null && retryAfterS <= MAX_WAIT_S;
  return isForNow ? retryAfterS * 1000 : null;
};

type Step = { readonly batch: Batch; readonly done: boolean; readonly waited: boolean };

const step = async (batch: Batch, folderName: string, mayWait: boolean): Promise<Step> => {
  if (batch.rows.length === 0) return { batch, done: true, waited: false };
  try {
    return { batch: { ...batch, ...(await post(batch, folderName)) }, done: true, waited: false };
  } catch (error) {
    const fault = asFault(error);
    const fewer = fault.status === 400 ? withoutRefused(batch, fault.details) : null;
    if (fewer !== null) return { batch: fewer, done: false, waited: false };
    const ms = mayWait ? waitMs(fault) : null;
    if (ms === null) throw fault;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { batch, done: false, waited: true };
  }
};

/**
 * Sends a batch until it is answered, without the rows that the service refuses. `onStep` gets the batch after each
 * attempt.
 *
 * @throws {Fault} When the batch could not be made. It may then be sent again.
 */
export const send = async (
  batch: Batch,
  folderName: string,
  onStep: (batch: Batch) => void,
): Promise<void> => {
  let waits = 0;
  for (let now: Step = { batch, done: false, waited: false }; !now.done; ) {
    now = await step(now.batch, folderName, waits < MAX_WAITS);
    if (now.waited) waits += 1;
    onStep(now.batch);
  }
};
