/** Writes a count with its noun, as in `1 batch` and `2 batches`. */
export const pluralise = (count: number, one: string, many: string = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
