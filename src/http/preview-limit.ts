import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';

export interface PreviewLimitOptions {
  /** Previews that a session may ask for at once, and then each second. */
  readonly burst: number;
  readonly perSecond: number;
  /** Of one session being drawn. */
  readonly maxRunning: number;
  /** Sessions remembered; the one unused for longest is forgotten. */
  readonly maxSessions: number;
}

interface Use {
  left: number;
  atMs: number;
  running: number;
}

const slowDown = (details: string, retryAfterS: number) =>
  new AppError('rate_limited', details, { retryAfterS });

/** Keeps previews, which cost nothing, at what a person at a form needs: a token bucket for each session. */
export const createPreviewLimit = (options: PreviewLimitOptions) => {
  const { burst, perSecond, maxRunning, maxSessions } = options;
  const sessions = new LRUCache<string, Use>({ max: maxSessions });

  const useOf = (sessionId: string): Use => {
    const nowMs = performance.now();
    const use = sessions.get(sessionId) ?? { left: burst, atMs: nowMs, running: 0 };
    use.left = Math.min(burst, use.left + ((nowMs - use.atMs) * perSecond) / 1000);
    use.atMs = nowMs;
    sessions.set(sessionId, use);
    return use;
  };

  return {
    /** Counts a preview. @throws {AppError} 429 for one too many. */
    admit(sessionId: string): void {
      const use = useOf(sessionId);
      if (use.left < 1) {
        const details = `A session may ask for ${perSecond} previews a second; slow down.`;
        throw slowDown(details, Math.max(1, Math.ceil((1 - use.left) / perSecond)));
      }
      use.left -= 1;
    },

    /** Draws one. @throws {AppError} 429 when too many of the session are being drawn, and as `draw` does. */
    async run<T>(sessionId: string, draw: () => Promise<T>): Promise<T> {
      const use = useOf(sessionId);
      if (use.running >= maxRunning) {
        throw slowDown(`A session may have ${maxRunning} previews drawn at a time; wait for them.`, 1);
      }
      use.running += 1;
      try {
        return await draw();
      } finally {
        use.running -= 1;
      }
    },
  };
};
