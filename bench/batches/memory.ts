import type { Scope } from '../../test/servers/scope.ts';
import { rssBytes } from '../cpu.ts';

/** Watches the memory of a process. */
export interface MemoryWatch {
  /** The largest resident memory since the last call, in bytes. */
  takePeak(): number;
}

const LOOK_EVERY_MS = 50;

/** Looks at the memory of a process until the scope ends. */
export const watchMemory = (scope: Scope, pid: number): MemoryWatch => {
  let peak = 0;
  const look = () => {
    peak = Math.max(peak, rssBytes(pid));
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  scope.teardown(() => clearInterval(timer));
  return {
    takePeak() {
      look();
      const most = peak;
      peak = 0;
      return most;
    },
  };
};
