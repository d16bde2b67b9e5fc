import type { Registry } from 'prom-client';
import { byLabel, gauge } from './scrape.ts';

/** Bytes of request bodies that are being read or worked on. */
export type BodiesInFlight = () => { readonly customers: number; readonly strangers: number };

export const registerBodies = (registry: Registry, inFlight: BodiesInFlight): void => {
  gauge(
    registry,
    'tessera_bodies_in_flight_bytes',
    'Bytes received of request bodies that are being read or worked on; strangers have no valid key.',
    () => byLabel('from', { ...inFlight() }),
  );
};
