/**
 * Why the ledger on Redis could not be asked. AWAY: Redis, or what it needs of Postgres, can't be reached. FAULT: what
 * is stored makes no sense, or there is no such account. SILENT: no answer came, so the call is indeterminate.
 */
export type LedgerFault = 'LEDGER_AWAY' | 'LEDGER_FAULT' | 'LEDGER_SILENT';

export const ledgerError = (code: LedgerFault, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** A failure of the Redis client as a `LedgerFault`; those of the ledger and the database as they are. */
export const toLedgerError = (error: unknown): unknown => {
  if (/^(LEDGER|DATABASE)_/.test(codeOf(error)) || error instanceof TypeError) return error;
  return ledgerError('LEDGER_SILENT', error instanceof Error ? error.message : String(error), error);
};

/** Whether the ledger may have done what was asked, although the call failed. */
export const isIndeterminate = (error: unknown): boolean => codeOf(error) === 'LEDGER_SILENT';
