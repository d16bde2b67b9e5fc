/** The statements of a migration that runs outside of a transaction. */
import { ok, type Result, refused } from '../../result.ts';

/** A comment, a text, a quoted name, a text between dollars, or a character. */
const TOKEN = /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|[\s\S]/g;

const isComment = (token: string): boolean => /^(?:--|\/\*)/.test(token);

/** Splits SQL at the semicolons between statements. Comments are left out, and so are empty statements. */
export const splitSql = (text: string): readonly string[] => {
  const statements = [''];
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') statements.push('');
    else statements[statements.length - 1] += isComment(token) ? ' ' : token;
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '');
};

const MAKES_INDEX = /^create\s+(?:unique\s+)?index\s+concurrently\s+([a-z_][a-z0-9_]*)\s+on\s/i;
const DROPS_INDEX = /^drop\s+index\s+concurrently\s+if\s+exists\s/i;
const VALIDATES = /^alter\s+table\s+\S+\s+validate\s+constraint\s+\S+$/i;

/** Returns the name of the index that a statement makes concurrently; `null`: it makes none. */
export const indexMadeBy = (statement: string): string | null =>
  MAKES_INDEX.exec(statement)?.[1]?.toLowerCase() ?? null;

/** Whether Postgres refuses the statement within a transaction. */
export const isConcurrent = (statement: string): boolean =>
  MAKES_INDEX.test(statement) || DROPS_INDEX.test(statement);

/** Whether no reader or writer of the table waits behind the statement, however long it waits for its own lock. */
export const letsTrafficPass = (statement: string): boolean =>
  isConcurrent(statement) || VALIDATES.test(statement);

const faultOf = (statement: string): string | null => {
  const [line] = statement.split('\n');
  if (/^(?:begin|start|commit|end|rollback|abort|savepoint|release)\b/i.test(statement))
    return `${line}: a statement that needs a short transaction gets one by itself; leave this out`;
  if (
    /^(?:create|drop|reindex|alter|refresh)\b[^'"$]*\bconcurrently\b/i.test(statement) &&
    !isConcurrent(statement)
  )
    return `${line}: write create index concurrently name on …, without if not exists, or drop index concurrently if exists name`;
  return null;
};

/** Returns the statements of an online migration; refuses those that a killed run could not resume. */
export const splitOnline = (text: string): Result<readonly string[], string> => {
  const statements = splitSql(text);
  if (statements.length === 0) return refused('it has no statement');
  const fault = statements.map(faultOf).find((found) => found !== null);
  return fault === undefined ? ok(statements) : refused(fault as string);
};
