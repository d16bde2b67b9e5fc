/** What a coordinator and its agents say to each other: JSON over HTTP. */
import type { ClosedJob, ClosedResult, OpenJob, OpenResult } from '../load/job.ts';
import { mergeTallies } from '../load/outcomes.ts';

/** The variable with the secret that a coordinator and its agents share. */
export const SECRET = 'TESSERA_AGENT_SECRET';
const SECRET_CHARACTERS_MIN = 16;

/** Returns the secret. @throws When there is none, or it is easy to guess. */
export const readSecret = (): string => {
  const secret = process.env[SECRET] ?? '';
  if (secret.length >= SECRET_CHARACTERS_MIN) return secret;
  throw new AgentFault(
    `set ${SECRET} to the same random text of at least ${SECRET_CHARACTERS_MIN} characters here and for each agent`,
  );
};

/** A load that several generators cannot make together. The message says why. */
export class AgentFault extends Error {}

/** A load that not all of them ended. */
export class LostAgent extends AgentFault {
  readonly exitCode = 3;
}

/** A load for an agent, which begins at a time of the agent's clock. */
export type Order =
  | { readonly kind: 'open'; readonly job: OpenJob; readonly startMs: number }
  | { readonly kind: 'closed'; readonly job: ClosedJob; readonly startMs: number };

/** The end of an answer to an order. White space before it tells that the agent is alive. */
export type Report = { readonly result: OpenResult | ClosedResult } | { readonly fault: string };

/** The agent's answer about its clock, in ms since 1970. */
export type ClockAnswer = Readonly<Record<'receivedMs' | 'sentMs', number>>;

/** Returns the time in ms since 1970, which no correction of the system's clock moves during a run. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** How far the clock of an agent is ahead. The error is at most half of the round trip. */
export type Clock = Readonly<Record<'offsetMs' | 'roundTripMs', number>>;

/** Computes offset and delay as NTP does: RFC 5905, section 8. */
export const clockOf = (askedMs: number, { receivedMs, sentMs }: ClockAnswer, answeredMs: number): Clock => ({
  offsetMs: (receivedMs - askedMs + (sentMs - answeredMs)) / 2,
  roundTripMs: answeredMs - askedMs - (sentMs - receivedMs),
});

/** Returns the part of whole things that one of `of` gets. */
const share = (whole: number, at: number, of: number): number => Math.floor((whole + of - 1 - at) / of);

/** Returns the part of a load that agent `at` of `of` makes, with contents of its own. */
export const shareOf = <J extends OpenJob | ClosedJob>(job: J, at: number, of: number): J => ({
  ...job,
  aim: { ...job.aim, run: `${job.aim.run}-${at}` },
  connections: Math.max(1, share(job.connections, at, of)),
  ...('ratePerS' in job && {
    ratePerS: job.ratePerS / of,
    ...(job.profile && {
      profile: job.profile.map(({ seconds, fromPerS, toPerS }) => ({
        seconds,
        fromPerS: fromPerS / of,
        toPerS: toPerS / of,
      })),
    }),
    underWayMax: Math.max(1, share(job.underWayMax, at, of)),
  }),
});

/** Returns when the first request of an agent is due after that of the first agent, so that they take turns. */
export const turnMs = (job: OpenJob | ClosedJob, at: number): number =>
  'ratePerS' in job ? (at * 1000) / job.ratePerS : 0;

/** Adds up what several agents measured at the same time. */
export const mergeClosed = (results: readonly ClosedResult[]): ClosedResult => ({
  seconds: Math.max(...results.map(({ seconds }) => seconds)),
  tally: mergeTallies(results.map(({ tally }) => tally)),
  generatorCpuMs: Math.max(...results.map(({ generatorCpuMs }) => generatorCpuMs)),
});
