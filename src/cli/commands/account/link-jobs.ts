/** The commands about link jobs that were sent. */
import type { Command } from 'commander';
import { keyOf, print, readAllPages, readBaseUrl } from '../../admin.ts';
import { createPatientCall, explained } from '../../api.ts';
import { formatJob, type LinkJobBody, openFaults, runJob } from '../../links/job.ts';
import { withLimit } from '../../lists.ts';
import { type KeyOptions, openApi, withKey, withKeyOptions } from '../../options.ts';
import { formatRows, type Terminal } from '../../terminal.ts';

const addList = (add: (usage: string) => Command, terminal: Terminal): void => {
  withLimit(add('list'))
    .description('list the link jobs of the account, newest first')
    .action(async (options: KeyOptions & { readonly limit: number }) => {
      const api = openApi(options, terminal);
      const jobs = await readAllPages<LinkJobBody>(api, 'GET /api/v1/link-jobs', {}, options.limit);
      const shown = formatRows(jobs, {
        ID: 'id',
        KIND: 'kind',
        STATE: 'state',
        'DRY RUN': 'dry_run',
        ROWS: 'rows',
        MADE: 'made',
        CHANGED: 'changed',
        UNCHANGED: 'unchanged',
        FAULTS: 'faults',
        UNDOABLE: 'undoable',
        CREATED: 'created_at',
      });
      print(terminal, options, jobs, shown);
    });
};

const addShow = (add: (usage: string) => Command, terminal: Terminal): void => {
  add('show <job-id>')
    .description('show a link job with its progress')
    .option('--follow', 'wait until it has ended')
    .action(async (id: string, options: KeyOptions & { readonly follow?: true }) => {
      const path = { id };
      if (options.follow) {
        const show = { method: 'GET', path: '/api/v1/link-jobs/{id}', auth: 'key' } as const;
        return runJob(async (call) => (await call(show, { path })).data as LinkJobBody, options, terminal);
      }
      const job = await openApi(options, terminal).call<LinkJobBody>('GET /api/v1/link-jobs/{id}', { path });
      print(terminal, options, job, formatJob(job));
    });
};

/** Adds the commands that end jobs and take them back. */
const addEnds = (add: (usage: string) => Command, terminal: Terminal): void => {
  add('cancel <job-id>')
    .description('end a link job after the piece in progress; what it has changed stays and can be undone')
    .action(async (id: string, options: KeyOptions) => {
      const api = openApi(options, terminal);
      const job = await api.call<LinkJobBody>('POST /api/v1/link-jobs/{id}/cancel', { path: { id } });
      print(terminal, options, job, formatJob(job));
    });

  add('undo <job-id>')
    .description('bring back where all links of a job led and the tags that they had, in a job of its own')
    .action((id: string, options: KeyOptions) => {
      const undo = { method: 'POST', path: '/api/v1/link-jobs/{id}/undo', auth: 'key', once: true } as const;
      return runJob(
        async (call) => (await call(undo, { path: { id } })).data as LinkJobBody,
        options,
        terminal,
      );
    });

  add('delete <job-id>')
    .description('delete a link job that has ended; what it has changed stays, and cannot be undone any more')
    .action(async (id: string, options: KeyOptions) => {
      await openApi(options, terminal).call('DELETE /api/v1/link-jobs/{id}', { path: { id } });
      print(terminal, options, { id, deleted: true }, `${id} is deleted.\n`);
    });
};

/** Adds `link-jobs list`, `show`, `faults`, `cancel`, `undo` and `delete`. */
export const addLinkJobCommands = (program: Command, terminal: Terminal): void => {
  const jobs = program
    .command('link-jobs')
    .description('list, show, cancel, undo and delete the jobs of links change and links import');
  const add = (usage: string): Command => withKeyOptions(jobs.command(usage), 'manage');
  addList(add, terminal);
  addShow(add, terminal);

  withKey(jobs.command('faults <job-id>'), 'manage')
    .description('print the rows with faults as NDJSON, the first 10,000')
    .action(async (id: string, options: KeyOptions) => {
      const url = readBaseUrl(options, terminal);
      const { signal } = new AbortController();
      const call = createPatientCall(url, keyOf(options, terminal), signal, terminal.err);
      const lines = await openFaults(call, id).catch((error: unknown) => {
        throw explained(url, error);
      });
      for await (const line of lines) terminal.out.write(`${line}\n`);
    });

  addEnds(add, terminal);
};
