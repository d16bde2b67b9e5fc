/** What a run asks of the design and the grade of all its codes. */
export interface Asked {
  /** Pictures of a lower grade are not made; 0: all are. */
  readonly minGrade: number;
  /** Designs below the least grade are repaired. */
  readonly repair: boolean;
  /** Id or name of a preset of the account; `null`: none. */
  readonly preset: string | null;
}

/** Returns the request headers that ask for it. A name is sent in UTF-8, which `fetch` takes as Latin-1. */
export const askedHeaders = ({ minGrade, repair, preset }: Asked): Readonly<Record<string, string>> => ({
  // A repair without a least grade gives grade 4.
  ...(repair && minGrade === 0 ? {} : { 'tessera-min-grade': String(minGrade) }),
  ...(repair ? { 'tessera-repair': 'true' } : {}),
  ...(preset === null ? {} : { 'tessera-preset': Buffer.from(preset).toString('latin1') }),
});
