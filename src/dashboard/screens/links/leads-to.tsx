/** Where a short link leads now. */
import { toScreenPath } from '../../api/client.ts';
import { useGet } from '../../api/query.ts';
import type { Link } from '../../api/shapes.ts';
import { formatMoment } from '../../ui/format.ts';
import { say } from '../../words/say.ts';
import { type LinkName, namedAs } from './save-link.ts';

/** Returns the address to which a link leads visits that no rule leads; `null`: none of its own. */
const addressNow = (link: Link): string | null => {
  if (link.status === 'active') return link.destination;
  return link.status === 'scheduled' ? link.before_destination : link.after_destination;
};

/** Says what else decides about a visit, one sentence a line. */
const remarks = (link: Link): readonly string[] => {
  const { status, active_from: from, active_until: until, rules, rule_set_id: setId } = link;
  return [
    status === 'scheduled' && from !== null && say('It starts {moment}.', { moment: formatMoment(from) }),
    status === 'expired' && until !== null && say('It ended {moment}.', { moment: formatMoment(until) }),
    status === 'limit_reached' && say('Its limit of visits is reached.'),
    status === 'active' && (rules !== null || setId !== null) && say('Its rules lead some visits elsewhere.'),
    status === 'active' && link.has_password && say('It asks visitors for a password.'),
  ].filter((remark) => remark !== false);
};

/** Shows it as a fact of the link's code. */
export const LeadsTo = ({ link }: { readonly link: LinkName }) => {
  const { data } = useGet('/api/v1/links/{slug}', namedAs(link));
  if (data === undefined) return null;
  const url = addressNow(data);
  return (
    <>
      <dt>{say('Leads to')}</dt>
      <dd class="wrap">
        {url ?? <a href={toScreenPath('/links/settings')}>{say('Where codes that lead nowhere lead')}</a>}
        {remarks(data).map((remark) => (
          <p key={remark} class="muted small">
            {remark}
          </p>
        ))}
      </dd>
    </>
  );
};
