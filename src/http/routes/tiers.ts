/** The routes of gateways that serve less than all calls, and what is done before any route is registered. */
import type { FastifyInstance } from 'fastify';
import type { Links } from '../../links/links.ts';
import { keepApart, type OwnHosts, refuseUnknownHosts } from '../hosts.ts';
import { answerOtherMethods } from '../protocol/requests.ts';
import { domainRoute } from './domain.ts';
import { healthRoutes, metricsRoute } from './operator/health.ts';
import { redirectRoute } from './redirect.ts';
import { type ResolverServices, resolverRoutes, separateHosts } from './resolver.ts';
import type { Services } from './services.ts';

/** The part of the configuration that every gateway's routes depend on. */
export interface TierOptions extends OwnHosts {
  /** Whether requests for hosts that nobody has are refused. */
  readonly refusesUnknownHosts: boolean;
  /** The host that answers Digital Link URIs only; `null`: there is none. */
  readonly resolverHost: string | null;
  /** Whether `/metrics` needs no admin token. */
  readonly metricsPublic: boolean;
}

/** What health checks and metrics need. */
type OperationServices = Pick<
  Services,
  'directory' | 'isOwnHost' | 'notReady' | 'note' | 'metrics' | 'requireAdmin'
>;

/** What redirects need besides. */
interface RedirectServices extends OperationServices, Pick<Services, 'unknownSlugs'>, ResolverServices {
  readonly links: Pick<Links, 'redirects' | 'scans' | 'follow'>;
}

/** Prepares a gateway for its routes. Call the returned function when all of them are registered. */
export const beginRoutes = (
  gateway: FastifyInstance,
  { resolverHost, ...hosts }: Omit<TierOptions, 'metricsPublic'>,
): (() => void) => {
  separateHosts(gateway, resolverHost);
  if (hosts.refusesUnknownHosts) refuseUnknownHosts(gateway, hosts);
  keepApart(gateway);
  return answerOtherMethods(gateway);
};

const addOperation = async (
  gateway: FastifyInstance,
  services: OperationServices,
  { metricsPublic }: TierOptions,
): Promise<void> => {
  await gateway.register(healthRoutes(services));
  await gateway.register(metricsRoute({ ...services, isPublic: metricsPublic }));
};

/** Registers health checks and metrics alone. */
export const registerOperation = async (
  gateway: FastifyInstance,
  services: OperationServices,
  options: TierOptions,
): Promise<void> => {
  const completeMethods = beginRoutes(gateway, options);
  await addOperation(gateway, services, options);
  completeMethods();
};

/** Registers what visitors call, with health checks and metrics. */
export const registerRedirects = async (
  gateway: FastifyInstance,
  services: RedirectServices,
  options: TierOptions,
): Promise<void> => {
  const completeMethods = beginRoutes(gateway, options);
  await addOperation(gateway, services, options);
  await gateway.register(redirectRoute({ ...services, ...services.links }));
  await gateway.register(domainRoute(services));
  await gateway.register(resolverRoutes(services));
  completeMethods();
};
