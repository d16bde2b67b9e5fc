/** What a visit of a short link brings along for the address that the link leads to, as it was sent. */
export interface Visit {
  /** Without its question mark. */
  readonly query: string;
  /** What stands behind the slug and a slash in the path. */
  readonly rest: string;
}

/** @param url The target of the request. @param depth The segments of its path up to the slug. */
export const visitOf = (url: string, depth: number): Visit => {
  const mark = url.indexOf('?');
  const end = mark < 0 ? url.length : mark;
  let at = 0;
  for (let slashes = 0; slashes <= depth && at >= 0; slashes += 1) {
    const slash = url.indexOf('/', at);
    at = slash < 0 || slash >= end ? -1 : slash + 1;
  }
  return { query: url.slice(end + 1), rest: at < 0 ? '' : url.slice(at, end) };
};
