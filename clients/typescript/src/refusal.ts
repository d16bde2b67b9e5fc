/** Turns refusals into errors. */
import { type Code, type Fault, TesseraError } from './error.ts';

/** The codes of the service, by the texts that it answers with. */
export type CodesByText = Readonly<Record<string, string>>;

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

/** Reads a `Retry-After`: seconds, or the date until which to wait. */
export const secondsIn = (header: string | null, nowMs: number): number | null => {
  if (header === null) return null;
  if (/^\s*\d+\s*$/.test(header)) return Number(header);
  const untilMs = Date.parse(header);
  return Number.isNaN(untilMs) ? null : Math.max(0, Math.ceil((untilMs - nowMs) / 1000));
};

/** Reads an answer that is a refusal, and returns its error. */
export const toError = async (response: Response, codes: CodesByText): Promise<TesseraError> => {
  const { status, headers } = response;
  const { error, details, faults = [] } = read(await response.text(), headers.get('content-type') ?? '');
  const known = Object.hasOwn(codes, error) ? (codes[error] as Code) : undefined;
  return new TesseraError(known ?? 'unknown', {
    status,
    error: known === undefined ? '' : error,
    details: known === undefined ? `the answer has the status ${status}` : details,
    faults,
    requestId: headers.get('x-request-id'),
    retryAfterS: secondsIn(headers.get('retry-after'), Date.now()),
  });
};
