/** The routes of a gateway, from its router. */
import type { FastifyInstance } from 'fastify';

/** Returns routes like `GET /api/v1/folders/:id` from the tree of the router, which has four characters per level. */
const printed = (tree: string): readonly (readonly [method: string, path: string])[] => {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods = ''] = /^([│├└─ ]*)(\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    const level = indent.length / 4 - 1;
    above.length = Math.max(level, 0);
    const path = above.join('') + part;
    above.push(part);
    return methods.split(', ').flatMap((method) => (method === '' ? [] : [[method, path] as const]));
  });
};

/** Returns the routes, such as `GET /api/v1/folders/:id`, except those that only list the methods of their path. */
export const routesOf = async (gateway: FastifyInstance): Promise<readonly string[]> => {
  const found: string[] = [];
  for (const [method, path] of printed(gateway.printRoutes({ commonPrefix: false }))) {
    const { headers } = await gateway.inject({ method: 'OPTIONS', url: path.replace(/[:*]\w*/g, 'x') });
    const isPreflight = headers['access-control-allow-methods'] !== undefined;
    const isTaken = String(headers.allow).split(', ').includes(method);
    if (method === 'OPTIONS' ? isPreflight : isTaken) found.push(`${method} ${path}`);
  }
  return found;
};
