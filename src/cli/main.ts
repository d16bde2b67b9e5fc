/** The process of the command line. */
import { runCli } from './cli.ts';

const { stdin, stdout, stderr } = process;
const env = process.env;

// A reader such as `head` closes the pipe early. That is not a failure.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

const onInterrupt = (): AbortSignal => {
  const interrupted = new AbortController();
  process.once('SIGINT', () => {
    stderr.write('\nFinishing what is under way. Press Ctrl-C again to end at once.\n');
    interrupted.abort();
  });
  return interrupted.signal;
};

process.exitCode = await runCli(process.argv.slice(2), {
  env,
  // npm runs scripts in the project's folder, whatever folder the user is in.
  cwd: (env.npm_lifecycle_event === 'tessera' ? env.INIT_CWD : undefined) ?? process.cwd(),
  input: stdin,
  out: stdout,
  err: stderr,
  onInterrupt,
});
