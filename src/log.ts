/** What the parts ask of a logger: pino's and Fastify's have it. A part that asks for less says so with `Pick`. */
export interface Log {
  debug(details: object, message: string): void;
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
