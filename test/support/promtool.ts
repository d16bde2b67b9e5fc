/** Prometheus' own checker of metrics: the one of the path, or that of PROMTOOL. */
import { execFileSync, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const COMMAND = process.env.PROMTOOL || 'promtool';

export const hasPromtool = (): boolean => {
  try {
    execFileSync(COMMAND, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** What `promtool check metrics` says of metrics in the text format; with nothing to say it ends with 0. */
export const checkMetrics = async (metrics: string): Promise<{ code: number; output: string }> => {
  const child = spawn(COMMAND, ['check', 'metrics'], { stdio: 'pipe' });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? -1));
  });
  child.stdin.end(metrics);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
};
