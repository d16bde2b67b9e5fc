/** The composition root: builds the parts that the role of a gateway needs, from the config. */
import type { App } from './compose/serving.ts';
import type { Config } from './config/config.ts';
import { createLogger, openLogOutput } from './http/log.ts';
import type { Exposition, Metrics } from './metrics/metrics.ts';

/**
 * Builds every part and registers the routes; does not listen yet. When a part fails, those already started are closed.
 *
 * @param onStuck Called when render threads hang and cannot be ended. The process should then drain and exit.
 * @param publish Returns what `/metrics` answers with, given the metrics of this process; by default those metrics.
 */
export const createApp = async (
  config: Config,
  onStuck: () => void,
  publish: (own: Metrics) => Exposition = (own) => own,
): Promise<App> => {
  const logger = createLogger(config.logLevel, openLogOutput(config.adminToken));
  // Each loads only its own parts: those that draw take a second and a hundred megabytes.
  if (config.duties.serves === 'redirects') {
    const { createRedirectApp } = await import('./compose/redirect-app.ts');
    return createRedirectApp(config, logger, publish);
  }
  const { createWholeApp } = await import('./compose/whole-app.ts');
  return createWholeApp(config, logger, onStuck, publish);
};
