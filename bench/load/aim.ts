/** What a load is aimed at: everything that a recipe needs to write a request. */
export interface Aim {
  readonly key: string;
  /** Of short links that exist. */
  readonly slugs: readonly string[];
  /** Ids of saved codes that are dear to draw; empty where no load asks for them. */
  readonly codes: readonly string[];
  /** Data URI of a small PNG. */
  readonly logo: string;
  /** Makes contents unique to this load; URL-safe. */
  readonly run: string;
}

/** One HTTP request. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** 60 characters, as a link in a campaign is; `serial` is the only thing that changes within a load. */
export const contentOf = (run: string, serial: number | string): string =>
  `https://example.com/spring-2026/?run=${run}&item=${serial}`.padEnd(60, '-');
