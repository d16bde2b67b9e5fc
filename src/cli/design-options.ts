/** Options of the commands that make codes: a file with a design, a preset, and grades. */
import { readFile } from 'node:fs/promises';
import { usageError } from './fault.ts';

/** Reads the JSON object of `--design`. @throws {CliFault} */
export const readDesignFile = async (path: string): Promise<object> => {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw usageError(`${path} cannot be read: ${error.message}`);
  });
  let design: unknown;
  try {
    design = JSON.parse(text);
  } catch {
    throw usageError(`${path} is not JSON`);
  }
  if (typeof design === 'object' && design !== null && !Array.isArray(design)) return design;
  throw usageError(`${path} is not a JSON object`);
};

/** What a command asks of the design and the grade of its codes. */
interface AskedGrade {
  /** Id or name of a preset of the account. */
  readonly preset?: string | undefined;
  /** Pictures of a lower grade are not made. */
  readonly minGrade?: number | string | undefined;
  /** Designs below the minimum grade are repaired; without one, those below grade 4. */
  readonly repair?: true | undefined;
}

/** Returns the request headers that ask for it. A name is sent in UTF-8, which `fetch` takes as Latin-1. */
export const gradeHeaders = ({ preset, minGrade, repair }: AskedGrade): Readonly<Record<string, string>> => ({
  ...(preset === undefined ? {} : { 'tessera-preset': Buffer.from(preset).toString('latin1') }),
  ...(minGrade === undefined ? {} : { 'tessera-min-grade': String(minGrade) }),
  ...(repair && { 'tessera-repair': 'true' }),
});
