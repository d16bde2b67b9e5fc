/** Sends the calls of an import one after the other, and waits and tries again when the service asks for that. */
import { useRef, useState } from 'preact/hooks';
import { api, asFault, ask, type Fault, newIdempotencyKey } from '../../api/client.ts';
import { type Call, readGrades, toCalls, withoutRefused } from './calls.ts';
import type { CheckedRow } from './rows.ts';

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
const send = async (call: Call, wanted: Wanted, onStep: (call: Call) => void): Promise<void> => {
  let waits = 0;
  for (let now: Step = { call, done: false, waited: false }; !now.done; ) {
    now = await step(now.call, wanted, waits < MAX_WAITS);
    if (now.waited) waits += 1;
    onStep(now.call);
  }
};

/** An import under way or finished. */
export interface Run extends Wanted {
  readonly calls: readonly Call[];
  readonly busy: boolean;
  /** Why the import stopped early; `null` when it did not. */
  readonly fault: Fault | null;
}

/** Whether a call is answered, or has no rows left. */
export const isDone = ({ answer, rows }: Call): boolean => answer !== null || rows.length === 0;

/**
 * Sends calls one after the other. Answered calls stay answered; `resume` sends the others under the same keys.
 */
export const useRun = () => {
  const [run, setRun] = useState<Run | null>(null);
  const calls = useRef<readonly Call[]>([]);

  const go = async (wanted: Wanted): Promise<void> => {
    const show = (busy: boolean, fault: Fault | null) =>
      setRun({ calls: calls.current, ...wanted, busy, fault });
    show(true, null);
    try {
      for (const [index, call] of calls.current.entries()) {
        if (isDone(call)) continue;
        await send(call, wanted, (next) => {
          calls.current = calls.current.with(index, next);
          show(true, null);
        });
      }
      show(false, null);
    } catch (error) {
      show(false, asFault(error));
    }
  };

  return {
    run,
    start: (rows: readonly CheckedRow[], wanted: Wanted) => {
      calls.current = toCalls(rows, newIdempotencyKey());
      void go(wanted);
    },
    resume: () => void go({ folderName: run?.folderName ?? '', presetId: run?.presetId ?? null }),
  };
};
