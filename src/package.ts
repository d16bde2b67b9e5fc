/** The package that runs: the project, or its build in `dist`. */
import { readFileSync } from 'node:fs';

/** The folder that holds `src`: the project's folder, or `dist` in it. */
const parent = new URL('../', import.meta.url);
const isBuild = parent.pathname.endsWith('/dist/');
const project = isBuild ? new URL('../', parent) : parent;

/** The version of the product, from `package.json`. */
export const VERSION: string = JSON.parse(readFileSync(new URL('package.json', project), 'utf8')).version;

/** Returns `dist/<name>/`, which is next to `dist/src` in a build. The sources use that of the last build. */
export const builtFolder = (name: string): URL => new URL(`dist/${name}/`, project);
