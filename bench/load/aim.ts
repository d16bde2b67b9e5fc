/** The target of a load: everything that a recipe needs to build a request. */
export interface Aim {
  readonly key: string;
  /** Slugs of existing short links. */
  readonly slugs: readonly string[];
  /** Ids of saved codes that are expensive to draw; empty when no recipe needs them. */
  readonly codes: readonly string[];
  /** A small PNG as a data URI. */
  readonly logo: string;
  /** Part of each content that makes it unique to this load. URL-safe. */
  readonly run: string;
}

/** One request of a load. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a content of 60 characters, like a link in a campaign. Within a load only `serial` varies. */
export const contentOf = (run: string, serial: number | string): string =>
  `https://example.com/spring-2026/?run=${run}&item=${serial}`.padEnd(60, '-');
