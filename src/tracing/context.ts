/** The trace that a request belongs to, as the headers of W3C Trace Context say it. */
import { randomBytes } from 'node:crypto';

/** The place of a piece of work in a trace. */
export interface TraceContext {
  /** 32 hexadecimal digits, not all 0. */
  readonly traceId: string;
  /** The parent of new spans: 16 hexadecimal digits, not all 0. */
  readonly spanId: string;
  /** Whether the trace is recorded, as decided by whoever began it. */
  readonly isSampled: boolean;
  /** The `tracestate`, which is passed on unread; '' without one. */
  readonly state: string;
}

/** A version that we do not know may have more after the flags. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;
const SAMPLED = 1;

const STATE_MAX_CHARACTERS = 512;
const STATE_MAX_MEMBERS = 32;
const STATE_MEMBER =
  /^[a-z\d][\w\-*/@]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;

const isState = (text: string): boolean => {
  const members = text.split(',').map((member) => member.replace(/^[ \t]+|[ \t]+$/g, ''));
  const named = members.filter((member) => member !== '');
  return members.length <= STATE_MAX_MEMBERS && named.every((member) => STATE_MEMBER.test(member));
};

/**
 * Reads the two headers of a request. Returns `null` when `traceparent` is missing or broken. A `tracestate` that is
 * broken, or longer than 512 characters, is left out.
 */
export const readTraceContext = (traceparent: unknown, tracestate: unknown): TraceContext | null => {
  if (typeof traceparent !== 'string') return null;
  const [, version, traceId, spanId, flags, more] = TRACEPARENT.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return null;
  const state = typeof tracestate === 'string' && tracestate.length <= STATE_MAX_CHARACTERS ? tracestate : '';
  const isSampled = (Number.parseInt(flags!, 16) & SAMPLED) === SAMPLED;
  return { traceId, spanId, isSampled, state: isState(state) ? state : '' };
};

/** Begins a trace that nobody records. Its ids still join log lines and the requests of others. */
export const newTraceContext = (): TraceContext => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
  isSampled: false,
  state: '',
});

const traceparentOf = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** Returns the headers that pass a trace on. */
export const traceHeadersOf = (context: TraceContext): Readonly<Record<string, string>> => ({
  traceparent: traceparentOf(context),
  ...(context.state === '' ? {} : { tracestate: context.state }),
});

/** Writes a context as text that is kept with long work: `traceparent`, and after a space `tracestate`. */
export const writeTraceContext = (context: TraceContext): string =>
  `${traceparentOf(context)} ${context.state}`.trimEnd();

/** Reads what `writeTraceContext` has written; `null` gives `null`. */
export const restoreTraceContext = (text: string | null): TraceContext | null => {
  if (text === null) return null;
  const at = text.indexOf(' ');
  return at === -1
    ? readTraceContext(text, undefined)
    : readTraceContext(text.slice(0, at), text.slice(at + 1));
};
