/** Typical small mistakes in a source; each is a mutant. */
import ts from 'typescript';

/** One mistake: `text` instead of the source from `start` to `end`. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Where it starts; the first line is 1. */
  readonly line: number;
}

/** The whole lines that a mutant is in, before and after it, with single blanks for all white space. */
export interface Lines {
  readonly was: string;
  readonly becomes: string;
}

/** Returns the lines that the mutant changes. */
export const linesOf = (source: string, { start, end, text }: Mutant): Lines => {
  const from = source.lastIndexOf('\n', start) + 1;
  const next = source.indexOf('\n', end);
  const to = next === -1 ? source.length : next;
  const oneLine = (lines: string): string => lines.replaceAll(/\s+/g, ' ').trim();
  return {
    was: oneLine(source.slice(from, to)),
    becomes: oneLine(source.slice(from, start) + text + source.slice(end, to)),
  };
};

const SWAPPED: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '??': ['&&'],
  '&': ['|'],
  '|': ['&'],
  '^': ['|'],
  '<<': ['>>'],
  '>>': ['<<'],
  '>>>': ['<<'],
  '+=': ['-='],
  '-=': ['+='],
  '|=': ['&='],
  '^=': ['|='],
};

/**
 * Returns the mutants of TypeScript: negated conditions, boundaries, arithmetic, constants, removed statements and
 * early exits.
 */
export const mutantsOfTypeScript = (source: string): Mutant[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, text: string) => {
    const start = node.getStart(file);
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    mutants.push({ start, end: node.end, text, line });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isBinaryExpression(node)) {
      for (const other of SWAPPED[node.operatorToken.getText(file)] ?? []) add(node.operatorToken, other);
    }
    if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
      const condition = ts.isIfStatement(node) ? node.expression : node.condition;
      add(condition, `!(${condition.getText(file)})`);
    }
    if (ts.isIfStatement(node) && !node.elseStatement) add(node, ';');
    if (ts.isExpressionStatement(node)) add(node, ';');
    if (ts.isNumericLiteral(node)) add(node, `(${node.text} + 1)`);
    if (node.kind === ts.SyntaxKind.TrueKeyword) add(node, 'false');
    if (node.kind === ts.SyntaxKind.FalseKeyword) add(node, 'true');
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
};

const LUA_RULES: readonly (readonly [RegExp, (found: string) => string])[] = [
  [/ == /g, () => ' ~= '],
  [/ ~= /g, () => ' == '],
  [/ < /g, () => ' <= '],
  [/ <= /g, () => ' < '],
  [/ > /g, () => ' >= '],
  [/ >= /g, () => ' > '],
  [/ and /g, () => ' or '],
  [/ or /g, () => ' and '],
  [/ \+ /g, () => ' - '],
  [/ - /g, () => ' + '],
  [/ \* /g, () => ' / '],
  [/\b(?:min|max)\(/g, (found) => (found === 'min(' ? 'max(' : 'min(')],
  [/\bnot /g, () => ''],
  [/\b\d+\b/g, (found) => String(Number(found) + 1)],
  [/^ *call\(.*\)$/gm, () => ''],
  [/'[a-z]+'/g, (found) => `'${found.slice(1, -1)}x'`],
];

/** Returns the mutants of Lua, found in its text. Comments are left alone. */
export const mutantsOfLua = (source: string): Mutant[] =>
  LUA_RULES.flatMap(([pattern, replace]) =>
    [...source.matchAll(pattern)].flatMap((found) => {
      const before = source.slice(0, found.index);
      const lineStart = before.lastIndexOf('\n') + 1;
      if (source.slice(lineStart, found.index).includes('--') || source.startsWith('--', lineStart))
        return [];
      const end = found.index + found[0].length;
      return [{ start: found.index, end, text: replace(found[0]), line: before.split('\n').length }];
    }),
  );
