/** The packages and files that the image keeps. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, isRead, packagesIn } from '../../deploy/image/prune.mjs';
import { ROOT } from './dockerfile.ts';

/** Production packages, without development dependencies. */
const PRODUCTION: readonly string[] = Object.entries<{ dev?: boolean; devOptional?: boolean }>(
  JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages,
)
  .filter(
    ([path, { dev, devOptional }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional,
  )
  .map(([path]) => path)
  .filter((path) => existsSync(join(ROOT, path)));

/** Every production package with the files that the image keeps of it. */
export const packages = PRODUCTION.flatMap((path) => {
  const folder = join(ROOT, path);
  const nested = join(folder, 'node_modules');
  return [
    { name: path.replace('node_modules/', ''), folder },
    ...(existsSync(nested) ? packagesIn(nested) : []),
  ];
}).map(({ name, folder }) => ({
  ...{ name, folder },
  kept: filesOf(folder).filter((path) => isRead(name, path)),
}));
