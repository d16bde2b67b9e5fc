/** Describes the machine of a run, without which its figures mean nothing. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';

/** Hardware, system and versions. Values that cannot be read are `unknown`. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly kernel: string;
  /** The scaling governor of the first processor. */
  readonly governor: string;
  /** `cpu.max` of the control group, `none` without one. */
  readonly cgroupCpuMax: string;
  readonly inContainer: boolean;
  readonly node: string;
  readonly redis: string;
  readonly postgres: string;
  readonly commit: string;
  /** Whether the checkout had uncommitted changes. */
  readonly dirty: boolean;
  /** Load average of the minute before the run. When it is well above 0, the machine was busy with other work too. */
  readonly load: number;
}

const firstLine = (command: string, ...args: string[]): string => {
  try {
    const stdio = ['ignore', 'pipe', 'ignore'] as const;
    return execFileSync(command, args, { encoding: 'utf8', stdio: [...stdio] })
      .split('\n')[0]!
      .trim();
  } catch {
    // Not installed, or not a git checkout.
    return 'unknown';
  }
};

const fileOr = (path: string, fallback: string): string =>
  existsSync(path) ? readFileSync(path, 'utf8').trim() : fallback;

/** Reads hardware, system and versions; takes some tens of milliseconds. */
export const describeMachine = (): Machine => ({
  cpu: cpus()[0]?.model ?? 'unknown',
  cores: availableParallelism(),
  memoryBytes: totalmem(),
  kernel: release(),
  governor: fileOr('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor', 'unknown'),
  cgroupCpuMax: fileOr('/sys/fs/cgroup/cpu.max', 'none'),
  inContainer: existsSync('/.dockerenv') || /docker|kubepods|lxc/.test(fileOr('/proc/1/cgroup', '')),
  node: process.version,
  redis: firstLine('redis-server', '--version'),
  postgres: firstLine('postgres', '--version'),
  commit: firstLine('git', 'rev-parse', '--short', 'HEAD'),
  dirty: !['', 'unknown'].includes(firstLine('git', 'status', '--porcelain')),
  load: loadavg()[0]!,
});

/** Returns what decides how fast it is, in words. */
export const hardwareOf = ({ cpu, cores, node }: Machine): string => `${cpu}, ${cores} cores, Node ${node}`;

/** Above this load average, the machine counts as busy with other work. */
export const BUSY_LOAD = 0.5;
