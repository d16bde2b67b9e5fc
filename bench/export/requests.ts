/** A mix as data that scripts of other load generators read. */
import type { Aim } from '../load/aim.ts';
import { boundsOf, type Mix } from '../load/mix.ts';
import { END_BYTES, type Good, recipeOf } from '../load/recipes.ts';

/** Scripts put the time in base 36 for the first, and for the second a number of nine digits that none repeats. */
const [RUN, SERIAL] = ['zrunzrun', 987_654_321];

interface Exported {
  readonly method: string;
  /** Of the request; absent when the script signs it. */
  readonly path?: string;
  /** The parameters of a signed address as JSON. */
  readonly parameters?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A mix without functions. */
export interface ExportedMix {
  readonly url: string;
  readonly run: string;
  readonly serial: string;
  readonly endBytes: number;
  readonly secret: Aim['secret'];
  readonly kinds: readonly {
    readonly name: string;
    /** The kind of request n is the first whose bound is above the fractional part of n times the golden ratio. */
    readonly below: number;
    readonly good: Good;
    /** They take turns. */
    readonly requests: readonly Exported[];
  }[];
}

/** Returns the mix: all requests of kinds that repeat, and of the others one for each account. */
export const exportMix = (url: string, mix: Mix, aim: Aim): ExportedMix => {
  const bounds = boundsOf(mix);
  const kinds = mix.map(([name], i) => {
    const recipe = recipeOf(name);
    const period = recipe.period(aim);
    const keys = recipe.needs.includes('accounts') ? aim.keys : [aim.key];
    const requests = Number.isFinite(period)
      ? Array.from({ length: period }, (_, serial) => recipe.build(aim, serial))
      : keys.map((key) => {
          const marked = { ...aim, key, run: RUN };
          const { path, ...request } = recipe.build(marked, SERIAL);
          if (recipe.parameters === undefined) return { path, ...request };
          return { ...request, parameters: JSON.stringify(recipe.parameters(marked, SERIAL)) };
        });
    return { name, below: bounds[i]!, good: recipe.good, requests };
  });
  return { url, run: RUN, serial: String(SERIAL), endBytes: END_BYTES, secret: aim.secret, kinds };
};
