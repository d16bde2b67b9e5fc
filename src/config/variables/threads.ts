import { integer } from '../parse.ts';
import { defineVariable } from './variable.ts';

/** Threads that draw and read pictures, and how much may wait for them. */
export const THREADS = {
  RENDER_THREADS: defineVariable(
    null,
    integer(1, 256),
    'render threads of each gateway process; default: available cores divided by `GATEWAYS`, minus 1, at least 1; an extra thread draws small pictures while large ones and batches are drawn',
    '4',
  ),
  RENDER_QUEUE_MAX: defineVariable(
    null,
    integer(1, 1_000_000),
    'queued render tasks before 503; default: 20000 a thread, so that time and memory are the bounds',
    '1024',
  ),
  RENDER_QUEUE_MAX_BYTES: defineVariable(
    '268435456',
    integer(1024, 100_000_000_000),
    'bytes of queued render tasks, texts and logos, before 503',
  ),
  READ_THREADS: defineVariable(
    null,
    integer(1, 256),
    'threads of each gateway process that read pictures for receipts; they have the lowest priority, run only while there is something to read, and take at most a quarter of `RENDER_THREADS` while other work waits to be drawn; default: `RENDER_THREADS`',
    '2',
  ),
} as const;
