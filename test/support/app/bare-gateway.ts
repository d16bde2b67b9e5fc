/** A gateway without routes and without stores. */
import { createBodyBudget } from '../../../src/http/bodies/body-budget.ts';
import { createGateway } from '../../../src/http/gateway.ts';
import { createLogger } from '../../../src/http/log.ts';
import { createFreeWork } from '../../../src/limits/free-work.ts';
import { createMeter } from '../../../src/limits/meter.ts';
import { createRequestMeter } from '../../../src/metrics/requests.ts';
import type { TestScope } from '../../servers/server-process.ts';

/** Creates it. Tests register their own routes. */
export const bareGateway = (scope: TestScope, { requests = createRequestMeter() } = {}) => {
  const config = { trustProxy: false, publicUrl: null, lingering: { timeoutMs: 0, maxBytes: 0 } };
  const gateway = createGateway(config, createLogger('silent'), {
    requests,
    bodies: createBodyBudget(1024),
    meter: createMeter(createFreeWork(0), 1, () => 0),
    tracer: null,
    isImageSource: () => true,
    isLeaving: () => false,
    refusesWhenClosing: () => true,
    findDomain: () => undefined,
  });
  scope.teardown(() => gateway.close());
  return gateway;
};
