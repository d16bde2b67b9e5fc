/** Serves the packages of the clients of this version, so that npm and pip can install them without a registry. */
import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors.ts';
import { VERSION } from '../../version.ts';
import { builtFolder } from '../file-paths.ts';
import { etagOf, isKnownTo } from '../files/versions.ts';

/** The media types of packages by the endings of their names. */
const TYPES: Readonly<Record<string, string>> = {
  '.tgz': 'application/gzip',
  '.tar.gz': 'application/gzip',
  '.whl': 'application/zip',
};

interface ServedFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly etag: string;
}

const served = (type: string, bytes: Buffer): ServedFile => ({
  ...{ type, bytes },
  etag: etagOf(hash('sha256', bytes, 'base64url')),
});

const typeOf = (name: string): string | undefined =>
  Object.entries(TYPES).find(([ending]) => name.endsWith(ending))?.[1];

const namesIn = async (folder: URL): Promise<readonly string[]> => {
  const names = await readdir(folder).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return names.filter((name) => typeOf(name) !== undefined).sort();
};

/**
 * Reads the packages. Returns what is served by its name: them, `SHA256SUMS` as `sha256sum --check` reads it, and, without
 * a name, the list of them.
 *
 * @throws {AppError} 404 when none were built.
 */
const readPackages = async (folder: URL): Promise<ReadonlyMap<string, ServedFile>> => {
  const names = await namesIn(folder);
  if (names.length === 0)
    throw new AppError('not_found', 'This build has no packages of clients; npm run clients makes them.');
  const packages = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(new URL(name, folder));
      return { name, bytes, sha256: hash('sha256', bytes) };
    }),
  );
  const sums = packages.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');
  const list = packages.map(({ name, bytes, sha256 }) => ({ name, bytes: bytes.length, sha256 }));
  return new Map([
    ...packages.map(({ name, bytes }) => [name, served(typeOf(name)!, bytes)] as const),
    ['SHA256SUMS', served('text/plain; charset=utf-8', Buffer.from(sums))],
    [
      '',
      served(
        'application/json; charset=utf-8',
        Buffer.from(JSON.stringify({ version: VERSION, packages: list })),
      ),
    ],
  ]);
};

/** Adds `/clients/`, which lists the packages, and a path for each. @param folder Where they are. */
export const clientRoutes =
  (folder = builtFolder('clients')): FastifyPluginAsyncTypebox =>
  async (app) => {
    let kept: Promise<ReadonlyMap<string, ServedFile>> | null = null;
    /** They are read once, with the first request for them after they were built. */
    const packages = () => {
      kept ??= readPackages(folder).catch((error: unknown) => {
        kept = null;
        throw error;
      });
      return kept;
    };
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const { file: name = '' } = request.params as { readonly file?: string };
      const file = (await packages()).get(name);
      if (file === undefined)
        throw new AppError('not_found', 'There is no such package; GET /clients/ lists them.');
      const { type, bytes, etag } = file;
      // A later build of the same version may make another package.
      reply.header('cache-control', 'no-cache').header('etag', etag);
      return isKnownTo(request, etag) ? reply.code(304).send() : reply.type(type).send(bytes);
    };
    // The OpenAPI document leaves them out: they are files for package managers, made from the document.
    const options = { config: { name: 'clients' }, schema: { hide: true } };
    app.get('/clients', options, send);
    app.get('/clients/', options, send);
    app.get('/clients/:file', options, send);
  };
