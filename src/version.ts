import { readFileSync } from 'node:fs';

/** The folder that holds `src`: the project's folder, or `dist` in it. */
const parent = new URL('../', import.meta.url);
const project = parent.pathname.endsWith('/dist/') ? new URL('../', parent) : parent;

/** The version of the product, from `package.json`. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', project), 'utf8')).version;
