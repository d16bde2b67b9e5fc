/** Parsers for the texts of OpenTelemetry's variables. */
import { ok, refused } from '../result.ts';
import type { Parse } from './parse.ts';

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
};

/**
 * Parses `name=value` pairs between commas; values are percent-encoded where they have to be. A fault reveals none
 * of them.
 */
export const otlpHeaders: Parse<Readonly<Record<string, string>>> = (text) => {
  const pairs = text.split(',').map((pair): readonly [string, string | null] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim().toLowerCase(), decoded(pair.slice(at + 1))];
  });
  const isRight = pairs.every(
    ([name, value]) => HEADER_NAME.test(name) && value !== null && /^[\x20-\x7e]{1,4000}$/.test(value),
  );
  return isRight
    ? ok(Object.fromEntries(pairs) as Record<string, string>)
    : refused('must be name=value pairs between commas, with values that are percent-encoded');
};

/** Parses a share from 0 to 1. */
export const share: Parse<number> = (text) => {
  const value = /^\d{1,2}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
  return value <= 1 ? ok(value) : refused('must be a number from 0 to 1');
};
