/** Answers: the API allows each, and the same key always gets the same answer. */
import type { History } from '../history.ts';
import { STATUSES } from '../operations.ts';
import { attemptsOf, isOk, mayForgetKeys, type Violation } from './rule.ts';

/** Every answer is an acknowledgement or a refusal that the call may have. */
export const checkStatuses = ({ calls }: History): Violation[] =>
  calls
    .filter(({ operation, status }) => {
      const { ok, refused } = STATUSES[operation.kind];
      return status !== null && status !== ok && !refused.includes(status);
    })
    .map((call) => ({ rule: 'answers', what: `unexpected status ${call.status}`, calls: [call] }));

/** All acknowledgements under one key are equal, and all but at most one are replays. */
export const checkReplays = (history: History): Violation[] =>
  (['single', 'bulk', 'batch'] as const)
    .flatMap((kind) => attemptsOf(history, kind))
    .flatMap((attempts): Violation[] => {
      const answered = attempts.filter(isOk);
      if (answered.length < 2 || mayForgetKeys(history, attempts)) return [];
      const { kind } = answered[0]!.operation;
      const firsts = answered.filter(({ answer }) => !answer!.isReplay);
      if (kind !== 'batch' && firsts.length > 1)
        return [{ rule: 'replays', what: 'two answers under one key are not replays', calls: attempts }];
      if (new Set(answered.map(({ answer }) => answer!.digest)).size > 1)
        return [{ rule: 'replays', what: 'a replay differs from the first answer', calls: attempts }];
      return [];
    });
