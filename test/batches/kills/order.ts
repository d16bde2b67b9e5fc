/** Reads the codes of a batch from every list that is in the order of its rows, and reports what is not. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { readZip } from '../../support/files/zip.ts';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const run = promisify(execFile);

/** Labels and archives of more rows would take minutes. */
const DRAWN_MAX = 5000;

/** The number at the end of the destination of a code, from 0: its row. */
const rowOf = (destination: string): number => Number(destination.split('/').at(-1));

const readList = async (ask: Ask, path: string): Promise<readonly number[]> => {
  const rows: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer = await ask(`${path}limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`);
    const page = (await answer.json()) as {
      data: readonly { content: string }[];
      next_cursor: string | null;
    };
    rows.push(...page.data.map(({ content }) => rowOf(content)));
    cursor = page.next_cursor;
  }
  return rows;
};

const readLabels = async (ask: Ask, folderId: string): Promise<readonly number[]> => {
  const answer = await ask(`/api/v1/folders/${folderId}/sheets`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      page: { width_mm: 62, height_mm: 29 },
      label: { columns: 1, rows: 1, caption: '{content}', caption_side: 'beside' },
    }),
  });
  const reading = run('pdftotext', ['-raw', '-', '-'], { maxBuffer: 2 ** 28 });
  reading.child.stdin!.end(Buffer.from(await answer.arrayBuffer()));
  const { stdout } = await reading;
  // A page is a label; a caption may be on several lines.
  return stdout
    .split('\f')
    .slice(0, -1)
    .map((page) => rowOf(page.replace(/\s/g, '')));
};

const readArchive = async (ask: Ask, folderId: string): Promise<readonly number[]> => {
  const answer = await ask(`/api/v1/folders/${folderId}/archive`);
  const files = await readZip(Buffer.from(await answer.arrayBuffer()));
  const lines = parse(files.at(-1)!.bytes, { columns: true }) as { content: string }[];
  return lines.map(({ content }) => rowOf(content));
};

/** Returns what is not in the order of `rows` rows whose content ends with their number. */
export const faultsOfOrder = async (ask: Ask, folderId: string, rows: number): Promise<readonly string[]> => {
  const found = {
    'the folder': await readList(ask, `/api/v1/folders/${folderId}/codes?`),
    'the list of codes': await readList(ask, '/api/v1/codes?sort=oldest&'),
    'the search': await readList(ask, '/api/v1/codes?sort=oldest&search=example&'),
    'the newest codes': (await readList(ask, '/api/v1/codes?')).toReversed(),
    ...(rows > DRAWN_MAX
      ? {}
      : {
          'the sheet of labels': await readLabels(ask, folderId),
          'the archive': await readArchive(ask, folderId),
        }),
  };
  return Object.entries(found).flatMap(([name, list]) =>
    list.length === rows && list.every((row, index) => row === index)
      ? []
      : [`${name} is not in row order: ${list.length} rows, ${list.slice(0, 5)} …`],
  );
};
