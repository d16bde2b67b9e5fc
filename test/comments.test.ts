import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Folders in which every export has a doc comment. */
const DONE = ['bench', 'clients', 'src', 'test/servers', 'test/support', 'workers'] as const;

/** Written by openapi-typescript. */
const GENERATED: readonly string[] = ['clients/typescript/src/document.ts', 'src/dashboard/api/types.ts'];

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const nameOf = (statement: ts.Statement): string => {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0]!.name.getText();
  return (statement as ts.DeclarationStatement).name?.getText() ?? 'default';
};

/** Whether a comment with some text ends right above the declaration: one with an empty line below it is the file's. */
const isDocumented = (statement: ts.Statement, text: string): boolean =>
  ts
    .getJSDocCommentsAndTags(statement)
    .filter(ts.isJSDoc)
    .some(
      ({ comment, tags, end }) =>
        (comment ?? tags) !== undefined && !/\n\s*\n/.test(text.slice(end, statement.getStart())),
    );

/** A doc comment with some text, right above an export. */
const DOCUMENTED = /\/\*\*(?=[\s*]*[^\s*/])(?:(?!\*\/)[\s\S])*\*\/\nexport\b/g;

/** Exported declarations of a module that have no doc comment. Only a module that seems to have some is parsed. */
const undocumentedIn = (path: string, text: string): string[] =>
  text.match(/^export\b/gm)?.length === text.match(DOCUMENTED)?.length
    ? []
    : ts
        .createSourceFile(path, text, ts.ScriptTarget.Latest, true)
        .statements.filter((statement) => isExported(statement) && !isDocumented(statement, text))
        .map((statement) => `${path}: ${nameOf(statement)}`);

const modulesOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => join(folder, file))
    .filter((path) => !GENERATED.includes(path));

for (const folder of DONE) {
  t.test(`every export in ${folder} has a doc comment`, async (t) => {
    const modules = modulesOf(folder);
    t.ok(modules.length > 0, 'the folder has modules');
    const missing = modules.flatMap((path) => undocumentedIn(path, readFileSync(join(ROOT, path), 'utf8')));
    t.strictSame(missing, []);
  });
}

t.test('the check finds a missing comment on any kind of export', async (t) => {
  const statements = [
    '/** This comment belongs to the file. */\n\nexport const bare = a;',
    '/** Says something. */\nexport const told = a;',
    '// This is no doc comment.\nexport function lines() {}',
    '/** */\nexport interface Empty {}',
    'export type Named = string;',
    '/** @throws Always. */\nexport const tagged = () => { throw a; };',
    'export default function () {}',
    'const inner = a;',
  ];
  const missing = ['m.ts: bare', 'm.ts: lines', 'm.ts: Empty', 'm.ts: Named', 'm.ts: default'];
  t.strictSame(undocumentedIn('m.ts', statements.join('\n')), missing);
  t.strictSame(
    statements.flatMap((statement) => undocumentedIn('m.ts', statement)),
    missing,
    'also alone',
  );
});
