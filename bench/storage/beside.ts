import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import { findCodes } from '../../src/db/tables/code-search.ts';
import { changeFolder } from '../../src/db/tables/folders.ts';
import { quantile } from '../stats.ts';
import { time } from '../timing.ts';
import { openFolder, savePiece } from './codes.ts';

const PAUSE_MS = 10;
const CODES = 20;

/** What callers notice: the 50th and the 99th percentile of a save of 20 codes and a page of a list, in ms. */
export interface Noticed {
  readonly saves: readonly [number, number];
  readonly pages: readonly [number, number];
}

const at = (timesMs: readonly number[]): [number, number] => [
  quantile(timesMs, 0.5),
  quantile(timesMs, 0.99),
];

/** Saves and lists codes of another account, one call after the other, until the work ends. */
export const beside = async (database: Database, work: Promise<unknown>): Promise<Noticed> => {
  const { sql } = database;
  const place = await openFolder(sql);
  await changeFolder(sql, place.accountId, place.folderId, { keep: true });
  const [saves, pages]: [number[], number[]] = [[], []];
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  for (let first = 0; !isOver; first += CODES) {
    saves.push(await time(() => savePiece(sql, place, 'plain', first, CODES)));
    const filter = { accountId: place.accountId, search: '' };
    pages.push(await time(() => findCodes(sql, filter, { after: null, limit: CODES })));
    await sleep(PAUSE_MS);
  }
  await ended;
  return { saves: at(saves), pages: at(pages) };
};
