import type { Scene } from './scene.ts';

/** A fault that alerts watch for. */
export interface Fault {
  /** What happens, as the table of docs/operations.md says it. */
  readonly what: string;
  readonly alerts: readonly string[];
  /** Makes it, and returns what ends it. */
  make(scene: Scene): Promise<() => unknown>;
}

/** Ends a fault that ends by itself. */
export const nothing = (): void => {};
