import { readFileSync } from 'node:fs';

/** Where `src` lies: the project's folder, or `dist` in it. */
const parent = new URL('../', import.meta.url);
const project = parent.pathname.endsWith('/dist/') ? new URL('../', parent) : parent;

/** The product's version, as `package.json` has it. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', project), 'utf8')).version;
