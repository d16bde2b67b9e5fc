/** What the palette finds in the account. */
import { api, ask } from '../api/client.ts';
import { useRead } from '../api/query.ts';
import { count } from '../ui/format.ts';
import { useSettled } from '../ui/hooks.ts';
import { say } from '../words/say.ts';
import type { Command } from './commands.ts';

const PAUSE_MS = 200;
/** Of each kind. */
const SHOWN = 5;
/** Shorter texts find too much. */
const LEAST_CHARACTERS = 2;

const find = async (search: string, signal: AbortSignal): Promise<readonly Command[]> => {
  const params = { query: { search, limit: SHOWN } };
  const [folders, codes] = await Promise.all([
    ask(api.GET('/api/v1/folders', { params, signal })),
    ask(api.GET('/api/v1/codes', { params, signal })),
  ]);
  return [
    ...folders.data.map(({ id, name, code_count: held }) => ({
      group: say('Folders'),
      title: name,
      detail: count(held, 'code', 'codes'),
      path: `/folders/${id}`,
    })),
    ...codes.data.map(({ id, name, content, slug }) => ({
      group: say('Codes'),
      title: name ?? content,
      detail: slug ?? '',
      path: `/codes/${id}`,
    })),
  ];
};

/** Returns folders and codes that fit a text, some moments after it was typed. */
export const useFound = (text: string) => {
  const search = useSettled(text.trim(), PAUSE_MS);
  const isLong = search.length >= LEAST_CHARACTERS;
  const { data, error, isFetching } = useRead(['palette', search], (signal) => find(search, signal), {
    enabled: isLong,
  });
  return {
    commands: (isLong && data) || [],
    error,
    isSearching: isLong && (isFetching || search !== text.trim()),
  };
};
