/** Busy programs that share the cores with a gateway of few processes, as more processes of a gateway would. */
import { execFileSync, spawn } from 'node:child_process';

/** Reads and writes 4 MB again and again, so that it takes its share of the caches too. */
const WORK = `
  const bytes = new Uint8Array(4 << 20);
  for (let sum = 0; ; ) for (let i = 0; i < bytes.length; i += 64) bytes[i] = sum = (sum + bytes[i]) | 0;
`;

/** Binds a process with all its threads to some cores, named as `0-3` or `0,2`. Needs `taskset`. */
export const bindToCores = (pid: number, cores: string): void => {
  execFileSync('taskset', ['-a', '-c', '-p', cores, String(pid)]);
};

/** Binds a process with all its threads to a core. Needs `taskset`. */
export const bindToCore = (pid: number, core: number): void => bindToCores(pid, String(core));

/** Starts one busy program for each of the cores, bound to it. Returns what ends them; they also end with us. */
export const startNeighbours = (cores: readonly number[]): (() => void) => {
  const neighbours = cores.map((core) => {
    // A pipe that closes ends the program, even when we are killed.
    const watch = 'new (require("node:worker_threads").Worker)(process.argv[1], { eval: true });';
    const script = `process.stdin.on("close", () => process.exit()).resume(); ${watch}`;
    const neighbour = spawn(process.execPath, ['-e', script, WORK], { stdio: ['pipe', 'ignore', 'inherit'] });
    bindToCore(neighbour.pid!, core);
    return neighbour;
  });
  return () => {
    for (const neighbour of neighbours) neighbour.kill();
  };
};
