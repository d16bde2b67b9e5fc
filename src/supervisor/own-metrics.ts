import { Registry } from 'prom-client';
import { registerRuntime } from '../metrics/runtime.ts';
import { metricsIn } from '../metrics/scrape.ts';
import type { Supervisor } from './supervisor.ts';

/** Registers the metrics of a supervisor itself. */
export const registerOwn = (stats: Supervisor['stats']): Registry => {
  const registry = new Registry();
  registerRuntime(registry);
  const { counter, gauge } = metricsIn(registry);
  gauge('tessera_gateway_processes', 'Gateway processes of this supervisor.', () => stats().running);
  counter(
    'tessera_gateway_process_deaths_total',
    'Gateway processes that ended although nothing had asked them to.',
    () => stats().deaths,
  );
  return registry;
};
