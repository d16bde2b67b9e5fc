/** Mistakes of other kinds than those for which tests were written: they say how the tests do with what nobody tried. */
import ts from 'typescript';
import type { Mutant } from './mutants.ts';

const FUNCTIONS: Readonly<Record<string, string>> = {
  'Math.min': 'Math.max',
  'Math.max': 'Math.min',
  'Math.floor': 'Math.ceil',
  'Math.ceil': 'Math.floor',
  'Math.round': 'Math.floor',
};
const PAIRS = [
  ['row', 'column'],
  ['rows', 'columns'],
  ['left', 'top'],
  ['right', 'bottom'],
  ['x', 'y'],
  ['width', 'height'],
  ['luma', 'alpha'],
  ['dark', 'light'],
] as const;
const COUNTERPARTS = new Map<string, string>(
  PAIRS.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);
const COMPARISON = /^(?:[<>]=?|[!=]==)$/;
const OPERATION = /^(?:[+\-*/%&|^]|<<|>>>?|&&|\|\||\?\?)$/;
const ASSIGNMENT = /^[+\-|^*&]=$/;

/**
 * Returns mutants of TypeScript: one side of an operation alone, comparisons that always or never hold, a branch that is
 * always taken, arguments and counterparts such as `left` and `top` swapped, smaller constants, and lost signs and steps.
 */
export const otherMutantsOfTypeScript = (source: string): Mutant[] => {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.ES2022, true);
  const mutants: Mutant[] = [];
  const textOf = (node: ts.Node): string => node.getText(file);
  const add = (node: ts.Node, text: string, end = node.end) => {
    const start = node.getStart(file);
    mutants.push({ start, end, text, line: file.getLineAndCharacterOfPosition(start).line + 1 });
  };
  const swapArguments = ({ expression, arguments: all }: ts.CallExpression) => {
    if (/^Math\.(?:min|max)$/.test(textOf(expression))) return;
    for (const [i, next] of all.slice(1).entries()) {
      const before = all[i]!;
      if (textOf(before) === textOf(next)) continue;
      if (!ts.isArrowFunction(before) && !ts.isArrowFunction(next))
        add(before, `${textOf(next)}, ${textOf(before)}`, next.end);
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isImportDeclaration(node)) return;
    if (ts.isCallExpression(node)) {
      const other = FUNCTIONS[textOf(node.expression)];
      if (other !== undefined) add(node.expression, other);
      swapArguments(node);
    }
    if (ts.isNumericLiteral(node) && node.text !== '0') add(node, `(${node.text} - 1)`);
    if (ts.isConditionalExpression(node))
      for (const branch of [node.whenTrue, node.whenFalse]) add(node, `(${textOf(branch)})`);
    if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node))
      add(node, textOf(node.operand));
    if (ts.isBinaryExpression(node)) {
      const operator = textOf(node.operatorToken);
      if (OPERATION.test(operator))
        for (const side of [node.left, node.right]) add(node, `(${textOf(side)})`);
      if (COMPARISON.test(operator)) for (const always of ['true', 'false']) add(node, always);
      if (ASSIGNMENT.test(operator)) add(node.operatorToken, '=');
    }
    if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) add(node, ';');
    if (ts.isPropertyAccessExpression(node)) {
      const other = COUNTERPARTS.get(node.name.text);
      if (other !== undefined) add(node.name, other);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
};
