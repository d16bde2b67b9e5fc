/** `npm run isolation` measures what other accounts notice of one that means harm. `--help` lists the ways. */

import { measureParts, SHORT } from '../../bench/parts/part.ts';
import { commandLine, flag, Misuse, number, textOr } from '../support/command.ts';
import { hostile } from './hostile.ts';
import { memory } from './memory/memory.ts';
import { neighbours } from './neighbours/neighbours.ts';

const ALL = { hostile, memory, neighbours };
const NAMES = Object.keys(ALL).join(', ');

const ISOLATION = {
  name: 'npm run isolation',
  operands: '<ways>',
  about: `Measures what other accounts notice of one that means harm, on a gateway of its own. It needs an idle machine, and up to half an hour for each way. Exits with 1 when a figure misses its limit.

hostile: the p99 of single calls of one account while two others send small spreadsheets that expand to much data or take long, against without them

memory: the memory of a gateway, and refusals of another account's calls, beside 200 readers of each large answer who have stopped, 200 senders of each kind of body who have stopped, and 10,000 connections that are idle or have sent half a head

neighbours: the p99 of small calls of other accounts while six lanes of one account send the most expensive request of each route, against without them`,
  options: {
    short: flag('with hostile: a twentieth of the rounds, for a rough answer'),
    seconds: number('with neighbours: how long each route is measured', 2.5, 0.5),
    only: textOr(
      ...(['texts', ''] as const),
      'with neighbours and memory: only routes, or lines, with one of these texts in their names, separated by commas; a route is named `GET /path operationId`',
    ),
  },
  examples: [
    ['--only readers memory', 'the memory that readers take who have stopped'],
    ['--only resolver,getCode neighbours', 'calls of the resolver beside those of other accounts'],
  ],
  read: (_: unknown, names: readonly string[]): void => {
    const unknown = names.find((name) => !Object.hasOwn(ALL, name));
    if (unknown !== undefined) throw new Misuse(`there is no way ${unknown}; there are ${NAMES}`);
    if (names.length === 0) throw new Misuse(`name ways to measure: ${NAMES}`);
  },
} as const;

const { values, positionals } = commandLine(ISOLATION);
await measureParts(ALL, positionals, {
  share: values.short ? SHORT : 1,
  seconds: Number(values.seconds),
  only: values.only.split(','),
});
