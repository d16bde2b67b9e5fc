import type { Registry } from 'prom-client';
import { createHistogram } from '../histogram.ts';
import { counter, gauge, plain, timeHistogram } from './scrape.ts';

/** Counts requests by route and outcome. */
export interface RequestMeter {
  /** Call it when a request arrives. */
  begun(): void;
  /**
   * Call it once for each request that has begun.
   *
   * @param route Name of the route, never a path: each name is a series.
   * @param outcome `ok`, `aborted` or the code of the failure.
   * @param ms From the first byte of the request to the last byte of the answer.
   */
  ended(route: string, outcome: string, ms: number): void;
  register(registry: Registry): void;
}

interface Route {
  readonly outcomes: Map<string, number>;
  readonly timesMs: ReturnType<typeof createHistogram>;
}

const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000];

/** Creates a meter at 0. It uses only maps and arrays, since every redirect passes through it. */
export const createRequestMeter = (): RequestMeter => {
  const routes = new Map<string, Route>();
  let inFlight = 0;

  const find = (name: string): Route => {
    const known = routes.get(name);
    if (known !== undefined) return known;
    const route = { outcomes: new Map<string, number>(), timesMs: createHistogram(BOUNDS_MS) };
    routes.set(name, route);
    return route;
  };

  return {
    begun() {
      inFlight += 1;
    },
    ended(route, outcome, ms) {
      inFlight -= 1;
      const { outcomes, timesMs } = find(route);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      timesMs.observe(ms);
    },
    register(registry) {
      counter(
        registry,
        'tessera_http_requests_total',
        'Requests that were answered, or aborted by the caller.',
        () =>
          [...routes].flatMap(([route, { outcomes }]) =>
            [...outcomes].map(([outcome, count]) => [{ route, outcome }, count] as const),
          ),
      );
      timeHistogram(
        registry,
        'tessera_http_request_duration_seconds',
        'From the first byte of a request to the last byte of its answer.',
        () => [...routes].map(([route, { timesMs }]) => [{ route }, timesMs.snapshot()] as const),
      );
      gauge(registry, 'tessera_http_requests_in_flight', 'Requests that have no answer yet.', () =>
        plain(inFlight),
      );
    },
  };
};
