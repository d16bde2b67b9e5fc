/** The beginning and the end of a span in a query. All spans take dates and times alike. */
import Type from 'typebox';
import { fieldError } from '../../../errors.ts';
import { MOMENT_RULE } from '../../../validation/ajv.ts';

const EARLIEST = new Date('2000-01-01');
const LATEST = new Date('2100-01-01');

/** The schema of a moment. @param zone The time zone in which a date begins, for the description. */
export const Moment = (description: string, zone: string) =>
  Type.Optional(
    Type.Union([Type.String({ format: 'date' }), Type.String({ format: 'date-time' })], {
      description: `${description} A date means its start ${zone}.`,
      examples: ['2026-11-01', '2026-11-01T09:00:00Z'],
    }),
  );

/** Whether a validated moment is a date. */
export const isDate = (text: string): boolean => text.length === 'YYYY-MM-DD'.length;

/**
 * Reads a validated moment; a date is its beginning in UTC. JavaScript refuses a second of 60, which RFC 3339 allows.
 *
 * @throws {AppError} 400.
 */
export const readMoment = (field: 'from' | 'to' | 'since' | 'until', text: string): Date => {
  const moment = new Date(text);
  if (moment >= EARLIEST && moment <= LATEST) return moment;
  throw fieldError(field, MOMENT_RULE, 'invalid_query');
};
