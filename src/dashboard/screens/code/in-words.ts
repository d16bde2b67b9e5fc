import type { Link } from '../../api/shapes.ts';
import { moment } from '../../ui/format.ts';

type Times = Pick<Link, 'active_from' | 'active_until' | 'before_destination' | 'after_destination'>;

/** Returns the times of a link and its addresses for them, one sentence a line; nothing when it has none. */
export const inWords = ({
  active_from,
  active_until,
  before_destination,
  after_destination,
}: Times): readonly string[] => [
  ...(active_from === null ? [] : [`Starts ${moment(active_from)}`]),
  ...(active_from !== null && before_destination !== null ? [`Before that: ${before_destination}`] : []),
  ...(active_until === null ? [] : [`Ends ${moment(active_until)}`]),
  ...(active_until !== null && after_destination !== null ? [`After that: ${after_destination}`] : []),
];

/** Whether a link leads to its destination now, not yet or no more. */
export const phaseOf = ({ active_from, active_until }: Times): 'now' | 'not yet' | 'ended' => {
  const now = Date.now();
  if (active_from !== null && now < Date.parse(active_from)) return 'not yet';
  return active_until !== null && now >= Date.parse(active_until) ? 'ended' : 'now';
};
