/** Answers by outcome. Only good answers count as goodput. */
export interface Tally {
  /** Right status and a body of the right kind. */
  readonly good: number;
  /** Codes in the good answers. */
  readonly codes: number;
  /** Right status, wrong body. */
  readonly bodyCheckFailed: number;
  /** Answers with another status, by status. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly timeouts: number;
  readonly connectionErrors: number;
  /** Bytes of all answers. A closed loop counts their headers too. */
  readonly bytes: number;
  /** Means of `Server-Timing` over the answers that have the header; `null` when none has it. */
  readonly serverMs: ServerMs | null;
}

/** Mean times of the parts of an answer in ms. */
interface ServerMs {
  readonly quota: number;
  readonly queue: number;
  readonly render: number;
  /** Answers with the header. */
  readonly answers: number;
}

const PART = /(quota|queue|render);dur=([\d.]+)/g;
const OK_STATUSES = new Set([200, 201, 202, 302, 307]);

const serverMeans = (totals: Omit<ServerMs, 'answers'>, answers: number): ServerMs | null =>
  answers === 0
    ? null
    : {
        quota: totals.quota / answers,
        queue: totals.queue / answers,
        render: totals.render / answers,
        answers,
      };

/** Returns a tally of zeros. */
export const createTally = () => {
  const statuses: Record<string, number> = {};
  const server = { quota: 0, queue: 0, render: 0 };
  let [good, codes, bodyCheckFailed, timeouts, connectionErrors, bytes, timed] = [0, 0, 0, 0, 0, 0, 0];

  const takeTiming = (header: unknown): void => {
    if (typeof header !== 'string') return;
    timed += 1;
    for (const [, part, ms] of header.matchAll(PART)) server[part as keyof typeof server] += Number(ms);
  };

  return {
    answer(isGood: boolean, status: number, answerBytes: number, codesInIt: number, timing: unknown): void {
      bytes += answerBytes;
      takeTiming(timing);
      if (isGood) {
        good += 1;
        codes += codesInIt;
      } else if (OK_STATUSES.has(status)) bodyCheckFailed += 1;
      else statuses[status] = (statuses[status] ?? 0) + 1;
    },
    timeout: () => {
      timeouts += 1;
    },
    connectionError: () => {
      connectionErrors += 1;
    },
    result: (): Tally => ({
      good,
      codes,
      bodyCheckFailed,
      statuses,
      timeouts,
      connectionErrors,
      bytes,
      serverMs: serverMeans(server, timed),
    }),
  };
};

/** Returns the number of requests that did not get a good answer. */
export const failuresOf = ({ bodyCheckFailed, statuses, timeouts, connectionErrors }: Tally): number =>
  bodyCheckFailed +
  timeouts +
  connectionErrors +
  Object.values(statuses).reduce((total, count) => total + count, 0);

/** Adds up tallies. */
export const mergeTallies = (all: readonly Tally[]): Tally => {
  const merged = { good: 0, codes: 0, bodyCheckFailed: 0, timeouts: 0, connectionErrors: 0, bytes: 0 };
  const statuses: Record<string, number> = {};
  const server = { quota: 0, queue: 0, render: 0 };
  for (const tally of all) {
    for (const field of Object.keys(merged) as (keyof typeof merged)[]) merged[field] += tally[field];
    for (const [status, count] of Object.entries(tally.statuses))
      statuses[status] = (statuses[status] ?? 0) + count;
    for (const part of Object.keys(server) as (keyof typeof server)[])
      server[part] += (tally.serverMs?.[part] ?? 0) * (tally.serverMs?.answers ?? 0);
  }
  const timed = all.reduce((answers, { serverMs }) => answers + (serverMs?.answers ?? 0), 0);
  return { ...merged, statuses, serverMs: serverMeans(server, timed) };
};
