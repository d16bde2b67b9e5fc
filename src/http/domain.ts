/** The request header that names the domain of short links. */
import Type from 'typebox';

/** The request header of calls that make short links. */
export const DomainHeader = {
  'tessera-domain': Type.Optional(
    Type.String({
      description:
        'The host of one of your domains, at which new short links are, or `shared` for the domain of the service. Default: the default domain of your account.',
    }),
  ),
};
