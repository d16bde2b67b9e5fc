/** docs/specification.md: each line names tests that exist, and each section that a comment cites is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT, readPage, tableRows } from './pages.ts';

const page = readPage('docs/specification.md');
const [, GEN = ''] = /`GEN`\nstands for `(test\/[\w./-]+)`/.exec(page) ?? [];
const sections = [...page.matchAll(/^##+ (\d(?:\.\d)?)\.? /gm)].map(([, number]) => number!);

t.test('each line names the tests that show it', async (t) => {
  const lines = tableRows(page);
  t.ok(lines.length > 80);
  for (const cells of lines) {
    const named = [...cells.at(-1)!.matchAll(/`([^`]+)`/g)].map(([, path]) => (path === 'GEN' ? GEN : path!));
    t.ok(named.length > 0, cells.join(' '));
    for (const path of named) t.ok(/^test\/.+\.test\.ts$/.test(path) && existsSync(join(ROOT, path)), path);
  }
});

/** The comments of a file, each as one line. */
const commentsOf = (text: string): readonly string[] =>
  [...text.matchAll(/\/\*\*?[\s\S]*?\*\/|(?:^ *\/\/.*\n)+/gm)].map(([comment]) =>
    comment.replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' '),
  );

/** The sections of the specification that a comment cites. Other specifications have a name before the word. */
const citedIn = (comment: string): readonly string[] =>
  [
    /\bsections? (\d(?:\.\d)?) of the (?:interface )?specification/g,
    /(?<!PNG |Core |Format |symbol )\b[Ss]pecification(?:'s form)? \(?(\d(?:\.\d)?)\b/g,
    /\bspecification asks for images \((\d\.\d)\)/g,
  ].flatMap((pattern) => [...comment.matchAll(pattern)].map(([, number]) => number!));

t.test('each section that a comment cites exists', async (t) => {
  const cited = ['src', 'workers', 'test', 'bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => join(folder, file))
      .flatMap((path) =>
        commentsOf(readFileSync(join(ROOT, path), 'utf8')).flatMap((comment) =>
          citedIn(comment).map((section) => ({ path, section })),
        ),
      ),
  );
  t.ok(cited.length > 5);
  for (const { path, section } of cited) t.ok(sections.includes(section), `${path}: ${section}`);
});

t.test('citations are found in every form, and those of other specifications are not', async (t) => {
  const forms = [
    'as specification 7.1 words it',
    'in the form of the specification (7.1)',
    'Specification 2.1: `image`',
    'section 4 of the specification',
    'section 2.1 of the interface specification',
    'as the specification asks for images (7.2)',
    "the specification's form (7.1)",
  ];
  t.strictSame(forms.map(citedIn), [['7.1'], ['7.1'], ['2.1'], ['4'], ['2.1'], ['7.2'], ['7.1']]);
  const others = [
    'GS1 General Specifications, 7.9',
    'PNG specification, 11.2.1',
    'Core Specification 2.0, 5.5.2',
  ];
  t.strictSame(others.flatMap(citedIn), []);
});
