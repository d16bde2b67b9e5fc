/** Checks metrics with Prometheus' `promtool`, from the PATH or from PROMTOOL. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const COMMAND = process.env.PROMTOOL || 'promtool';

/** Runs `promtool check metrics` on metrics in the text format. The code is 0 when it finds no fault. */
export const checkMetrics = async (metrics: string): Promise<{ code: number; output: string }> => {
  const child = spawn(COMMAND, ['check', 'metrics'], { stdio: 'pipe' });
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('close', (code) => resolve(code ?? -1));
  });
  child.stdin.end(metrics);
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output: out + err };
};
