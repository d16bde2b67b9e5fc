import type { Registry } from 'prom-client';
import type { RenderPool } from '../render/pool.ts';
import { byLabel, metricsIn } from './scrape.ts';

/** Registers the render queue and its threads. */
export const registerRendering = (registry: Registry, stats: RenderPool['stats']): void => {
  const { counter, gauge, timeHistogram } = metricsIn(registry);
  gauge('tessera_render_tasks_queued', 'Pictures that wait for a thread.', () =>
    byLabel('kind', stats().queued),
  );
  gauge(
    'tessera_render_queue_seconds',
    'Estimated work that waits, on one thread.',
    () => stats().queuedMs / 1000,
  );
  gauge(
    'tessera_render_queue_bytes',
    'Estimated memory of pictures that wait: texts and logos.',
    () => stats().queuedBytes,
  );
  gauge('tessera_render_tasks_running', 'Pictures in threads.', () => stats().running);
  gauge('tessera_render_threads', 'Render threads.', () => stats().threads);
  gauge(
    'tessera_render_threads_stuck',
    'Threads that hang and cannot be stopped; with two of them the process drains and ends.',
    () => stats().stuckThreads,
  );
  gauge(
    'tessera_render_pace',
    'How long pictures take, as a multiple of their estimates: a moving average.',
    () => stats().pace,
    'average',
  );
  counter('tessera_render_failures_total', 'Pictures that were not drawn.', () => {
    const { failures, faults } = stats();
    return byLabel('reason', { ...failures, fault: faults });
  });
  counter('tessera_pictures_total', 'Pictures that were drawn, by their grade.', () =>
    byLabel('grade', Object.fromEntries(stats().grades.entries())),
  );
  timeHistogram(
    'tessera_render_wait_seconds',
    'From the arrival of a picture until it is handed to a thread.',
    () => [[{}, stats().queueMs]],
  );
  timeHistogram('tessera_render_duration_seconds', 'Drawing of a picture in its thread.', () =>
    Object.entries(stats().renderMs).map(([lane, snapshot]) => [{ lane }, snapshot] as const),
  );
};
