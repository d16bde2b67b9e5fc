import { inSpan, isRecorded } from '../tracing/trace.ts';

const TABLE = /\b(?:from|into|update)\s+([a-z_]+)/;
const FUNCTION = /\bselect\s+([a-z_]+)\(/;

/** Returns a statement's operation and target, such as `insert codes`. Its text is our own and contains no values. */
const summaryOf = (statement: unknown): string => {
  const { strings } = statement as { readonly strings?: readonly string[] };
  const text = (strings ?? []).join(' ').trimStart().toLowerCase();
  const [operation = 'query'] = /^[a-z]+/.exec(text) ?? [];
  const [, name = ''] = TABLE.exec(text) ?? FUNCTION.exec(text) ?? [];
  return `${operation} ${name}`.trimEnd();
};

/** Runs a statement, as a span if there is a trace. */
export const traceStatement = <T>(statement: PromiseLike<T>): PromiseLike<T> => {
  if (!isRecorded()) return statement;
  const summary = summaryOf(statement);
  const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary };
  return inSpan(`postgres ${summary}`, { kind: 'client', attributes }, async () => statement);
};
