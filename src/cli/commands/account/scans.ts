import { type Command, Option } from 'commander';
import { explain, readAnswer } from '../../api.ts';
import { commandError } from '../../fault.ts';
import { type KeyOptions, openApi, withKey } from '../../key-options.ts';
import { createPatient, type Patient } from '../../patient.ts';
import type { Terminal } from '../../terminal.ts';

interface Options extends KeyOptions {
  readonly from?: string;
  readonly to?: string;
  readonly slug?: string;
  readonly format: 'ndjson' | 'csv';
}

const PAGE_ROWS = '5000';

/** Reads a page. @throws As `Patient.persist`, and a `CliFault` for an answer that will not change. */
const readPage = ({ api, persist }: Patient, query: URLSearchParams) =>
  persist(async () => {
    const response = await api.open({ method: 'GET', path: `/api/v1/scans/raw?${query}` });
    if (response.status === 200)
      return { text: await response.text(), next: response.headers.get('tessera-next-cursor') };
    const answer = await readAnswer(response);
    const problem = explain(api.url, answer);
    throw answer.status === 429 || answer.status >= 500 ? new Error(problem) : commandError(problem);
  });

export const addScansCommand = (program: Command, terminal: Terminal): void => {
  withKey(program.command('scans'), 'manage')
    .description('print every scan of short links, oldest first')
    .option('--from <time>', 'first day or time (UTC); default: 30 days before --to')
    .option('--to <time>', 'end (UTC), which is not included; default: now')
    .option('--slug <slug>', 'only scans of this short link')
    .addOption(new Option('--format <format>', 'output format').choices(['ndjson', 'csv']).default('ndjson'))
    .action(async (options: Options) => {
      const api = openApi(options, terminal);
      const patient = createPatient(api, new AbortController().signal, terminal.err);
      const { from, to = new Date().toISOString(), slug, format } = options;
      const query = new URLSearchParams({ to, format, limit: PAGE_ROWS });
      if (from !== undefined) query.set('from', from);
      if (slug !== undefined) query.set('slug', slug);
      for (;;) {
        const { text, next } = await readPage(patient, query);
        terminal.out.write(text);
        if (next === null) return;
        query.set('cursor', next);
      }
    });
};
