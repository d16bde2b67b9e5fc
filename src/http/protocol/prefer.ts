/** The request header `Prefer` (RFC 7240). Only `return` is honoured. */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';

/** The header of calls that make something large. */
export const PreferHeader = {
  prefer: Type.Optional(
    Type.String({ description: '`return=minimal`: the answer has no body. Other preferences are ignored.' }),
  ),
};

const RETURN = /(?:^|,)[ \t]*return[ \t]*=[ \t]*"?(minimal|representation)"?[ \t]*(?=[,;]|$)/i;

/** Whether the caller wants an answer without a body. Of several preferences the first counts. */
export const prefersMinimal = ({ headers: { prefer } }: Pick<FastifyRequest, 'headers'>): boolean =>
  RETURN.exec(String(prefer ?? ''))?.[1]?.toLowerCase() === 'minimal';
