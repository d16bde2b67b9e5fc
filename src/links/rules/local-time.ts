import { LRUCache } from 'lru-cache';

const MINUTE_MS = 60_000;
/** Offsets of time zones change at full quarters of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MINUTES = 1440;
/** A formatter takes some 50 KB. There are some 400 zones, few of which are in use. */
const ZONES_MAX = 100;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  quarter: number;
  offsetMs: number;
}

const zones = new LRUCache<string, Zone>({ max: ZONES_MAX });

const openZone = (name: string): Zone => ({
  format: new Intl.DateTimeFormat('en-US', {
    ...{ timeZone: name, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  }),
  quarter: Number.NaN,
  offsetMs: 0,
});

/** Whether Node knows the zone. Only names are accepted: offsets such as `+01:00` have no summer time. */
export const isZone = (name: string): boolean => {
  if (!/^[a-z]/i.test(name)) return false;
  try {
    return openZone(name) !== null;
  } catch {
    return false;
  }
};

const offsetAt = ({ format }: Zone, atMs: number): number => {
  const [month, day, year, hour, minute, second] = format.format(atMs).match(/\d+/g)!.map(Number);
  return Date.UTC(year!, month! - 1, day, hour, minute, second) - atMs;
};

/** A time of day: minutes since midnight, and the weekday, 0 for Monday. */
export interface LocalTime {
  readonly minute: number;
  readonly weekday: number;
}

/** Returns the local time in a zone that `isZone` knows. */
export const localTimeOf = (atMs: number, name: string): LocalTime => {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = openZone(name);
    zones.set(name, zone);
  }
  const quarter = Math.floor(atMs / QUARTER_MS);
  if (zone.quarter !== quarter) {
    zone.quarter = quarter;
    zone.offsetMs = offsetAt(zone, quarter * QUARTER_MS);
  }
  const minutes = Math.floor((atMs + zone.offsetMs) / MINUTE_MS);
  const days = Math.floor(minutes / DAY_MINUTES);
  // 1970-01-01 was a Thursday.
  return { minute: minutes - days * DAY_MINUTES, weekday: (((days + 3) % 7) + 7) % 7 };
};
