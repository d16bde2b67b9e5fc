/** How calls name the domain of short links. */
import Type from 'typebox';
import { strict } from './schemas/atoms.ts';

/** The query of calls that name a short link by its slug. */
export const DomainQuery = Type.Object(
  {
    domain: Type.Optional(
      Type.String({
        maxLength: 500,
        description:
          'The host of one of your domains, if `slug` is one of there. Absent: a slug of the shared domain, or the one that the link was made with.',
      }),
    ),
  },
  strict,
);

/** The request header of calls that make short links. */
export const DomainHeader = {
  'tessera-domain': Type.Optional(
    Type.String({
      description:
        'The host of one of your domains, at which new short links are, or `shared` for the domain of the service. Default: the default domain of your account.',
    }),
  ),
};
