/** Links of all pages, and the length of the README. */
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { ALL_PAGES, anchorsOf, blocksOf, ownLinksOf, ROOT, readPage, USER_PAGES } from './pages.ts';

const README_MAX_LINES = 200;
const PICTURE_MAX_BYTES = 150_000;

t.test('each link on a page leads to an existing file and anchor', async (t) => {
  t.ok(ALL_PAGES.flatMap((page) => ownLinksOf(readPage(page))).length > 100);
  for (const page of ALL_PAGES) {
    for (const link of ownLinksOf(readPage(page))) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : normalize(join(dirname(page), path));
      t.ok(existsSync(join(ROOT, target)), `${page}: ${link}`);
      if (anchor !== undefined) t.ok(anchorsOf(readPage(target)).includes(anchor), `${page}: ${link}`);
    }
  }
});

t.test('the README links to every page, and a page with a folder to every page in it', async (t) => {
  for (const page of USER_PAGES.slice(1)) {
    const start = dirname(page) === 'docs' ? 'README.md' : `${dirname(page)}.md`;
    const links = ownLinksOf(readPage(start)).map((link) =>
      normalize(join(dirname(start), link.split('#')[0]!)),
    );
    t.ok(links.includes(page), `${start} links to ${page}`);
  }
});

t.test(`the README has at most ${README_MAX_LINES} lines`, async (t) => {
  t.ok(readPage('README.md').split('\n').length - 1 <= README_MAX_LINES);
});

t.test('the README says how to start and how to test', async (t) => {
  for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
    t.ok(readPage('README.md').includes(`\`\`\`sh\n${command}\n\`\`\``), command);
  }
  t.match(readPage('README.md'), '`npm run test:all`');
});

t.test('pictures in docs are small, and each is used on a page', async (t) => {
  const shown = ALL_PAGES.flatMap((page) =>
    ownLinksOf(readPage(page)).map((link) => normalize(join(dirname(page), link))),
  );
  for (const file of await readdir(join(ROOT, 'docs/images'))) {
    const path = `docs/images/${file}`;
    t.ok(statSync(join(ROOT, path)).size < PICTURE_MAX_BYTES, path);
    t.ok(shown.includes(path), `${path} is used`);
  }
});

t.test('no Mermaid diagram has a semicolon, which would end a statement', async (t) => {
  const diagrams = ALL_PAGES.flatMap((page) => blocksOf(readPage(page))).filter(
    ({ language }) => language === 'mermaid',
  );
  t.ok(diagrams.length >= 3);
  for (const { text } of diagrams) t.notMatch(text, /;/);
});

t.test('every file and folder that a page names exists', async (t) => {
  const { stdout } = await promisify(execFile)(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard'],
    { cwd: ROOT },
  );
  const files = stdout.split('\n');
  const named = ALL_PAGES.filter((page) => page !== 'test/corpus/README.md').flatMap((page) =>
    [...readPage(page).matchAll(/`((?:src|workers|sql|bench|test|docs)\/[\w./-]*)`/g)].map(
      ([, path]) => [page, path!] as const,
    ),
  );
  t.ok(named.length > 50);
  for (const [page, path] of named) {
    // Output of a benchmark exists only after its first run.
    if (path === 'bench/report/') continue;
    t.ok(
      files.some((file) => file === path || file.startsWith(path)),
      `${page}: ${path}`,
    );
  }
});
