/** Mutants: typical small mistakes in a source. */
import ts from 'typescript';

/** One mistake: `text` instead of the source from `start` to `end`. */
export interface Mutant {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

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

/** Functions that can replace each other because they take the same arguments. */
const COUNTERPARTS: Readonly<Record<string, string>> = {
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  some: 'every',
  every: 'some',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
};

/**
 * Negated conditions, other boundaries, arithmetic, constants and functions, removed statements and early exits.
 */
const mutantsOfTypeScript = (source: string): Mutant[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const add = (node: ts.Node, text: string) => {
    mutants.push({ start: node.getStart(file), end: node.end, text });
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
    // Adding one to a large number has no visible effect, but a wrong unit has.
    if (ts.isNumericLiteral(node))
      add(node, `(${node.text}${Number(node.text) < 1000 ? ' + 1' : ' / 1000'})`);
    if (ts.isPropertyAccessExpression(node) && Object.hasOwn(COUNTERPARTS, node.name.text))
      add(node.name, COUNTERPARTS[node.name.text]!);
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

/** Found in the text, outside comments. */
const mutantsOfLua = (source: string): Mutant[] =>
  LUA_RULES.flatMap(([pattern, replace]) =>
    [...source.matchAll(pattern)].flatMap((found) => {
      const start = found.index;
      const line = source.slice(source.lastIndexOf('\n', start) + 1, start + 2);
      if (line.includes('--')) return [];
      return [{ start, end: start + found[0].length, text: replace(found[0]) }];
    }),
  );

/** Returns all mutants of a source. @param file Its name, which says whether it is TypeScript or Lua. */
export const mutantsOf = (file: string, source: string): Mutant[] =>
  file.endsWith('.lua') ? mutantsOfLua(source) : mutantsOfTypeScript(source);

/** Returns the source with the mistake. */
export const applyMutant = (source: string, { start, end, text }: Mutant): string =>
  source.slice(0, start) + text + source.slice(end);
