/**
 * Why a call to the ledger on Redis failed. `LEDGER_UNAVAILABLE`: Redis, or Postgres where it is needed, is
 * unavailable, and nothing was done. `LEDGER_FAULT`: the stored data are damaged, or there is no such account.
 * `LEDGER_SILENT`: no answer came, so the call is indeterminate.
 */
export type LedgerFault = 'LEDGER_UNAVAILABLE' | 'LEDGER_FAULT' | 'LEDGER_SILENT';

/** Returns an error that carries the fault as its `code`. */
export const ledgerError = (code: LedgerFault, message: string, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), { code });

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '');

/** Turns an error of the Redis client into `LEDGER_SILENT`. Faults of the ledger and the database stay as they are. */
export const toLedgerError = (error: unknown): unknown => {
  if (/^(LEDGER|DATABASE)_/.test(codeOf(error)) || error instanceof TypeError) return error;
  return ledgerError('LEDGER_SILENT', error instanceof Error ? error.message : String(error), error);
};

/** Whether the ledger may have done what the failed call asked for. */
export const isIndeterminate = (error: unknown): boolean => codeOf(error) === 'LEDGER_SILENT';
