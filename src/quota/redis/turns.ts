/**
 * The shards that a loop looks at in its next round: those where something is expected, and some of the others in turn.
 * So a gateway that does nothing hardly asks the nodes of a Cluster, and still finds what a killed one has left.
 */
export type Turns = ReturnType<typeof createTurns>;

/** @param rounds After so many rounds each shard was looked at. */
export const createTurns = (shards: number, rounds: number) => {
  const perRound = Math.ceil(shards / rounds);
  const expected = new Set<number>();
  let next = 0;
  return {
    /** Makes the next round look at a shard. */
    expect(shard: number): void {
      expected.add(shard);
    },
    /** Returns the shards of the next round. */
    take(): readonly number[] {
      for (let n = 0; n < perRound; n += 1) expected.add((next + n) % shards);
      next = (next + perRound) % shards;
      const taken = [...expected];
      expected.clear();
      return taken;
    },
  };
};
