/**
 * Formats the report of tap: a line for each test file, even when several share a process, and the failures at the
 * end. The first lines of a failure are also printed next to its file, because a log may be truncated at either end.
 */
import { Transform } from 'node:stream';

/** How many lines of the failures of one file are printed. */
const LINES_MAX = 200;
/** How many of them are printed next to the file. */
const LINES_AT_ONCE = 25;
const RESULT = /^(not )?ok \d+ /;
/** Matches the result of a file in a process that several files may share. */
const RESULT_OF_FILE = /^ {4}((?:not )?ok) \d+ - (test\/\S+\.test\.ts.*)/;

/** Returns the failed assertions with their details or, if there are none, the last output of the file. */
const failuresIn = (lines) => {
  const found = [];
  let isFailure = false;
  for (const line of lines) {
    if (/^\s*(not )?ok \d|^\s*# Subtest/.test(line)) isFailure = /^\s*not ok/.test(line);
    if (isFailure && line.trim() !== '') found.push(line);
  }
  return (found.length > 0 ? found : lines).slice(0, LINES_MAX);
};

/** Tap requires a stream class: TAP goes in, text comes out. */
export default class Report extends Transform {
  #rest = '';
  /** The lines of the file that is being read. */
  #lines = [];
  #failures = [];
  #hasFailed = false;

  _transform(chunk, _encoding, done) {
    const lines = `${this.#rest}${chunk}`.split('\n');
    this.#rest = lines.pop();
    for (const line of lines) this.#take(line);
    done();
  }

  _flush(done) {
    for (const line of [...this.#failures, this.#rest]) this.push(`${line}\n`);
    done();
  }

  #take(line) {
    if (RESULT.test(line)) return this.#end(line);
    const isOwn = /^(# |Bail out)/.test(line) && !line.startsWith('# Subtest');
    // The lines after a failed file, up to the next one, are the details of the failure.
    if (this.#hasFailed && !line.startsWith('#')) this.#failures.push(line);
    else if (isOwn) this.push(`${line}\n`);
    else this.#lines.push(line);
    if (line.startsWith('# Subtest')) this.#hasFailed = false;
  }

  #end(line) {
    this.#hasFailed = line.startsWith('not ok');
    const files = this.#lines.flatMap((one) => {
      const [, result, file] = RESULT_OF_FILE.exec(one) ?? [];
      return result === undefined ? [] : [`${result} ${file}`];
    });
    // A process that ends in the middle of a file reports no result for that file.
    const isNamed = this.#hasFailed ? files.some((one) => one.startsWith('not ok')) : files.length > 0;
    for (const one of isNamed ? files : [...files, line]) this.push(`${one}\n`);
    if (this.#hasFailed) {
      const failures = failuresIn(this.#lines);
      for (const one of failures.slice(0, LINES_AT_ONCE)) this.push(`${one}\n`);
      this.#failures.push('', line, ...failures);
    }
    this.#lines = [];
  }
}
