import type { Log } from '../log.ts';
import type { Tracer, TracingOptions } from './trace.ts';

/** Opens the tracer. Without options nothing is loaded, and the tracer is `null`. */
export const openTracer = async (
  options: TracingOptions | null,
  version: string,
  log: Pick<Log, 'warn' | 'info'>,
): Promise<Tracer | null> => {
  if (options === null) return null;
  const { createTracer } = await import('./tracer.ts');
  return createTracer(options, version, log);
};
