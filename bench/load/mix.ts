/** The requests of a load: recipes with weights, drawn by a fixed rule, so that two runs send the same sequence. */
import { Misuse } from '../../test/support/command.ts';
import { sum } from '../stats.ts';
import type { Aim, HttpRequest, Need } from './aim.ts';
import { GATEWAY_RECIPES, isRecipeName, type Recipe, type RecipeName, recipeOf } from './recipes.ts';

/** Recipes and their weights. Weights are above 0 and need not add up to 1. */
export type Mix = readonly (readonly [RecipeName, number])[];

/** The requests that a service of this kind usually gets: mostly redirects, then cached pictures, then new ones. */
export const MIXED: Mix = [
  ['redirect', 50],
  ['render hit 300', 25],
  ['render miss 300', 14],
  ['single styled', 10],
  ['bulk 10', 1],
];

/** Parses `mixed`, or a text like `redirect=50,bulk 10=1`, of requests to the gateway. @throws {Misuse} */
export const parseMix = (text: string): Mix => {
  if (text === 'mixed') return MIXED;
  return text.split(',').map((part) => {
    const [name = '', weight = '1'] = part.split('=').map((word) => word.trim());
    if (!isRecipeName(name) || recipeOf(name).target !== 'gateway')
      throw new Misuse(
        `there is no request "${name}" to the gateway; use mixed, or any of ${GATEWAY_RECIPES.join(', ')}`,
      );
    if (!/^\d+(\.\d+)?$/.test(weight) || Number(weight) === 0)
      throw new Misuse(`${name}: the weight "${weight}" must be a number above 0`);
    return [name, Number(weight)] as const;
  });
};

/** Adds up the weights. */
export const weightOf = (mix: Mix): number => sum(mix.map(([, weight]) => weight));

/** Returns the mix in words, as a report shows it. */
export const describeMix = (mix: Mix): string =>
  mix.length === 1 ? mix[0]![0] : mix.map(([name, weight]) => `${name} ${weight}`).join(', ');

/** Returns what the recipes of a mix need on the account. */
export const needsOf = (mix: Mix): readonly Need[] => [
  ...new Set(mix.flatMap(([name]) => recipeOf(name).needs)),
];

/** Returns how many connections a mix may use, so that no call is refused because too many run at a time. */
export const connectionsFor = (mix: Mix, { keys }: Pick<Aim, 'keys'>, most: number): number => {
  const limits = mix.map(([name]) => {
    const { atOnce } = recipeOf(name);
    return atOnce === undefined ? most : Math.min(atOnce.perGateway ?? most, atOnce.perAccount * keys.length);
  });
  return Math.min(most, sum(limits));
};

/** Golden-ratio sequence (Weyl): the shares hold over any stretch of requests, without long runs of one recipe. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Returns the shares of the recipes, each with those before it. */
export const boundsOf = (mix: Mix): readonly number[] => {
  const total = weightOf(mix);
  let below = 0;
  return mix.map(([, weight]) => {
    below += weight;
    return below / total;
  });
};

/** Returns a function that gives the recipe of request number `serial`. */
export const createPicker = (mix: Mix): ((serial: number) => Recipe) => {
  const recipes = mix.map(([name]) => recipeOf(name));
  const bounds = boundsOf(mix);
  return (serial) => {
    const at = (serial * GOLDEN) % 1;
    const index = bounds.findIndex((bound) => at < bound);
    return recipes[index === -1 ? recipes.length - 1 : index]!;
  };
};

/** Returns how many codes an average request of the mix makes. */
export const codesARequest = (mix: Mix): number =>
  sum(mix.map(([name, weight]) => recipeOf(name).codes * weight)) / weightOf(mix);

/** Counts up for the lifetime of the process, so that no two requests of its loads are the same. */
let serial = 0;
/** Returns a function that builds the next request of a load and returns it with its recipe. */
export const createRequests = (mix: Mix, aim: Aim): (() => { recipe: Recipe; request: HttpRequest }) => {
  const pick = createPicker(mix);
  const aims = aim.keys.map((key) => ({ ...aim, key }));
  let turn = 0;
  return () => {
    const recipe = pick(serial);
    const isShared = recipe.needs.includes('accounts');
    const request = recipe.build(isShared ? aims[turn++ % aims.length]! : aim, serial);
    serial += 1;
    return { recipe, request };
  };
};
