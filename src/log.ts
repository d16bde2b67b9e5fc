/** What the parts need of a logger; those of pino and Fastify fit. A part that needs less uses `Pick`. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Drops everything. */
export const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
