import { inSpan, isRecorded } from '../tracing/trace.ts';

const TABLE = /\b(?:from|into|update)\s+([a-z_]+)/;
const FUNCTION = /\bselect\s+([a-z_]+)\(/;

/** Returns what a statement does, and with what: `insert codes`. Its text is our own; its values are not in it. */
const summaryOf = (statement: unknown): string => {
  const { strings } = statement as { readonly strings?: readonly string[] };
  const text = (strings ?? []).join(' ').trimStart().toLowerCase();
  const [operation = 'query'] = /^[a-z]+/.exec(text) ?? [];
  const [, name = ''] = TABLE.exec(text) ?? FUNCTION.exec(text) ?? [];
  return `${operation} ${name}`.trimEnd();
};

/** Runs a statement, within a trace as a span of it. */
export const traceStatement = <T>(statement: PromiseLike<T>): PromiseLike<T> => {
  if (!isRecorded()) return statement;
  const summary = summaryOf(statement);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return inSpan(`postgres ${summary}`, { kind: 'client', attributes }, async () => statement);
};
