/** Checks the invariants of a history, whatever failed during it. Pure: uses only what the run recorded. */
import type { Call, History } from './history.ts';
import { checkReplays, checkStatuses } from './rules/answers.ts';
import { checkEvents, checkScans } from './rules/events.ts';
import { checkEdits, checkVisits } from './rules/links.ts';
import { checkBatches, checkCodes, checkFolders, checkGrants } from './rules/made.ts';
import type { Violation } from './rules/rule.ts';
import { checkUnits } from './rules/units.ts';

const RULES: readonly ((history: History) => Violation[])[] = [
  checkStatuses,
  checkReplays,
  checkCodes,
  checkBatches,
  checkFolders,
  checkGrants,
  checkUnits,
  checkVisits,
  checkEdits,
  checkScans,
  checkEvents,
];

/** Returns all violations. */
export const check = (history: History): Violation[] => RULES.flatMap((rule) => rule(history));

const second = (ms: number): string => (ms / 1000).toFixed(3);

const lineOf = ({ operation, attempt, gateway, beginMs, endMs, outcome, status, answer }: Call): string => {
  const what = JSON.stringify(operation);
  const said = answer === null ? '' : `${answer.isReplay ? ' replay' : ''} ${answer.names} ${answer.digest}`;
  return `  ${second(beginMs)}-${second(endMs)} gateway ${gateway}, attempt ${attempt}: ${outcome} ${status ?? ''}${said} ${what}`;
};

/** A fault that ended at most this long before a call may explain its result. */
const SHOWN_MS = 5000;

/** A violation with its calls and the faults that had effects around them. */
export const excerpt = ({ faults }: History, { rule, what, calls }: Violation): string => {
  const fromMs = Math.min(...calls.map(({ beginMs }) => beginMs)) - SHOWN_MS;
  const toMs = Math.max(...calls.map(({ endMs }) => endMs));
  const felt = faults
    .filter(({ beginMs, endMs }) => beginMs <= toMs && endMs >= fromMs)
    .map(({ blow, beginMs, endMs }) => `  ${second(beginMs)}-${second(endMs)} ${JSON.stringify(blow)}`);
  return [`VIOLATION of ${rule}: ${what}`, ...felt, ...calls.map(lineOf)].join('\n');
};
