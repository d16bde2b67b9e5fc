/**
 * Bundles of TypeScript: plain JavaScript, one file for an entry and all project files that it imports. A bundle is
 * reused until one of these files changes. `make.mjs` makes them.
 */
const { execFileSync } = require('node:child_process');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const MAKERS = ['bundle.cjs', 'make.mjs', 'packages.mjs'].map((name) => join(__dirname, name));
const CACHE = resolve(__dirname, '../../../node_modules/.cache/tessera-tests');

const hash = (...texts) => createHash('sha1').update(texts.join('\0')).digest('hex');

const VERSION = hash(...MAKERS.map((file) => readFileSync(file)));

/** Kinds of bundles, by the ending of their files. Piscina requires the module of a thread, so that is CommonJS. */
const ENDINGS = { module: '.mjs', thread: '.cjs' };

const fileOf = (kind, entry) => join(CACHE, `${hash(VERSION, entry)}${ENDINGS[kind]}`);

/** Returns whether one of the files has changed; throws when one is missing. */
const stateOf = (files) =>
  files.map((file) => [statSync(file).mtimeMs, statSync(file).size].join()).join(' ');

/** Returns the bundle of the current files, or `null` when there is none. */
const findBundle = (kind, entry) => {
  const file = fileOf(kind, entry);
  try {
    const { files, state } = JSON.parse(readFileSync(`${file}.json`, 'utf8'));
    return state === stateOf(files) ? file : null;
  } catch {
    return null;
  }
};

/** Writes under another name and renames, because other processes read it. */
const write = (file, text) => {
  const unfinished = join(CACHE, `${process.pid}-${Math.random()}`);
  writeFileSync(unfinished, text);
  renameSync(unfinished, file);
};

/** Stores the bundle of `files`. */
const keepBundle = (kind, entry, text, files) => {
  const file = fileOf(kind, entry);
  mkdirSync(CACHE, { recursive: true });
  write(file, text);
  write(`${file}.json`, JSON.stringify({ files, state: stateOf(files) }));
};

const make = (kind, entry) => {
  const { NODE_OPTIONS, ...env } = process.env;
  execFileSync(process.execPath, [join(__dirname, 'make.mjs'), kind, entry], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return fileOf(kind, entry);
};

const bundles = new Map();

/** Returns the path of the bundle of the module at the path `entry`, and makes the bundle if necessary. */
const bundleOf = (kind, entry) => {
  if (!bundles.has(entry)) bundles.set(entry, findBundle(kind, entry) ?? make(kind, entry));
  return bundles.get(entry);
};

module.exports = { CACHE, bundleOf, findBundle, keepBundle };
