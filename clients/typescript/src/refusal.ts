/** Turns refusals into errors. */
import { type Fault, TesseraError } from './error.ts';
import { ERROR_CODES, type ErrorCode } from './operations.ts';

interface Refusal {
  readonly error: string;
  readonly details: string;
  readonly faults?: readonly Fault[];
}

/** Pictures are refused in plain text: the same two texts, with a colon between them. */
const readText = (text: string): Refusal => {
  const [error = '', ...details] = text.trim().split(': ');
  return { error, details: details.join(': ') };
};

const read = (text: string, type: string): Refusal => {
  if (!type.startsWith('application/json')) return readText(text);
  try {
    const { error, details, faults } = JSON.parse(text) as Partial<Refusal>;
    return { error: String(error ?? ''), details: String(details ?? ''), ...(faults && { faults }) };
  } catch {
    return readText(text);
  }
};

const secondsIn = (header: string | null): number | null => {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
};

/** Reads an answer that is a refusal, and returns its error. */
export const toError = async (response: Response): Promise<TesseraError> => {
  const { status, headers } = response;
  const { error, details, faults = [] } = read(await response.text(), headers.get('content-type') ?? '');
  const known = (ERROR_CODES as Readonly<Record<string, ErrorCode>>)[error];
  return new TesseraError(known ?? 'unknown', {
    status,
    error: known === undefined ? '' : error,
    details: known === undefined ? `the answer has the status ${status}` : details,
    faults,
    requestId: headers.get('x-request-id'),
    retryAfterS: secondsIn(headers.get('retry-after')),
  });
};
