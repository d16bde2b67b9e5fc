/** The request and response headers about the grade of pictures. */
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Grade } from '../../workers/protocol.ts';
import type { BulkResult } from '../generate/bulk/items.ts';
import { type Graded, type Terms, worstOf } from '../generate/quality/graded.ts';

/** The request headers of calls that generate. */
export const TermsHeaders = Type.Object({
  'tessera-min-grade': Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4,
      description: 'Refuses pictures of a lower grade. They are not made and cost nothing.',
    }),
  ),
});

/** Returns what validated headers ask for. */
export const termsOf = (headers: Static<typeof TermsHeaders>): Terms => ({
  minGrade: (headers['tessera-min-grade'] ?? 0) as Grade,
});

/** Sends the grade of the picture that an answer carries, and its warnings if it has any. */
export const sendGrade = (reply: FastifyReply, { grade, warnings }: Graded): void => {
  reply.header('tessera-grade', String(grade));
  if (warnings !== '') reply.header('tessera-warnings', warnings);
};

/**
 * Sends the lowest grade of a batch with the warnings of all its pictures, and the grade of each item in order: `none` for
 * one without a picture.
 */
export const sendGrades = (reply: FastifyReply, results: readonly BulkResult[]): void => {
  const worst = worstOf(results.flatMap((result) => (result.success ? result : [])));
  if (worst !== null) sendGrade(reply, worst);
  reply.header('tessera-grades', results.map((item) => (item.success ? item.grade : 'none')).join(', '));
};
