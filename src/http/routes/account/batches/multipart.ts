/** The rows of a batch and its design in the body of a request. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyInstance, type Dicer } from '@fastify/busboy';
import type { Check } from '../../../../batches/rows/row.ts';
import { isParsable } from '../../../../batches/rows/schema.ts';
import { AppError, type ErrorCode, fieldError } from '../../../../errors.ts';
import { mediaType, type RowType, rowTypeOf } from '../../../bodies/row-types.ts';

/** The rows as bytes, unpacked, and what the body says about them. */
export interface OpenBody extends RowType {
  /** Options of the design for all rows, validated; `null`: the body has none. */
  readonly design: object | null;
  readonly chunks: AsyncIterable<Buffer>;
}

/** A design with the longest logo fits into it. */
const DESIGN_MAX_BYTES = 2_500_000;

const malformed = (rule: string): AppError => new AppError('malformed_body', `body: ${rule}`);

/** Returns the design of a text, or `null` without one. @throws {AppError} 400. */
export const parseDesign = (text: unknown, check: Check, code: ErrorCode): object | null => {
  if (text === undefined) return null;
  const json = String(text);
  if (!isParsable(json))
    throw fieldError('Design', 'has too many values, or values that are nested too deeply', code);
  let design: unknown;
  try {
    design = JSON.parse(json);
  } catch {
    throw fieldError('Design', 'must be JSON', code);
  }
  // Checking writes defaults into what it checks.
  const fault = check(structuredClone(design));
  if (fault !== null)
    throw fieldError(fault.field === 'row' ? 'Design' : `Design.${fault.field}`, fault.message, code);
  return design as object;
};

/** A chunk is parsed in milliseconds. */
const STALL_MS = 1000;

const ORDER = 'must have the parts "design" and "rows", in this order';

const LIMITS = { fields: 1, files: 1, parts: 2, fieldSize: DESIGN_MAX_BYTES, headerPairs: 20 };

/** @throws {AppError} 400 without a boundary. */
const createBusboy = (contentType: string): BusboyInstance => {
  try {
    const headers = { 'content-type': contentType };
    return new Busboy({ headers, limits: LIMITS, isPartAFile: (name) => name === 'rows' });
  } catch {
    throw malformed('is multipart/form-data without a boundary');
  }
};

/** Whether a `Content-Type` is that of a body in parts. */
export const isMultipart = (contentType: string): boolean => mediaType(contentType) === 'multipart/form-data';

/** @throws {AppError} 415 when the type of a body is none of those that rows may have. */
export const requireRows = (contentType: string): void => {
  if (!isMultipart(contentType)) rowTypeOf(contentType);
};

/** Calls back with the `Content-Type` of each part, of which the events of the parser have no parameters. */
const onPartType = (busboy: BusboyInstance, take: (header: string) => void): void => {
  const { parser } = (busboy as unknown as { readonly _parser: { readonly parser: Dicer } })._parser;
  parser.prependListener('part', (part) => {
    part.on('header', (header) => {
      const { 'content-type': [type = 'text/plain'] = [] } = header as Record<string, string[] | undefined>;
      take(type);
    });
  });
};

/** Reads the parts before the rows. The rows are then streamed. */
const openMultipart = (contentType: string, chunks: AsyncIterable<Buffer>, check: Check): Promise<OpenBody> =>
  new Promise((resolve, reject) => {
    let design: object | null = null;
    let rows: Readable | null = null;
    /** Whether somebody waits for the parser: for the rows to begin, to go on, or to end. */
    let isWaiting = true;
    /** Whether the parser has been given everything that has arrived. */
    let isFed = false;
    let hasMoved = false;
    const busboy = createBusboy(contentType);
    // Parts beyond these limits would be dropped silently.
    for (const event of ['partsLimit', 'filesLimit', 'fieldsLimit'])
      busboy.once(event as 'partsLimit', () => fail(malformed(ORDER)));
    let fault: AppError | null = null;
    const reading = new AbortController();
    const fail = (error: unknown): void => {
      fault ??= error instanceof AppError ? error : malformed('is not valid multipart/form-data');
      reject(fault);
      rows?.destroy(fault);
      reading.abort();
    };
    /** Yields the rows, and reads the body to its end. */
    async function* readRows(file: Readable): AsyncGenerator<Buffer> {
      try {
        for await (const chunk of file as AsyncIterable<Buffer>) {
          isWaiting = false;
          yield chunk;
          isWaiting = true;
          hasMoved = true;
        }
      } catch (error) {
        fail(error);
      }
      await read;
      if (fault !== null) throw fault;
    }
    busboy.on('field', (name, text, _nameCut, isCut) => {
      try {
        if (rows !== null || name !== 'design') throw malformed(ORDER);
        if (isCut) throw malformed(`must have at most ${DESIGN_MAX_BYTES} bytes in its design`);
        design = parseDesign(text, check, 'invalid_body');
      } catch (error) {
        fail(error);
      }
    });
    let type = '';
    onPartType(busboy, (header) => {
      type = header;
    });
    busboy.on('file', (_name, file, filename) => {
      rows = file;
      // Its reader throws the error; until there is a reader, it would be uncaught.
      file.on('error', () => {});
      try {
        resolve({ ...rowTypeOf(type, filename), design, chunks: readRows(file) });
      } catch (error) {
        file.resume();
        fail(error);
      }
    });
    async function* feed(): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        isFed = true;
        yield chunk;
        isFed = false;
        hasMoved = true;
      }
      isFed = true;
    }
    // A malformed body may stall the parser for ever, in the middle or at its end.
    const watchdog = setInterval(() => {
      if (isFed && isWaiting && !hasMoved) fail(malformed('is not valid multipart/form-data'));
      hasMoved = false;
    }, STALL_MS).unref();
    const read = pipeline(Readable.from(feed()), busboy, { signal: reading.signal }).then(() => {
      if (rows === null) fail(malformed('has no part "rows"'));
    }, fail);
    void read.finally(() => clearInterval(watchdog));
  });

/**
 * Opens the body of a batch.
 *
 * @param contentType That of the request.
 * @throws {AppError} 400 when it is malformed, 415 when it is neither NDJSON, CSV nor XLSX.
 */
export const openBody = async (
  contentType: string,
  chunks: AsyncIterable<Buffer>,
  check: Check,
): Promise<OpenBody> =>
  isMultipart(contentType)
    ? openMultipart(contentType, chunks, check)
    : { ...rowTypeOf(contentType), design: null, chunks };
