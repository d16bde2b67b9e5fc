/** Rule sets, as commands name, read and show them. */
import { resolve } from 'node:path';
import { ANY_UUID } from '../../texts.ts';
import { readAllPages } from '../admin.ts';
import type { Api } from '../api.ts';
import { readJsonFile } from '../options.ts';
import { commandError, formatTable, type Terminal, toPrintable, usageError } from '../terminal.ts';

/** A rule, as far as it is shown. */
export interface Rule {
  readonly name: string;
  readonly when: object;
  readonly destination: string;
}

/** The fields of a rule set that the command line uses. */
export interface RuleSetBody {
  readonly id: string;
  readonly name: string;
  readonly rules: readonly Rule[];
  readonly created_at: string;
  readonly updated_at: string;
  /** Absent in lists. */
  readonly links?: number;
}

/** Reads all rule sets of the account, newest first. */
export const listRuleSets = (api: Api): Promise<readonly RuleSetBody[]> =>
  readAllPages<RuleSetBody>(api, 'GET /api/v1/rule-sets');

/** Returns the id of a rule set that is named by its id or its name. @throws {CliFault} when there is none. */
export const ruleSetIdOf = async (api: Api, named: string): Promise<string> => {
  if (ANY_UUID.test(named)) return named;
  const found = (await listRuleSets(api)).find(({ name }) => name === named);
  if (found !== undefined) return found.id;
  throw commandError(`there is no rule set ${toPrintable(named)}; see rules list`);
};

/**
 * Reads rules from a file: a list of rules, or an object that has one as `rules`, as `rules show --json` prints it.
 *
 * @param file `-`: standard input.
 * @throws {CliFault}
 */
export const readRulesFile = async (file: string, { cwd, input }: Terminal): Promise<readonly unknown[]> => {
  const written = await readJsonFile(file === '-' ? input : resolve(cwd, file));
  const rules = Array.isArray(written) ? written : (written as { readonly rules?: unknown } | null)?.rules;
  if (Array.isArray(rules)) return rules;
  throw usageError(`${toPrintable(file)}: must be a JSON list of rules, or an object with one as rules`);
};

/** Shows rules in their order. */
export const formatRules = (rules: readonly Rule[]): string =>
  formatTable(
    ['RULE', 'WHEN', 'LEADS TO'],
    rules.map(({ name, when, destination }) => [name, JSON.stringify(when), destination]),
  );
