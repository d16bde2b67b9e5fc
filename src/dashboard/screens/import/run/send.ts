/** Sends one call, and waits and tries again when the service asks for that. */
import { api, asFault, ask, type Fault } from '../../../api/client.ts';
import { type Call, readGrades, withoutRefused } from './calls.ts';

const MAX_WAITS = 8;
/** People decide about longer waits, for example when the month's units are used up. */
const MAX_WAIT_S = 30;

/** The options of all calls of an import. */
export interface Wanted {
  readonly folderName: string;
  /** Id of a preset of the account; `null`: none. */
  readonly presetId: string | null;
}

const post = async ({ idempotencyKey, rows }: Call, { folderName, presetId }: Wanted) => {
  const preset = presetId === null ? {} : { 'tessera-preset': presetId };
  const call = api.POST('/api/v1/qr/bulk', {
    params: { header: { 'idempotency-key': idempotencyKey, ...preset } },
    body: { folderName, items: rows.map(({ item }) => item) },
  });
  const answer = await ask(call);
  return { answer, grades: readGrades((await call).response.headers.get('tessera-grades')) };
};

const waitMs = ({ status, retryAfterS }: Fault): number | null => {
  const isForNow = [409, 429, 503].includes(status) && retryAfterS !== null && retryAfterS <= MAX_WAIT_S;
  return isForNow ? retryAfterS * 1000 : null;
};

type Step = { readonly call: Call; readonly done: boolean; readonly waited: boolean };

const step = async (call: Call, wanted: Wanted, mayWait: boolean): Promise<Step> => {
  if (call.rows.length === 0) return { call, done: true, waited: false };
  try {
    return { call: { ...call, ...(await post(call, wanted)) }, done: true, waited: false };
  } catch (error) {
    const fault = asFault(error);
    const fewer = fault.status === 400 ? withoutRefused(call, fault.details) : null;
    if (fewer !== null) return { call: fewer, done: false, waited: false };
    const ms = mayWait ? waitMs(fault) : null;
    if (ms === null) throw fault;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { call, done: false, waited: true };
  }
};

/**
 * Sends a call until it is answered, without the rows that the service refuses. `onStep` gets the call after each
 * attempt.
 *
 * @throws {Fault} When the call could not be made. It may then be sent again.
 */
export const send = async (call: Call, wanted: Wanted, onStep: (call: Call) => void): Promise<void> => {
  let waits = 0;
  for (let now: Step = { call, done: false, waited: false }; !now.done; ) {
    now = await step(now.call, wanted, waits < MAX_WAITS);
    if (now.waited) waits += 1;
    onStep(now.call);
  }
};
