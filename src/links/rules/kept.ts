import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Rule } from '../../db/tables/rules/rule.ts';
import { type ReadyRule, readyRules } from './decide.ts';

/** Of JSON. Rules that are ready take some four times as much. Links with the same rules share them. */
const MAX_BYTES = 16_000_000;

/** Keeps rules ready. */
export type KeptRules = ReturnType<typeof createKeptRules>;

/** Keeps the rules of links that were visited last, so that links without number do not fill the memory. */
export const createKeptRules = () => {
  const kept = new LRUCache<string, readonly ReadyRule[]>({ maxSize: MAX_BYTES });
  return {
    /** Returns the key of rules. @param texts JSON arrays of rules, which are asked in this order. */
    keep(texts: readonly string[]): string {
      const key = hash('sha256', texts.join('\n'), 'base64url');
      if (!kept.has(key)) {
        const rules = texts.flatMap((text) => JSON.parse(text) as readonly Rule[]);
        kept.set(key, readyRules(rules), { size: texts.reduce((sum, { length }) => sum + length, 1) });
      }
      return key;
    },
    /** Returns the rules; `undefined`: they must be kept again. */
    find: (key: string): readonly ReadyRule[] | undefined => kept.get(key),
  };
};
