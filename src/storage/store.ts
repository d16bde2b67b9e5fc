/** Objects by key: the contract of the stores where batches keep their rows and results. */

/** A range of an object: from `start` to before `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Says that a store is unavailable or full, or lacks the requested object. Its message is for the operator's log. */
export class StoreFault extends Error {
  readonly code = 'STORE_UNAVAILABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
  }
}

/** The object that contains the mark of a store. */
export const MARK_KEY = 'installation';
/** Longer marks are truncated. */
export const MARK_MAX_CHARACTERS = 100;

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** @throws {TypeError} When no object can have this key. */
export const checkKey = (key: string): void => {
  if (!KEY.test(key)) throw new TypeError('an object has no such key');
};

/**
 * Stores objects. A key has segments of letters, digits, `_`, `-` and `.`, separated by slashes; no segment begins with
 * a dot. Every call may fail with a `StoreFault`, and ends within minutes if the store is silent; a failed `put` may be
 * retried.
 */
export interface ObjectStore {
  /**
   * Stores a whole object, or nothing, replacing any other with that key. The write is durable across process crashes
   * and power loss.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Yields a range of an object, and fails if the object is shorter. It applies backpressure and buffers at most about
   * a megabyte.
   */
  read(key: string, range: ByteRange): AsyncIterable<Buffer>;
  /** Removes every object below a folder: those whose keys continue after its segments. Succeeds if there is none. */
  removeAll(folder: string): Promise<void>;
  /** Returns the mark of the store, trimmed; `null`: it has none. */
  readMark(): Promise<string | null>;
  /** Gives the store a mark, unless it has one. Of concurrent calls only one succeeds, if the store supports that. */
  writeMark(mark: string): Promise<void>;
}
