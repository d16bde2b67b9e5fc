import type { Registry } from 'prom-client';
import { createHistogram } from '../histogram.ts';
import { byLabel, metricsIn } from './scrape.ts';

/** Counts requests by route and outcome. */
export type RequestMeter = ReturnType<typeof createRequestMeter>;

interface Route {
  readonly outcomes: Map<string, number>;
  readonly timesMs: ReturnType<typeof createHistogram>;
}

/** Answered requests by the name of their route. */
type Routes = Map<string, Route>;

const BOUNDS_MS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000];

/** Creates a meter at 0. It uses only maps and arrays, since every redirect passes through it. */
export const createRequestMeter = () => {
  const routes: Routes = new Map();
  const loadTests: Routes = new Map();
  let inFlight = 0;
  let begun = 0;
  /** Area under the curve of requests in flight, up to the last change. */
  let inFlightMs = 0;
  let changedMs = performance.now();

  const change = (by: -1 | 0 | 1): void => {
    const nowMs = performance.now();
    inFlightMs += inFlight * (nowMs - changedMs);
    changedMs = nowMs;
    inFlight += by;
  };

  const find = (routes: Routes, name: string): Route => {
    const known = routes.get(name);
    if (known !== undefined) return known;
    const route = { outcomes: new Map<string, number>(), timesMs: createHistogram(BOUNDS_MS) };
    routes.set(name, route);
    return route;
  };

  return {
    /** Call it when a request arrives. */
    begin(): void {
      change(1);
      begun += 1;
    },
    /** Requests that have no answer yet. */
    inFlight: (): number => inFlight,
    /** Requests that have arrived so far. */
    begun: (): number => begun,
    /**
     * Call it once for each request that has begun.
     *
     * @param route Name of the route, never a path: each name is a series.
     * @param outcome `ok`, `aborted` or the code of the failure.
     * @param ms From the first byte of the request to the last byte of the answer.
     * @param isLoadTest Whether the request is marked as one of a load test: such requests have metrics of their own.
     */
    ended(route: string, outcome: string, ms: number, isLoadTest = false): void {
      change(-1);
      const { outcomes, timesMs } = find(isLoadTest ? loadTests : routes, route);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      timesMs.observe(ms);
    },
    register(registry: Registry): void {
      const { counter, gauge, timeHistogram } = metricsIn(registry);
      const countsOf = (routes: Routes) => () =>
        [...routes].flatMap(([route, { outcomes }]) =>
          [...outcomes].map(([outcome, count]) => [{ route, outcome }, count] as const),
        );
      const timesOf = (routes: Routes) => () =>
        [...routes].map(([route, { timesMs }]) => [{ route }, timesMs.snapshot()] as const);
      counter(
        'tessera_http_requests_total',
        'Requests that were answered, or aborted by the caller, without those of load tests.',
        countsOf(routes),
      );
      timeHistogram(
        'tessera_http_request_duration_seconds',
        'From the first byte of a request to the last byte of its answer, without load tests.',
        timesOf(routes),
      );
      counter(
        'tessera_load_test_requests_total',
        'Requests marked as those of a load test that were answered, or aborted by the caller.',
        countsOf(loadTests),
      );
      timeHistogram(
        'tessera_load_test_request_duration_seconds',
        'From the first byte of a request of a load test to the last byte of its answer.',
        timesOf(loadTests),
      );
      gauge('tessera_http_requests_in_flight', 'Requests that have no answer yet.', () => inFlight);
      counter(
        'tessera_http_requests_in_flight_seconds_total',
        'Seconds that requests were in flight, of all requests together.',
        () => {
          change(0);
          return inFlightMs / 1000;
        },
      );
    },
  };
};

/**
 * Registers the bytes of request bodies that are being received or processed, by whether their caller is authenticated.
 */
export const registerBodies = (
  registry: Registry,
  inFlight: () => { readonly customers: number; readonly strangers: number },
): void =>
  metricsIn(registry).gauge(
    'tessera_bodies_in_flight_bytes',
    'Bytes of request bodies that are being received or processed; strangers have no valid key.',
    () => byLabel('from', inFlight()),
  );

/** Registers the accounts that have overdrawn their budget of free work, whose unpaid calls are refused. */
export const registerFreeWork = (registry: Registry, overdrawn: () => number): void =>
  metricsIn(registry).gauge(
    'tessera_free_work_overdrawn_accounts',
    'Accounts that have overdrawn their budget of free work: their calls that are not paid get a 429.',
    overdrawn,
  );

/** Registers the streamed answers that are being sent: their places are bounded. */
export const registerStreams = (registry: Registry, open: () => number): void =>
  metricsIn(registry).gauge(
    'tessera_http_streams_open',
    'Streamed answers that are being sent; 132 at most.',
    open,
  );
