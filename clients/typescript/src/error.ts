/** One thing that is wrong with a request. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** What an error may carry besides its code. */
export interface ErrorParts {
  /** Of the answer; 0: there was none. */
  readonly status?: number;
  /** The service's fixed text. */
  readonly error?: string;
  readonly details?: string;
  readonly faults?: readonly Fault[];
  readonly requestId?: string | null;
  readonly retryAfterS?: number | null;
  readonly wasSent?: boolean;
  readonly idempotencyKey?: string | null;
  readonly cause?: unknown;
}

/** The codes as names of fields. `types.ts` adds those of the service. */
export interface Codes {
  /** The connection failed. */
  readonly unreachable: true;
  /** No answer came in time. */
  readonly timeout: true;
  /** The answer is not the service's own, but a proxy's for example. */
  readonly unknown: true;
  readonly batch_failed: true;
  readonly batch_cancelled: true;
  readonly batch_expired: true;
  readonly link_job_failed: true;
  readonly link_job_cancelled: true;
}

/** Why a call failed, in one word. */
export type Code = keyof Codes;

/** Why a call failed. */
export class TesseraError extends Error {
  /** Compare this: it never changes for a kind of failure. */
  readonly code: Code;
  /** Of the answer; 0: there was none. */
  readonly status: number;
  /** The service's fixed text, such as `Quota exhausted`; empty without an answer of its own. */
  readonly error: string;
  /** What to do about it. */
  readonly details: string;
  /** The faults of the request: at least the first ten, when there is more than one. */
  readonly faults: readonly Fault[];
  /** Names the request in the logs of the service; `null`: there was no answer. */
  readonly requestId: string | null;
  /** Seconds after which another try makes sense; `null`: the service does not say. */
  readonly retryAfterS: number | null;
  /** Whether the service may have received a try, and so may have done what the call asks for. */
  readonly wasSent: boolean;
  /** That of every try; sent with the same call later, it continues this one. `null`: the call takes none. */
  readonly idempotencyKey: string | null;

  constructor(code: Code, { error = '', details = '', cause, ...parts }: ErrorParts = {}) {
    super([error, details].filter(Boolean).join(': ') || code, { cause });
    this.name = 'TesseraError';
    this.code = code;
    this.error = error;
    this.details = details;
    this.status = parts.status ?? 0;
    this.faults = parts.faults ?? [];
    this.requestId = parts.requestId ?? null;
    this.retryAfterS = parts.retryAfterS ?? null;
    this.wasSent = parts.wasSent ?? true;
    this.idempotencyKey = parts.idempotencyKey ?? null;
  }
}

/** Returns the code of a failure; '' for any other error. */
export const codeOf = (error: unknown): string => (error instanceof TesseraError ? error.code : '');
