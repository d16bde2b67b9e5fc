/** The commands about own domains. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { print, readAllPages } from '../../admin.ts';
import type { ApiCall, Ask } from '../../api.ts';
import { type KeyOptions, openApi, parseForward, withKeyOptions } from '../../options.ts';
import { commandError, formatFields, formatRows, type Terminal, toPrintable } from '../../terminal.ts';

/** The fields of a domain that are shown. */
interface DomainBody {
  readonly host: string;
  readonly short_url_base: string;
  readonly state: string;
  readonly is_default: boolean;
  readonly proof: { readonly record_name: string; readonly file_url: string; readonly text: string };
  readonly fault: string | null;
  readonly verified_at: string | null;
  readonly failing_since: string | null;
  readonly root_url: string | null;
  readonly favicon_url: string | null;
  readonly robots_txt: string | null;
  readonly assetlinks_json: string | null;
  readonly apple_app_site_association: string | null;
  readonly unknown_url: string | null;
  readonly fallback_url: string | null;
  readonly forward: object | null;
}

/** Options that say what a domain answers beside short links. Files give the texts. */
interface AnswerOptions extends KeyOptions {
  readonly rootUrl?: string;
  readonly faviconUrl?: string;
  readonly robotsTxt?: string;
  readonly assetlinks?: string;
  readonly appleAppSiteAssociation?: string;
  readonly unknownUrl?: string;
  readonly fallbackUrl?: string;
  readonly forward?: string;
}

interface CreateOptions extends AnswerOptions {
  readonly prefix?: string;
}

interface UpdateOptions extends AnswerOptions {
  readonly default?: 'on' | 'off';
}

const withAnswers = (command: Command): Command =>
  command
    .option('--root-url <url>', 'where / leads; an empty text: nowhere')
    .option('--favicon-url <url>', 'where /favicon.ico leads')
    .option('--fallback-url <url>', 'former address of your links, where unknown slugs lead while you move')
    .option('--unknown-url <url>', 'where unknown slugs lead otherwise')
    .option(
      '--forward <json>',
      'what its links pass on, such as {"query": "keep-own"}; an empty text: as the account',
    )
    .option('--robots-txt <file>', 'file with the text of /robots.txt')
    .option('--assetlinks <file>', 'file with the JSON of /.well-known/assetlinks.json')
    .option(
      '--apple-app-site-association <file>',
      'file with the JSON of /.well-known/apple-app-site-association',
    );

/** Returns the answers that options set; an empty text unsets one. */
const answersOf = async (options: AnswerOptions, { cwd }: Terminal) => {
  const url = (written: string | undefined) => (written === '' ? null : written);
  const file = async (path: string | undefined) => (path ? readFile(resolve(cwd, path), 'utf8') : url(path));
  return {
    root_url: url(options.rootUrl),
    favicon_url: url(options.faviconUrl),
    fallback_url: url(options.fallbackUrl),
    unknown_url: url(options.unknownUrl),
    forward: options.forward === undefined ? undefined : parseForward(options.forward),
    robots_txt: await file(options.robotsTxt),
    assetlinks_json: await file(options.assetlinks),
    apple_app_site_association: await file(options.appleAppSiteAssociation),
  };
};

const isSet = (text: string | null): string | null => (text === null ? null : 'set');

const formatDomain = (domain: DomainBody): string => {
  const { proof } = domain;
  const fields = [
    ['host', domain.host],
    ['short links', `${domain.short_url_base}…`],
    ['state', domain.state],
    ['default', domain.is_default],
    ['TXT record', proof.record_name],
    ['or file', proof.file_url],
    ['with the text', proof.text],
    ['fault', domain.fault],
    ['verified', domain.verified_at],
    ['failing since', domain.failing_since],
    ['root', domain.root_url],
    ['favicon', domain.favicon_url],
    ['fallback', domain.fallback_url],
    ['unknown slugs', domain.unknown_url],
    ['passes on', domain.forward === null ? null : JSON.stringify(domain.forward)],
    ['robots.txt', isSet(domain.robots_txt)],
    ['assetlinks', isSet(domain.assetlinks_json)],
    ['apple app site', isSet(domain.apple_app_site_association)],
  ] as const;
  return formatFields(fields.filter(([, value]) => value !== null));
};

/** Adds `domains list`, `show`, `create`, `verify`, `update` and `delete`. */
export const addDomainCommands = (program: Command, terminal: Terminal): void => {
  const domains = program
    .command('domains')
    .description('list, register, prove, change and delete own domains of short links');
  const add = (usage: string): Command => withKeyOptions(domains.command(usage), 'manage');
  const callAndPrint = async (call: ApiCall, ask: Ask, options: KeyOptions): Promise<DomainBody> => {
    const domain = await openApi(options, terminal).call<DomainBody>(call, ask);
    print(terminal, options, domain, formatDomain(domain));
    return domain;
  };

  add('list')
    .description('list the domains of the account, oldest first')
    .action(async (options: KeyOptions) => {
      const rows = await readAllPages<DomainBody>(openApi(options, terminal), 'GET /api/v1/domains');
      const columns = {
        HOST: 'host',
        STATE: 'state',
        DEFAULT: 'is_default',
        'SHORT LINKS': 'short_url_base',
        FAULT: 'fault',
      } as const;
      print(terminal, options, rows, formatRows(rows, columns));
    });

  add('show <host>')
    .description('show a domain, what proves it, and what it answers')
    .action(async (host: string, options: KeyOptions) => {
      await callAndPrint('GET /api/v1/domains/{host}', { path: { host } }, options);
    });

  withAnswers(add('create <host>'))
    .description('register a host for short links, and show what proves it')
    .option('--prefix <prefix>', 'first segment of the path of its short links, for ever; default: none')
    .action(async (host: string, options: CreateOptions) => {
      const body = { host, prefix: options.prefix, ...(await answersOf(options, terminal)) };
      await callAndPrint('POST /api/v1/domains', { body }, options);
    });

  add('verify <host>')
    .description('look for the proof of a domain now')
    .action(async (host: string, options: KeyOptions) => {
      const call = 'POST /api/v1/domains/{host}/verify';
      const { state, fault } = await callAndPrint(call, { path: { host } }, options);
      if (state !== 'verified')
        throw commandError(`${toPrintable(host)} is not proved: ${toPrintable(fault ?? state)}`);
    });

  withAnswers(add('update <host>'))
    .description('change what a domain answers beside short links, or make it the default')
    .addOption(
      new Option(
        '--default <state>',
        'whether new short links are there unless a call says otherwise',
      ).choices(['on', 'off']),
    )
    .action(async (host: string, options: UpdateOptions) => {
      const is_default = options.default === undefined ? undefined : options.default === 'on';
      const body = { ...(await answersOf(options, terminal)), is_default };
      await callAndPrint('PATCH /api/v1/domains/{host}', { path: { host }, body }, options);
    });

  add('delete <host>')
    .description('delete a domain: nothing is served there any more')
    .action(async (host: string, options: KeyOptions) => {
      await openApi(options, terminal).call('DELETE /api/v1/domains/{host}', { path: { host } });
      print(terminal, options, { host, deleted: true }, `${toPrintable(host)} is deleted.\n`);
    });
};
