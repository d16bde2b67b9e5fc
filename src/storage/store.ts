/** Objects by their keys. Contract of the places where batches keep their rows and results. */

/** A range of an object: from `start` to before `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Says that a store is unavailable, is full, or has not what it was asked for. Its message is for the operator's log. */
export class StoreFault extends Error {
  readonly code = 'STORE_UNAVAILABLE';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StoreFault';
  }
}

/** The object that has the mark of a store. */
export const MARK_KEY = 'installation';
/** A longer mark is cut. */
export const MARK_MAX_CHARACTERS = 100;

const KEY = /^[\w-][\w.-]*(\/[\w-][\w.-]*)*$/;

/** @throws {TypeError} When no object can have this key. */
export const checkKey = (key: string): void => {
  if (!KEY.test(key)) throw new TypeError('an object has no such key');
};

/**
 * Keeps objects. A key has segments of letters, digits, `_`, `-` and `.`, separated by slashes; no segment begins with
 * a dot. Every call may fail with a `StoreFault`, and ends within minutes when the store is silent; a failed `put` may
 * be repeated.
 */
export interface ObjectStore {
  /**
   * Stores a whole object, or nothing. It replaces another of that key. What is stored outlives the process and its
   * machine's power.
   */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /**
   * Yields a range of an object, and fails when the object ends before it. It reads no faster than it is read, and
   * holds at most about a megabyte.
   */
  read(key: string, range: ByteRange): AsyncIterable<Buffer>;
  /** Removes every object below a folder: those whose keys go on after its segments. Succeeds when there is none. */
  removeAll(folder: string): Promise<void>;
  /** Returns the mark of the store, without white space around it; `null`: it has none. */
  readMark(): Promise<string | null>;
  /** Gives the store a mark, unless it has one. Of several calls at once one succeeds, where the store can tell. */
  writeMark(mark: string): Promise<void>;
}
