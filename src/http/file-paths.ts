import type { onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';

/** The names that a build gives its files. None is hidden or encoded, or leads out of its folder. */
const PLAIN_SEGMENT = /^(?!\.)[\w.@-]{1,100}$/;
const MAX_SEGMENTS = 10;

const isPlain = (path: string): boolean => {
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  return segments.length <= MAX_SEGMENTS && segments.every((segment) => PLAIN_SEGMENT.test(segment));
};

/** Returns `dist/<name>/`, which is next to `dist/src` in a build. The sources use that of the last build. */
export const builtFolder = (name: string): URL => {
  const project = new URL('../../', import.meta.url);
  return new URL(project.pathname.endsWith('/dist/') ? `${name}/` : `dist/${name}/`, project);
};

/**
 * Answers 404 for a path that no file of ours can have. It is a hook for routes that read files, because for some paths
 * (NUL, long names, `..`) the file system fails in other ways.
 */
export const refuseOddPaths: onRequestHookHandler = (request, _, done) => {
  const path = request.raw.url?.split('?', 1)[0] ?? '';
  done(isPlain(path) ? undefined : new AppError('not_found', 'There is no such file.'));
};
