/** Objects by their keys. Contract of the places where batches keep their rows and results. */

/** A range of an object: from `start` to before `end`, in bytes. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Keeps objects. A key has segments of letters, digits, `-` and `.`, separated by slashes. Every call may fail when the store
 * is unavailable or full; a failed `put` may be repeated.
 */
export interface ObjectStore {
  /** Stores a whole object, or nothing. It replaces another of that key. What is stored outlives the process. */
  put(key: string, bytes: Uint8Array): Promise<void>;
  /** Yields a range of an object, and fails when the object ends before it. It reads no faster than it is read. */
  read(key: string, range: ByteRange): AsyncIterable<Buffer>;
  /** Removes every object whose key begins with these segments. Removes nothing when there is none. */
  removeAll(folder: string): Promise<void>;
}
