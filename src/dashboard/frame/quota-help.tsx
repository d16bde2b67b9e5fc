import { toScreenPath } from '../base.ts';
import { useAccountName } from '../session.ts';
import { formatDay } from '../ui/format.ts';

/** The account that the first start on an embedded database makes. */
const DEMO = 'demo';

/** Says what an account with too few units can do. `resetsAt` is when it gets new ones, in ISO 8601. */
export const QuotaHelp = ({ resetsAt }: { readonly resetsAt: string }) => {
  const operator = <a href={toScreenPath('/operator')}>sign in as the operator</a>;
  return useAccountName() === DEMO ? (
    <p>
      This is the demo account of this installation. It has the quota of the Pro plan, and gets new units on{' '}
      {formatDay(resetsAt)}. If you run this service, {operator} to add credits or raise the quota; the token
      is in the file <code>admin-token</code> of the data folder.
    </p>
  ) : (
    <p>
      You get new units on {formatDay(resetsAt)}. The operator of this service can add credits or raise the
      quota before that; if that is you, {operator}.
    </p>
  );
};

/** Says whose limit a request has hit, and who can change it. */
export const RateHelp = () => (
  <p>
    All keys and users of {useAccountName() === DEMO ? 'the demo account' : 'this account'} share its limits,
    so that other accounts are served too. The operator of this service sets them, for example{' '}
    <code>RATE_LIMIT_PER_SECOND</code>.
  </p>
);
