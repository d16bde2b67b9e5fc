/** A text for the reader as the sources have it; of a plural it is the form `other`. */
export interface Found {
  readonly text: string;
  readonly isPlural: boolean;
  readonly start: number;
  readonly end: number;
}

type Words = Readonly<Record<string, string | { readonly one: string; readonly other: string }>>;

/** Returns all texts of a source, in their order. @throws {Error} When one of them is not a literal. */
export const findWords: (source: string, path: string) => Found[];

/** Returns a source with its texts in another language. A text that the words lack stays English. */
export const translate: (source: string, path: string, words: Words) => string;
