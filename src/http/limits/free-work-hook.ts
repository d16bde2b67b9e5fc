import type { FastifyRequest } from 'fastify';
import type { FreeWork } from '../../limits/free-work.ts';
import { principalOf } from '../auth/auth.ts';

/** Creates the hook that refuses an account which has overdrawn its budget of free work, before the body is read. */
export const createFreeWorkHook =
  (freeWork: FreeWork) =>
  async (request: FastifyRequest): Promise<void> =>
    freeWork.admit(principalOf(request).accountId);
