/**
 * THIRD-PARTY-NOTICES.md: every package that runs in production or is part of a bundle, from the lock file, and the
 * notices that they require. `npm run notices` writes the file; `packages.test.ts` compares it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Development packages that are bundled into the dashboard. */
export const BUNDLED = [
  '@tanstack/preact-query',
  '@tanstack/query-core',
  'openapi-fetch',
  'openapi-typescript-helpers',
  'preact',
  'preact-iso',
  'uplot',
];

/** Licences of packages whose entry in the lock file has no usable licence, taken from the packages. */
const UNSAID: Readonly<Record<string, string>> = { 'png-js': 'MIT', 'dejavu-fonts-ttf': 'Bitstream-Vera' };

/** Allowed licences. LGPL and MPL packages are separate files, which anyone may replace. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'Bitstream-Vera',
  'BlueOak-1.0.0',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'LGPL-2.1+',
  'LGPL-3.0-or-later',
  'MIT',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
];

/** Further components in packages, with their licences. */
const INSIDE = [
  ['@fontsource/noto-sans-thai', 'Noto Sans Thai: SIL Open Font License 1.1, in its file `LICENSE`'],
  ['@electric-sql/pglite', 'PostgreSQL in WebAssembly: PostgreSQL License'],
  [
    '@img/sharp-libvips-*',
    'libvips and the libraries that its own `THIRD-PARTY-NOTICES.md` lists: LGPL-3.0-or-later and others; shared libraries that may be replaced',
  ],
  ['@resvg/resvg-js-*', 'resvg and Rust crates, native: MPL-2.0; sources at github.com/thx/resvg-js'],
  ['@resvg/resvg-wasm', 'resvg and Rust crates in WebAssembly: MPL-2.0; sources at github.com/thx/resvg-js'],
  [
    '@undecaf/zbar-wasm',
    'ZBar in WebAssembly: LGPL-2.1 or later; a file of its own, which may be replaced; sources at github.com/undecaf/zbar-wasm',
  ],
  ['dejavu-fonts-ttf', 'the DejaVu fonts: the licence below'],
  ['harfbuzzjs', 'HarfBuzz in WebAssembly: MIT'],
  ['zxing-wasm', 'ZXing-C++ in WebAssembly: Apache-2.0'],
];

/** A package of the lock file. */
export interface Package {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
}

interface Locked {
  readonly version: string;
  readonly license?: string;
  readonly dev?: boolean;
}

/** Returns the production packages of the lock file and the bundled ones by name and version, each once. */
export const readPackages = (): readonly Package[] => {
  const { packages } = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8')) as {
    packages: Record<string, Locked>;
  };
  const found = new Map<string, Package>();
  for (const [path, { version, license, dev }] of Object.entries(packages)) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
    if (path === '' || (dev && !BUNDLED.includes(name))) continue;
    found.set(`${name} ${version}`, { name, version, license: UNSAID[name] ?? license ?? 'unknown' });
  }
  return [...found.values()].sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
};

/** Returns the licences that an expression names. */
export const licencesIn = (expression: string): readonly string[] =>
  expression.split(/[\s()]+|\bAND\b|\bOR\b/).filter((word) => word !== '');

const licenceOf = (name: string): string => {
  const folder = `${ROOT}/node_modules/${name}`;
  const file = existsSync(folder) && readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name} has no file LICENSE: run npm ci`);
  return readFileSync(`${folder}/${file}`, 'utf8')
    .replaceAll('\r', '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim();
};

const fenced = (text: string): string => ['```text', text, '```'].join('\n');

/** Returns the text of the file. */
export const notices = (): string => {
  const packages = readPackages();
  const bundled = packages.filter(({ name }) => BUNDLED.includes(name));
  return [
    '# Third-party notices',
    '',
    'Tessera is used with the packages below. Each is installed with its own licence file, `node_modules/<package>/LICENSE`, in a',
    'checkout and in the image. Packages for other platforms than yours are not installed. `npm run notices` writes this page from',
    'the lock file, and `npm run sbom` writes a bill of materials (CycloneDX).',
    '',
    '| Package | Version | Licence |',
    '|---|---|---|',
    ...packages.map(({ name, version, license }) => `| ${name} | ${version} | ${license} |`),
    '',
    '## Inside packages',
    '',
    '| Package | Has |',
    '|---|---|',
    ...INSIDE.map(([name, has]) => `| ${name} | ${has} |`),
    '',
    '## In the dashboard',
    '',
    'These packages are part of the files that browsers load.',
    '',
    ...bundled.flatMap(({ name }) => [`### ${name}`, '', fenced(licenceOf(name)), '']),
    '## DejaVu fonts',
    '',
    fenced(licenceOf('dejavu-fonts-ttf')),
    '',
  ].join('\n');
};

/** The path of the file. */
export const NOTICES = `${ROOT}/THIRD-PARTY-NOTICES.md`;
