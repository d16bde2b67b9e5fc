import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { api, ask, messageAt, toScreenPath } from '../../../api/client.ts';
import { change, show, useGet } from '../../../api/query.ts';
import type { Domain } from '../../../api/shapes.ts';
import { Button, CopyButton, Danger, Primary, useAction, useToast } from '../../../ui/buttons.tsx';
import { Area, FaultOf, SelectInput, UrlInput } from '../../../ui/fields.tsx';
import { FormDialog, Question } from '../../../ui/form.tsx';
import { count, formatMoment, formatNumber } from '../../../ui/format.ts';
import { useDraft } from '../../../ui/kept/drafts.ts';
import { Head } from '../../../ui/lists.tsx';
import { Above, Card, Page, Setting } from '../../../ui/page.tsx';
import { Failure, Loaded } from '../../../ui/states.tsx';
import { say } from '../../../words/say.ts';
import { ForwardSetting } from '../forward.tsx';
import { DomainChips } from './domains.tsx';

const LIST = '/links/domains';

interface PartProps {
  readonly domain: Domain;
}

/** Says what the state of a domain means. */
const stateInWords = ({ state, verified_at, failing_since, lapsed_at }: Domain): string => {
  if (state === 'pending') return say('Nothing is served there before the proof is found.');
  if (state === 'failing')
    return say('The proof is missing since {moment}. After 7 days nothing is served there any more.', {
      moment: formatMoment(failing_since ?? ''),
    });
  if (state === 'lapsed')
    return say('Nothing is served there since {moment}. Prove it again.', {
      moment: formatMoment(lapsed_at ?? ''),
    });
  return say('Proved {moment}. Leave the proof where it is: it is looked for each day.', {
    moment: formatMoment(verified_at ?? ''),
  });
};

/** Shows what proves a domain, to be copied, and looks for it. */
const Proof = ({ domain }: PartProps) => {
  const { host, proof, fault } = domain;
  const toast = useToast();
  const { busy, fault: refusal, run } = useAction();
  const verify = async (): Promise<void> => {
    const path = { host };
    const seen = await change(api.POST('/api/v1/domains/{host}/verify', { params: { path } }));
    show('/api/v1/domains/{host}', { path }, seen);
    toast({
      text:
        seen.fault === null ? say('Proved. Short links are served there.') : say('The proof was not found.'),
    });
  };
  const lines = [
    [say('Name of the TXT record'), proof.record_name, say('the name of the record')],
    [say('or address of a file'), proof.file_url, say('the address of the file')],
    [say('Text of the record or the file'), proof.text, say('the text')],
  ] as const;
  return (
    <Card
      title={say('Proof')}
      actions={
        <Primary disabled={busy} onClick={() => void run(verify)}>
          {busy ? say('Looking …') : say('Verify now')}
        </Primary>
      }
    >
      <p role="status">{stateInWords(domain)}</p>
      {lines.map(([title, text, about]) => (
        <Setting
          key={title}
          title={title}
          actions={<CopyButton text={text} label={say('Copy')} about={about} />}
        >
          <code class="wrap">{text}</code>
        </Setting>
      ))}
      {fault !== null && <FaultOf text={fault} />}
      {refusal !== null && <Failure fault={refusal} />}
    </Card>
  );
};

type AnswerName =
  | 'root_url'
  | 'fallback_url'
  | 'unknown_url'
  | 'favicon_url'
  | 'robots_txt'
  | 'assetlinks_json'
  | 'apple_app_site_association';

/** What a domain answers besides short links, in the order of the form. */
const ANSWERS: Readonly<Record<AnswerName, readonly [title: string, hint: string]>> = {
  root_url: [say('Address for the host alone'), say('empty: not found')],
  fallback_url: [
    say('Former address of your links'),
    say('unknown ones lead there with their path and query'),
  ],
  unknown_url: [say('Address for unknown short links'), ''],
  favicon_url: [say('Address of the icon'), ''],
  robots_txt: ['robots.txt', ''],
  assetlinks_json: ['assetlinks.json', say('JSON, for apps on Android')],
  apple_app_site_association: ['apple-app-site-association', say('JSON, for apps on iOS')],
};
const NAMES = Object.keys(ANSWERS) as AnswerName[];

const UNKNOWN_TYPES = [
  ['', say('Our own page')],
  ['text/plain', say('A text')],
  ['application/json', 'JSON'],
] as const;

interface AnswerTexts extends Readonly<Record<AnswerName, string>> {
  readonly type: (typeof UNKNOWN_TYPES)[number][0];
  readonly text: string;
}

const AnswersDialog = ({ domain, onClose }: PartProps & { readonly onClose: () => void }) => {
  const { host, unknown_text: unknown } = domain;
  const [entered, enter, draft] = useDraft<AnswerTexts>(`answers of ${host}`, {
    ...(Object.fromEntries(NAMES.map((name) => [name, domain[name] ?? ''])) as Record<AnswerName, string>),
    type: unknown === null ? '' : unknown.type === 'text/plain' ? 'text/plain' : 'application/json',
    text: unknown?.text ?? '',
  });
  const { type, text } = entered;
  const submit = () => {
    const answers = Object.fromEntries(NAMES.map((name) => [name, entered[name] || null]));
    const body = { ...answers, unknown_text: type === '' ? null : { type, text } };
    return change(api.PATCH('/api/v1/domains/{host}', { params: { path: { host } }, body }));
  };
  return (
    <FormDialog
      title={say('What {host} answers', { host })}
      action={say('Save')}
      fields={[...NAMES, 'unknown_text']}
      submit={submit}
      draft={draft}
      onClose={onClose}
    >
      {(_, fault) => (
        <>
          {NAMES.map((name) => {
            const [label, hint] = ANSWERS[name];
            const Field = name.endsWith('_url') ? UrlInput : Area;
            return (
              <Field
                key={name}
                label={label}
                hint={hint}
                spellcheck={false}
                value={entered[name]}
                fault={messageAt(fault, name)}
                onText={(typed: string) => enter({ [name]: typed })}
              />
            );
          })}
          <SelectInput
            label={say('Answer to unknown short links')}
            hint={say('if no address is set for them')}
            value={type}
            options={UNKNOWN_TYPES}
            onChoose={(chosen) => enter({ type: chosen })}
          />
          {type !== '' && (
            <Area
              label={say('Its text')}
              required
              value={text}
              fault={messageAt(fault, 'unknown_text')}
              onText={(typed) => enter({ text: typed })}
            />
          )}
        </>
      )}
    </FormDialog>
  );
};

/** Shows what a domain answers besides short links. */
const Answers = ({ domain }: PartProps) => {
  const [isOpen, setOpen] = useState(false);
  const set = NAMES.flatMap((name) => (domain[name] === null ? [] : [[name, domain[name]] as const]));
  return (
    <Card
      title={say('What it answers')}
      actions={
        <Button about={say('what it answers')} onClick={() => setOpen(true)}>
          {say('Change')}
        </Button>
      }
    >
      {set.length === 0 && domain.unknown_text === null && (
        <p class="muted">{say('Nothing but short links.')}</p>
      )}
      <dl class="facts">
        {set.map(([name, answer]) => (
          <div key={name}>
            <dt>{ANSWERS[name][0]}</dt>
            <dd class="wrap">{answer}</dd>
          </div>
        ))}
        {domain.unknown_text !== null && (
          <div>
            <dt>{say('Answer to unknown short links')}</dt>
            <dd class="wrap">{domain.unknown_text.text}</dd>
          </div>
        )}
      </dl>
      {isOpen && <AnswersDialog domain={domain} onClose={() => setOpen(false)} />}
    </Card>
  );
};

const SHOWN = 100;

/** Shows the slugs that visitors asked for and that no link has, the most frequent ones first. */
const UnknownSlugs = ({ domain: { host } }: PartProps) => {
  const asked = useGet('/api/v1/domains/{host}/unknown-slugs', { path: { host }, query: { limit: SHOWN } });
  return (
    <Card title={say('Asked for in vain')}>
      <Loaded load={asked} what={say('unknown short links')}>
        {({ requests, data }) =>
          data.length === 0 ? (
            <p class="muted">{say('Nobody has asked for an unknown short link.')}</p>
          ) : (
            <>
              <p class="muted">
                {say('{requests} for short links that are unknown here. The most frequent ones:', {
                  requests: count(requests, 'request', 'requests'),
                })}
              </p>
              <table class="table">
                <Head columns={[say('Short link'), say('Requests'), say('Last one')]} />
                <tbody>
                  {data.map((unknown) => (
                    <tr key={unknown.slug}>
                      <td class="wrap">{unknown.slug}</td>
                      <td class="number" data-name={say('Requests')}>
                        {formatNumber(unknown.requests)}
                      </td>
                      <td class="muted" data-name={say('Last one')}>
                        {formatMoment(unknown.last_at)}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </>
          )
        }
      </Loaded>
    </Card>
  );
};

const Actions = ({ domain: { host, is_default: isDefault, state } }: PartProps) => {
  const { route } = useLocation();
  const toast = useToast();
  const { busy, fault, run } = useAction();
  const [isAsking, setAsking] = useState(false);
  const params = { path: { host } };
  const setDefault = async (): Promise<void> => {
    await change(api.PATCH('/api/v1/domains/{host}', { params, body: { is_default: !isDefault } }));
    toast({
      text: isDefault
        ? say('Saved. New short links are at the service’s own address.')
        : say('Saved. New short links are at {host}.', { host }),
    });
  };
  return (
    <>
      {(isDefault || state === 'verified' || state === 'failing') && (
        <Button disabled={busy} onClick={() => void run(setDefault)}>
          {isDefault ? say('Not for new links') : say('Use for new links')}
        </Button>
      )}
      <Danger onClick={() => setAsking(true)}>{say('Delete')}</Danger>
      {fault !== null && <Failure fault={fault} />}
      {isAsking && (
        <Question
          title={say('Delete {host}?', { host })}
          yes={say('Delete the domain')}
          no={say('Keep it')}
          act={async () => {
            // Not `change`, which would refetch what no longer exists.
            await ask(api.DELETE('/api/v1/domains/{host}', { params }));
            route(toScreenPath(LIST));
          }}
          onClose={() => setAsking(false)}
        >
          <p>{say('Codes that are printed with it lead nowhere until you add and prove it again.')}</p>
        </Question>
      )}
    </>
  );
};

/** Shows one domain: its proof, and what it answers besides short links. */
export default function DomainScreen({ host = '' }: { readonly host?: string; readonly path: string }) {
  const domain = useGet('/api/v1/domains/{host}', { path: { host } });
  const known = domain.data;
  return (
    <Page
      title={host}
      above={<Above path={LIST} name={say('Domains')} />}
      beside={known && <DomainChips domain={known} />}
      actions={known && <Actions domain={known} />}
    >
      <Loaded load={domain} what={say('the domain')}>
        {(data) => (
          <>
            <Proof domain={data} />
            <Answers domain={data} />
            <Card title={say('Its short links')}>
              <ForwardSetting
                of="domain"
                name={data.host}
                forward={data.forward}
                save={(forward) =>
                  change(
                    api.PATCH('/api/v1/domains/{host}', { params: { path: { host } }, body: { forward } }),
                  )
                }
              />
            </Card>
            <UnknownSlugs domain={data} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
