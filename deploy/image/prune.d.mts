/** The system of an image, as the manifests of packages name it. */
export interface System {
  readonly os: string;
  readonly cpu: string;
  readonly libc: string;
}
export function isRead(name: string, path: string): boolean;
export function runsOn(manifest: { os?: string[]; cpu?: string[]; libc?: string[] }, system: System): boolean;
export function packagesIn(folder: string): { name: string; folder: string }[];
export function filesOf(folder: string, prefix?: string): string[];
export function prune(folder: string): void;
