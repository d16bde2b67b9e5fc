import { flag, integer, oneOf } from '../parse.ts';
import { defineVariable } from './variable.ts';

/** How the service ends, and what it reports about itself. */
export const OPERATION = {
  SHUTDOWN_GRACE_MS: defineVariable(
    null,
    integer(0, 60_000),
    'milliseconds after SIGTERM for which work is still taken while `/readyz` says 503, so that balancers look elsewhere; default: 3000 with `REDIS_URL`, otherwise 0',
    '5000',
  ),
  METRICS_PUBLIC: defineVariable('false', flag, 'serves `/metrics` without the admin token', 'true'),
  LOG_LEVEL: defineVariable(
    'info',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    'pino level',
  ),
  ACCESS_LOG: defineVariable(
    'all',
    oneOf('all', 'errors', 'off'),
    'lines for answered requests: for all of them, those with a status of 400 or more, or none; with a `LOG_LEVEL` above `info` there are none',
    'errors',
  ),
} as const;
