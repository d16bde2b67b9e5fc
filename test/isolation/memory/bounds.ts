/** Megabytes that a gateway takes at most, beyond those after its start. docs/operations/limits.md has the same table. */
export const BOUNDS_MB = { readers: 450, senders: 800, connections: 250 } as const;
