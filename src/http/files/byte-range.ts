import type { FastifyRequest } from 'fastify';

/** A range of a file in bytes: from `start` to before `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range that a request asks for (RFC 9110, 14.2); `null`: the whole file; `outside`: it lies outside
 * the file. As the RFC allows, several ranges or an invalid one ask for the whole file.
 *
 * @param etag Strong. The file has changed when `If-Range` has another one.
 */
export const rangeOf = (
  request: FastifyRequest,
  bytes: number,
  etag: string,
): ByteRange | null | 'outside' => {
  const { range, 'if-range': ifRange } = request.headers;
  if (range === undefined || (ifRange !== undefined && ifRange !== etag)) return null;
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if (first === '' && last === '') return null;
  if (first === '') {
    const start = Math.max(0, bytes - Number(last));
    return start === bytes ? 'outside' : { start, end: bytes };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  return start >= bytes ? 'outside' : { start, end: last === '' ? bytes : Math.min(bytes, Number(last) + 1) };
};
