/**
 * Removes from `node_modules` what the service never reads: `node deploy/image/prune.mjs node_modules`. Licences and
 * notices stay. test/deploy/pruned.test.ts looks for files that are missed, and image.test.ts beside it starts the service
 * from what is left.
 */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

/** Files whose text must come with every copy of a package. */
const LEGAL = /(^|\/)[^/]*(licen[cs]e|notice|copying|copyright|authors)[^/]*$/i;

/** Paths inside any package: source maps, declarations and sources, papers, tests. */
const UNREAD = [
  /\.map$/,
  /\.[cm]?ts$/,
  /\.flow$/,
  /\.(md|markdown)$/i,
  /\.(c|cc|cpp|h|hpp|gyp|gypi)$/,
  /^(\.[^/]+|tests?|__tests__|docs?|examples?|bench|benchmarks?|coverage|man)(\/|$)/,
];

/** Paths inside single packages: what other programs than Node load, other fonts, and what we do not use. */
const UNREAD_OF = [
  { packages: /^(@aws-sdk|@smithy|@aws)\//, paths: /^dist-es\// },
  { packages: /^@electric-sql\/pglite$/, paths: /^dist\/(.*\.cjs$|node-postgres\/|.*\.tar\.gz$)/ },
  { packages: /^@electric-sql\/pglite-(?!socket$)/, paths: /\.tar\.gz$/ },
  { packages: /^@undecaf\/zbar-wasm$/, paths: /^dist\/(inlined\/|index\.)/ },
  {
    packages: /^dejavu-fonts-ttf$/,
    paths: /^(?!package\.json$|ttf\/DejaVuSans(Condensed|(Mono)?(-Bold)?)\.ttf$)/,
  },
  { packages: /^@fontsource\//, paths: /^(?!package\.json$|files\/[a-z-]+-(400|700)-normal\.woff$)|-latin-/ },
  { packages: /^harfbuzzjs$/, paths: /^(?!package\.json$|dist\/harfbuzz\.wasm$)/ },
  { packages: /^fontkit$/, paths: /^(dist\/browser|src\/)/ },
  { packages: /^pdfkit$/, paths: /^js\/(pdfkit\.(standalone|browser|old)|.*\.old\.)/ },
  { packages: /^typebox$/, paths: /^src\// },
  { packages: /^yaml$/, paths: /^browser\// },
  { packages: /^zxing-wasm$/, paths: /^dist\/(full|writer|iife)\// },
];

/**
 * Says whether the service may read a file of a package.
 * @param {string} name the package, with its scope
 * @param {string} path inside the package, with `/`
 */
export const isRead = (name, path) => {
  if (LEGAL.test(path)) return true;
  if (UNREAD.some((unread) => unread.test(path))) return false;
  return !UNREAD_OF.some(({ packages, paths }) => packages.test(name) && paths.test(path));
};

/**
 * Says whether a package has code for this system; a package without such fields has.
 * @param {{ os?: string[], cpu?: string[], libc?: string[] }} manifest
 * @param {{ os: string, cpu: string, libc: string }} system
 */
export const runsOn = ({ os, cpu, libc }, system) =>
  (os?.includes(system.os) ?? true) &&
  (cpu?.includes(system.cpu) ?? true) &&
  (system.os !== 'linux' || (libc?.includes(system.libc) ?? true));

/** The system of the image. */
const SYSTEM = { os: 'linux', cpu: process.arch, libc: 'glibc' };

/**
 * The packages of a `node_modules`, those inside other packages too.
 * @param {string} folder
 * @returns {{ name: string, folder: string }[]}
 */
export const packagesIn = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .flatMap(({ name }) =>
      name.startsWith('@') ? readdirSync(join(folder, name)).map((inner) => `${name}/${inner}`) : [name],
    )
    .flatMap((name) => {
      const home = join(folder, name);
      const nested = join(home, 'node_modules');
      const hasNested = statSync(nested, { throwIfNoEntry: false })?.isDirectory() ?? false;
      return [{ name, folder: home }, ...(hasNested ? packagesIn(nested) : [])];
    });

/**
 * The files of a package, without those of the packages inside it.
 * @param {string} folder
 * @returns {string[]}
 */
export const filesOf = (folder, prefix = '') =>
  readdirSync(join(folder, prefix), { withFileTypes: true }).flatMap((entry) => {
    const path = prefix + entry.name;
    if (!entry.isDirectory()) return [path];
    return path === 'node_modules' ? [] : filesOf(folder, `${path}/`);
  });

/**
 * Removes what is not read. Folders that become empty stay: they cost nothing.
 * @param {string} folder a `node_modules`
 */
export const prune = (folder) => {
  rmSync(join(folder, '.bin'), { recursive: true, force: true });
  for (const { name, folder: home } of packagesIn(folder)) {
    const manifest = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    if (!runsOn(manifest, SYSTEM)) {
      rmSync(home, { recursive: true });
      continue;
    }
    for (const path of filesOf(home)) if (!isRead(name, path)) rmSync(join(home, path));
  }
};

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const [, , folder] = argv;
  if (folder === undefined) {
    console.error('usage: node prune.mjs <node_modules>');
    process.exit(1);
  }
  prune(folder);
}
