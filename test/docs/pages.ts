/** The project's pages as Markdown: their blocks, tables, headings and links. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Returns the text of a page. The path is relative to the project root. */
export const readPage = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The pages for users and operators, in reading order. */
export const USER_PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => `docs/${file}`),
];

export const ALL_PAGES: readonly string[] = [
  ...USER_PAGES,
  'CONTRIBUTING.md',
  'clients/python/README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'clients/typescript/README.md',
  'src/quota/README.md',
  'test/corpus/README.md',
];

export interface Block {
  /** `sh`, `json` and so on; empty when the block names none. */
  readonly language: string;
  readonly text: string;
  /** The text between this block and the one before it. */
  readonly before: string;
}

/** The fenced blocks of a page, in order. */
export const blocksOf = (page: string): readonly Block[] => {
  let end = 0;
  return [...page.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => {
    const before = page.slice(end, match.index);
    end = match.index + match[0].length;
    return { language: match[1]!, text: match[2]!, before };
  });
};

/** Returns the text between `<!-- name -->` and `<!-- /name -->`, trimmed. */
export const markedPart = (page: string, name: string): string =>
  new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)<!-- /${name} -->`).exec(page)?.[1]?.trim() ?? '';

/** Returns the cells of every table row of a page, without header rows and separators. */
export const tableRows = (page: string): readonly (readonly string[])[] => {
  const lines = page.split('\n');
  const isRuler = (line: string | undefined): boolean => /^\|(-+\|)+$/.test(line ?? '');
  return lines
    .filter((line, i) => line.startsWith('|') && !isRuler(line) && !isRuler(lines[i + 1]))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
};

const withoutBlocks = (page: string): string => page.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The anchors that GitHub gives the headings of a page. */
export const anchorsOf = (page: string): readonly string[] =>
  [...withoutBlocks(page).matchAll(/^#+ +(.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The targets of a page's links and pictures that stay inside the project. */
export const ownLinksOf = (page: string): readonly string[] => {
  const text = withoutBlocks(page).replaceAll(/`[^`\n]*`/g, '');
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(
    ([, link, picture]) => link ?? picture!,
  );
  return targets.filter((target) => !/^[a-z]+:/.test(target));
};
