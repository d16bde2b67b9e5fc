/** Codes as tiles. */
import { Fragment } from 'preact';
import { useCallback } from 'preact/hooks';
import { toScreenPath } from '../../../api/client.ts';
import type { Code } from '../../../api/shapes.ts';
import { count } from '../../../ui/format.ts';
import { LongList } from '../../../ui/long-list.tsx';
import { Tags } from '../../../ui/rows/tags.tsx';
import { say } from '../../../words/say.ts';
import { GradeMark } from '../grade.tsx';
import { labelOf, leadsTo } from '../thumbnail.tsx';
import { Chooser, CodeMenu, type ItemProps, Picture } from './parts.tsx';
import type { ListOfCodes } from './table.tsx';

/** Lets a long address continue on the next line after its slashes rather than within a word. */
const withBreaks = (text: string) =>
  text.split(/(?<=[/?&=])/).map((part, place) => (
    <Fragment key={place}>
      {part}
      <wbr />
    </Fragment>
  ));

/** Says below a name where the code leads. A code without a name already shows that above. */
const Detail = ({ code }: { readonly code: Code }) =>
  code.name === null ? null : (
    <span class="muted small clip" title={leadsTo(code)}>
      {leadsTo(code)}
    </span>
  );

const Tile = ({ code, selection, actions }: ItemProps) => (
  <li class={`tile ${selection.has(code) ? 'chosen' : ''}`}>
    <a href={toScreenPath(`/codes/${code.id}`)} title={code.content}>
      <Picture code={code} />
      <span class="content">{withBreaks(labelOf(code))}</span>
    </a>
    <Detail code={code} />
    <Tags tags={code.tags} what={say('codes')} onTag={actions.filterBy} />
    <span class="row muted small">
      <GradeMark grade={code.grade} />
      {code.dynamic ? count(code.scan_count, 'scan', 'scans') : say('Static')}
    </span>
    <Chooser code={code} selection={selection} />
    <CodeMenu code={code} actions={actions} />
  </li>
);

interface TilesProps extends Omit<ItemProps, 'code'> {
  readonly list: ListOfCodes;
}

export const Tiles = ({ list, ...each }: TilesProps) => {
  const tiles = useCallback(
    (codes: readonly Code[]) => codes.map((code) => <Tile key={code.id} code={code} {...each} />),
    [each.selection, each.actions],
  );
  return (
    <div>
      <LongList list={list} frame="ul" look="tiles">
        {tiles}
      </LongList>
    </div>
  );
};
