import type { onRequestHookHandler } from 'fastify';
import { AppError } from '../errors.ts';

/** A build names its files so; nothing in it is hidden, encoded or leads out of its folder. */
const PLAIN_SEGMENT = /^(?!\.)[\w.@-]{1,100}$/;
const MAX_SEGMENTS = 10;

const isPlain = (path: string): boolean => {
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  return segments.length <= MAX_SEGMENTS && segments.every((segment) => PLAIN_SEGMENT.test(segment));
};

/**
 * For routes that read files: a path that no file of ours has is 404 before the file system is asked. It would
 * answer some of them (NUL, names too long, `..`) with faults of all kinds.
 */
export const refuseOddPaths: onRequestHookHandler = (request, _, done) => {
  const path = request.raw.url?.split('?', 1)[0] ?? '';
  done(isPlain(path) ? undefined : new AppError('not_found', 'There is no such file.'));
};
