/**
 * Prints what tap reports: a line for each test file, also where several share a process, and the failures at the end.
 * The first lines of a failure are also printed next to its file: a log may be cut at either end.
 */
import { Transform } from 'node:stream';

/** Lines of one file's failures that are printed. */
const LINES_MAX = 200;
/** Those of them that are printed at once. */
const LINES_AT_ONCE = 25;
const RESULT = /^(not )?ok \d+ /;
/** The result of a file that shares its process with others, or could. */
const RESULT_OF_FILE = /^ {4}((?:not )?ok) \d+ - (test\/\S+\.test\.ts.*)/;

/** Returns the failed assertions with their details; without any, what the file printed last. */
const failuresIn = (lines) => {
  const found = [];
  let isFailure = false;
  for (const line of lines) {
    if (/^\s*(not )?ok \d|^\s*# Subtest/.test(line)) isFailure = /^\s*not ok/.test(line);
    if (isFailure && line.trim() !== '') found.push(line);
  }
  return (found.length > 0 ? found : lines).slice(0, LINES_MAX);
};

/** Tap asks for a stream class: TAP goes in, text comes out. */
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
    // What follows a failed file, up to the next one, is why it failed.
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
    // A process that ends in the middle of a file has no result of that file.
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
