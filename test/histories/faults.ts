/** The faults of a history as data, and how to inflict and undo each. */
import type { TestProxy } from '../servers/proxies/proxy.ts';

const STORES = ['redis', 'postgres'] as const;
export type Store = (typeof STORES)[number];
const GATEWAYS = [0, 1] as const;

/** A disturbance of the network between a gateway and a store, of a gateway, or of Redis. */
export type Blow =
  | {
      readonly kind: 'delay' | 'hold' | 'cut' | 'swallow' | 'lose commits';
      readonly store: Store;
      readonly gateways: readonly number[];
    }
  | { readonly kind: 'kill' | 'pause'; readonly gateways: readonly number[] }
  | { readonly kind: 'empty redis' | 'restart redis'; readonly gateways: readonly number[] };

/** Simultaneous blows after a quiet period. */
export interface Fault {
  readonly calmMs: number;
  readonly blows: readonly Blow[];
  readonly lastsMs: number;
}

const choose = <T>(random: () => number, of: readonly T[]): T => of[Math.floor(random() * of.length)]!;

const NETWORK = ['delay', 'hold', 'cut', 'swallow'] as const;

const drawBlow = (random: () => number): Blow => {
  const draw = random();
  const gateways = random() < 0.5 ? GATEWAYS : [choose(random, GATEWAYS)];
  if (draw < 0.4) return { kind: choose(random, NETWORK), store: choose(random, STORES), gateways };
  if (draw < 0.6) return { kind: 'lose commits', store: 'postgres', gateways };
  if (draw < 0.8) return { kind: choose(random, ['kill', 'pause'] as const), gateways: [gateways[0]!] };
  return { kind: choose(random, ['empty redis', 'restart redis'] as const), gateways: [] };
};

/** Every third fault consists of two simultaneous blows. */
export const drawFault = (random: () => number): Fault => ({
  calmMs: 300 + random() * 4000,
  blows: Array.from({ length: random() < 0.35 ? 2 : 1 }, () => drawBlow(random)),
  lastsMs: 100 + random() * 2000,
});

/** The targets of faults. */
export interface Victims {
  readonly proxies: readonly Readonly<Record<Store, TestProxy>>[];
  /** SIGKILL; resolves when the process has ended. `revive` starts it again unless it runs. */
  kill(gateway: number): Promise<void>;
  revive(gateway: number): Promise<void>;
  signal(gateway: number, signal: 'SIGSTOP' | 'SIGCONT'): void;
  emptyRedis(): Promise<void>;
  restartRedis(): Promise<void>;
}

/** The answer to a COMMIT in the protocol of Postgres. */
const COMMITTED = 'COMMIT\0';

const DISTURB = {
  delay: (proxy) => proxy.delay(50),
  hold: (proxy) => proxy.hold(),
  cut: (proxy) => proxy.cut(),
  swallow: (proxy) => proxy.swallow(),
  'lose commits': (proxy) => proxy.swallow(COMMITTED),
} satisfies Record<string, (proxy: TestProxy) => void>;

/** Inflicts a blow. @returns A function that undoes it. */
export const strike = async (blow: Blow, victims: Victims): Promise<() => Promise<void> | void> => {
  switch (blow.kind) {
    case 'kill':
      for (const gateway of blow.gateways) await victims.kill(gateway);
      return async () => {
        for (const gateway of blow.gateways) await victims.revive(gateway);
      };
    case 'pause':
      for (const gateway of blow.gateways) victims.signal(gateway, 'SIGSTOP');
      return () => blow.gateways.forEach((gateway) => void victims.signal(gateway, 'SIGCONT'));
    case 'empty redis':
      await victims.emptyRedis();
      return () => {};
    case 'restart redis':
      await victims.restartRedis();
      return () => {};
    default: {
      const { store, gateways } = blow;
      const proxies = gateways.map((gateway) => victims.proxies[gateway]![store]);
      proxies.forEach(DISTURB[blow.kind]);
      return () => proxies.forEach((proxy) => void proxy.heal());
    }
  }
};
