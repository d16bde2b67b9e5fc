/** Parses TypeScript once for all tests of a process that look at the same module. */
import ts from 'typescript';

const parsed = new Map<string, ts.SourceFile>();

/** Returns the syntax tree of a module, whose nodes know their parents. */
export const parseSource = (path: string, text: string): ts.SourceFile => {
  const key = `${path}\0${text}`;
  const known = parsed.get(key) ?? ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  parsed.set(key, known);
  return known;
};
