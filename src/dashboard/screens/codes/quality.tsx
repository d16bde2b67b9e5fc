/** How easily a saved code can be scanned, why, and what would repair it. */
import { useState } from 'preact/hooks';
import { api, ifMatch, postJson, toScreenPath } from '../../api/client.ts';
import { change, useRead } from '../../api/query.ts';
import type { Check, CodeWithDesign, QrRequest } from '../../api/shapes.ts';
import { Button, ButtonLink, Primary, Quiet, useAction, useUndoable } from '../../ui/buttons.tsx';
import { Dialog } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import { Failure, Loaded } from '../../ui/states.tsx';
import { say } from '../../words/say.ts';
import { hintsOf, repair } from '../designer/hints.ts';
import { changesOf, Hints, usePreview } from '../designer/preview.tsx';
import { GradeChip } from './grade.tsx';
import { imageUrl, pictureVersion } from './thumbnail.tsx';

/** Returns the request that draws a saved code. */
const requestOf = ({ design, short_url, content }: CodeWithDesign): QrRequest => ({
  ...design,
  data: short_url ?? content,
});

/** Gives a code the design of a request. @throws {Fault} */
const saveDesign = (code: Pick<CodeWithDesign, 'id' | 'etag'>, { data: _, ...design }: QrRequest) =>
  change(
    api.PUT('/api/v1/codes/{id}/design', {
      params: { path: { id: code.id }, header: ifMatch(code) },
      body: design,
    }),
  );

interface RepairDialogProps {
  readonly code: CodeWithDesign;
  readonly found: NonNullable<Check['repair']>;
  readonly onClose: () => void;
}

/** Shows a code as it is and as it would be, and takes the repair over. */
const RepairDialog = ({ code, found, onClose }: RepairDialogProps) => {
  const request = requestOf(code);
  const repaired = repair(request, found);
  const { picture, fault } = usePreview(repaired);
  const saving = useAction();
  const tell = useUndoable(say('The code looks as before.'), (saved: CodeWithDesign) =>
    saveDesign(saved, request),
  );
  const use = (): Promise<void> =>
    saving.run(async () => {
      const saved = await saveDesign(code, repaired);
      tell(say('The repaired design is saved.'), saved);
      onClose();
    });
  return (
    <Dialog title={say('Repair this code')} onClose={onClose}>
      <div class="compared">
        <figure>
          <img
            src={imageUrl(code.id, 'png', 240, pictureVersion(code))}
            alt={say('As it is')}
            width={240}
            height={240}
          />
          <figcaption>
            {say('As it is')}
            {code.grade !== null && <GradeChip grade={code.grade} />}
          </figcaption>
        </figure>
        <figure>
          {picture !== null && <img src={picture} alt={say('Repaired')} width={240} height={240} />}
          <figcaption>
            {say('Repaired')}
            <GradeChip grade={found.grade} />
          </figcaption>
        </figure>
      </div>
      <p class="muted small">
        {say('Changes: {changes}. What is printed already stays as it is, and leads where it led.', {
          changes: changesOf(found),
        })}
      </p>
      {(fault ?? saving.fault) && <Failure fault={(fault ?? saving.fault)!} />}
      <div class="row">
        <Primary disabled={saving.busy} onClick={() => void use()}>
          {say('Use the repaired design')}
        </Primary>
        <Quiet onClick={onClose}>{say('Cancel')}</Quiet>
      </div>
    </Dialog>
  );
};

/** Says why a code has its grade, and offers its repair. */
const Reasons = ({ code, check }: { readonly code: CodeWithDesign; readonly check: Check }) => {
  const [isOpen, setOpen] = useState(false);
  const { repair: found } = check;
  const isRepairable = found !== undefined && found.changes.length > 0;
  return (
    <>
      <Hints hints={hintsOf(check).filter(({ grade }) => grade < 4)} />
      <div class="row">
        {isRepairable && (
          <Button onClick={() => setOpen(true)}>
            {say('Repair to grade {grade}', { grade: found.grade })}
          </Button>
        )}
        <ButtonLink href={toScreenPath(`/design?edit=${code.id}`)}>{say('Edit design')}</ButtonLink>
      </div>
      {isOpen && isRepairable && <RepairDialog code={code} found={found} onClose={() => setOpen(false)} />}
    </>
  );
};

const checkOf = async (code: CodeWithDesign, signal: AbortSignal): Promise<Check> =>
  (await postJson('dashboard/check', requestOf(code), { signal })).json();

const Checked = ({ code }: { readonly code: CodeWithDesign }) => {
  const check = useRead(['check', code.id, code.etag], (signal) => checkOf(code, signal));
  return (
    <Loaded load={check} what={say('the reasons')}>
      {(data) => <Reasons code={code} check={data} />}
    </Loaded>
  );
};

/** Shows the grade of a code that has a picture and, below 4, its reasons and repair. */
export const Quality = ({ code }: { readonly code: CodeWithDesign }) =>
  code.grade === null ? null : (
    <Card title={say('Quality')} actions={<GradeChip grade={code.grade} />}>
      {code.grade === 4 ? (
        <p class="muted">{say('Every reader reads a sharp print of it.')}</p>
      ) : (
        <Checked key={code.etag} code={code} />
      )}
    </Card>
  );
