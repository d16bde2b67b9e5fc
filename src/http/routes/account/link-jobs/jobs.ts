import type { Sql } from '../../../../db/client.ts';
import { whenCommitted } from '../../../../db/pool.ts';
import {
  eachFault,
  endLinkJob,
  expireLinkJob,
  FAULTS_MAX,
  listLinkJobs,
} from '../../../../db/tables/link-jobs/jobs.ts';
import { AppError } from '../../../../errors.ts';
import { writeTraceContext } from '../../../../tracing/context.ts';
import { currentTrace } from '../../../../tracing/trace.ts';
import { ofAccount } from '../../../auth/of-account.ts';
import { requireLinkJob } from '../../../auth/require-found.ts';
import { sendStream } from '../../../files/streams.ts';
import { describeBytes, IdParams } from '../../../schemas/atoms.ts';
import { LinkJobBody, toLinkJobBody } from '../../../schemas/link-job.ts';
import { pagesOf } from '../../route.ts';
import type { Need } from '../../services.ts';

async function* faultLines(sql: Sql, id: string): AsyncGenerator<string> {
  for await (const { row, fileRow, slug, externalId, field, message } of eachFault(sql, id)) {
    const line = { row, file_row: fileRow, slug, external_id: externalId, field, message };
    yield `${JSON.stringify(line)}\n`;
  }
}

const notEnded = (what: string): AppError =>
  new AppError('in_use', `The link job has not ended; ${what} when it has, or cancel it.`);

const SECTION = { tag: 'Links', name: 'link_jobs' } as const;

/** Adds the routes that list and show link jobs, and return the faults of their rows. */
export const linkJobRoutes = ofAccount(SECTION, (route, { database: { sql } }: Need) => {
  route('GET /link-jobs', {
    operationId: 'listLinkJobs',
    summary: 'Your link jobs, newest first',
    description: 'Each as `getLinkJob` shows it.',
    ...pagesOf(LinkJobBody, toLinkJobBody, ({ accountId }, page) => listLinkJobs(sql, accountId, page)),
  });

  route('GET /link-jobs/:id', {
    operationId: 'getLinkJob',
    summary: 'A link job, with its progress',
    description: 'Ask again until `state` is `done`, `failed` or `cancelled`, or let a webhook tell you.',
    params: IdParams,
    answer: LinkJobBody,
    handle: async ({ params }, { accountId }) =>
      toLinkJobBody(await requireLinkJob(sql, accountId, params.id)),
  });

  route('GET /link-jobs/:id/faults', {
    operationId: 'listLinkJobFaults',
    summary: `The rows of a link job with faults, as NDJSON; at most about ${FAULTS_MAX}`,
    description:
      'Each line has row (from 1), file_row (its row in the file), slug, external_id, field and message.',
    params: IdParams,
    answer: describeBytes('One object a line.', 'application/x-ndjson'),
    handle: async ({ params }, { accountId }, reply) => {
      const { id } = await requireLinkJob(sql, accountId, params.id);
      reply.type('application/x-ndjson; charset=utf-8').header('cache-control', 'private, no-store');
      return sendStream(reply, faultLines(sql, id));
    },
  });
});

/** Adds the routes that cancel, undo and delete link jobs. */
export const endLinkJobRoutes = ofAccount(SECTION, (route, { linkJobs }: Need<'linkJobs'>) => {
  route('POST /link-jobs/:id/cancel', {
    operationId: 'cancelLinkJob',
    evenOverdrawn: 'it stops work',
    summary: 'End a link job after the piece in progress',
    description:
      'What it has changed stays and can be undone; with `all_or_nothing` it is brought back. A job that has ended is left unchanged.',
    params: IdParams,
    answer: LinkJobBody,
    status: 202,
    fails: [413],
    change:
      async ({ params }, { accountId }) =>
      async ({ sql: tx }) => {
        const { id } = await requireLinkJob(tx, accountId, params.id);
        await endLinkJob(tx, id, 'cancelled', 'It was cancelled.');
        whenCommitted(tx, linkJobs.wake);
        return toLinkJobBody(await requireLinkJob(tx, accountId, id));
      },
  });

  route('POST /link-jobs/:id/undo', {
    operationId: 'undoLinkJob',
    summary: 'Undo a link job: each link leads where it led before, and has the tags that it had',
    description:
      'This is a job of its own, which can be undone, too. Later changes are overwritten. Links that were deleted since are left out, and are among its faults. A job that has changed nothing is a 404.',
    params: IdParams,
    answer: LinkJobBody,
    status: 202,
    fails: [409],
    change: async ({ params }, { accountId, keyId }) => {
      const trace = currentTrace();
      const sender = { keyId, trace: trace === undefined ? null : writeTraceContext(trace.context) };
      return async ({ sql: tx }) => {
        const job = await requireLinkJob(tx, accountId, params.id);
        if (job.finishedAt === null) throw notEnded('undo it');
        const id = await linkJobs.undo(tx, job, sender);
        if (id === null)
          throw new AppError('not_found', 'The link job has changed nothing that could be undone.');
        whenCommitted(tx, linkJobs.wake);
        return toLinkJobBody(await requireLinkJob(tx, accountId, id));
      };
    },
  });

  route('DELETE /link-jobs/:id', {
    operationId: 'deleteLinkJob',
    evenOverdrawn: 'it frees what a job holds',
    summary: 'Delete a link job that has ended; what it has changed stays, and cannot be undone any more',
    description: 'Jobs are deleted 30 days after their ends anyway.',
    params: IdParams,
    fails: [409],
    change:
      async ({ params }, { accountId }) =>
      async ({ sql: tx }) => {
        const { id } = await requireLinkJob(tx, accountId, params.id);
        if (!(await expireLinkJob(tx, id))) throw notEnded('delete it');
      },
  });
});
