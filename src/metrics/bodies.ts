import type { Registry } from 'prom-client';
import { byLabel, gauge } from './scrape.ts';

/** Bytes of request bodies that are being received or processed. */
export type BodiesInFlight = () => { readonly customers: number; readonly strangers: number };

/** Registers the bodies in flight, by whether the caller has a valid key. */
export const registerBodies = (registry: Registry, inFlight: BodiesInFlight): void => {
  gauge(
    registry,
    'tessera_bodies_in_flight_bytes',
    'Bytes of request bodies that are being received or processed; strangers have no valid key.',
    () => byLabel('from', { ...inFlight() }),
  );
};
