/**
 * A list that may be very long. Its pages are read as a person scrolls towards them, and only those near the window are
 * rendered, and read again after a change; a space as high as they were stands for the others.
 */
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { cache, type Item, loadedPage, type PagedPath, type ParamsOf, usePage } from '../api/query.ts';
import { say } from '../words/say.ts';
import { Failure, Loading } from './states.tsx';

/** A page of the list: how it is asked for, and how many items it had when it was read last; 0 before. */
interface Block {
  readonly cursor: string | null;
  readonly count: number;
}

const FIRST: Block = { cursor: null, count: 0 };

interface Held {
  /** Tells apart what is listed. */
  readonly key: string;
  readonly blocks: readonly Block[];
  /** Whether the last block is the end of the list. */
  readonly isWhole: boolean;
}

/** Comes back, as long as its pages are cached, when a person comes back to the list. */
const heldUnder = (key: string): Held =>
  cache.getQueryData<Held>(['blocks', key]) ?? { key, blocks: [FIRST], isWhole: false };

/** Returns the blocks after a page was read: with its number of items, and the block that it says is next. */
const withPage = (held: Held, index: number, count: number, next: string | null): Held => {
  const { key, blocks, isWhole } = held;
  const block = blocks[index];
  const follower = blocks[index + 1];
  const isLast = index === blocks.length - 1;
  const isKnown = next === null ? isLast && isWhole : follower?.cursor === next;
  if (block === undefined || (block.count === count && isKnown)) return held;
  const read = [...blocks.slice(0, index), { ...block, count }];
  if (next === null) return { key, blocks: read, isWhole: true };
  // After a change further up, a page begins elsewhere. The ones below it are put right as they are read.
  const after = { cursor: next, count: follower?.count ?? 0 };
  return { key, blocks: [...read, after, ...blocks.slice(index + 2)], isWhole: isWhole && !isLast };
};

/** Reads a list. What it returns is shown by `LongList`. */
export const useLongList = <P extends PagedPath>(path: P, params: ParamsOf<P>) => {
  const key = JSON.stringify([path, params]);
  const [held, hold] = useState(() => heldUnder(key));
  const now = held.key === key ? held : heldUnder(key);
  if (now !== held) hold(now);
  const first = usePage(path, params, null);
  const note = (index: number, count: number, next: string | null): void =>
    hold((before) => {
      const after = before.key === key ? withPage(before, index, count, next) : before;
      if (after !== before) cache.setQueryData(['blocks', key], after);
      return after;
    });
  // An empty list has no blocks that would tell when it has something again.
  useEffect(() => {
    if (first.data !== undefined && !first.isPlaceholderData)
      note(0, first.data.data.length, first.data.next_cursor);
  }, [first.data, first.isPlaceholderData, key]);
  const { blocks, isWhole } = now;
  return {
    path,
    params,
    key,
    blocks,
    first,
    note,
    /** How many items are loaded. */
    loaded: blocks.reduce((sum, { count }) => sum + count, 0),
    /** Whether the whole list is loaded. */
    isWhole,
    /** Returns what is loaded, in order. */
    items: (): readonly Item<P>[] => blocks.flatMap(({ cursor }) => loadedPage(path, params, cursor)),
  };
};

type List<P extends PagedPath> = ReturnType<typeof useLongList<P>>;

/** Pages are rendered, and so read, so far above and below the window. */
const MARGIN_PX = 600;

interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Returns the blocks between two places, at least one. @param heights Those of all blocks, from the beginning of the list. */
export const blocksBetween = (heights: readonly number[], topPx: number, bottomPx: number): Range => {
  let [from, to, atPx] = [0, 0, 0];
  for (const [index, height] of heights.entries()) {
    if (atPx + height < topPx) from = index + 1;
    if (atPx <= bottomPx) to = index + 1;
    atPx += height;
  }
  from = Math.min(from, heights.length - 1);
  return { from, to: Math.max(to, from + 1) };
};

const sumOf = (heights: readonly number[]): number => heights.reduce((sum, height) => sum + height, 0);

/** Returns the heights of blocks: as measured, and those that were not shown yet by their number of items. */
const heightsOf = (blocks: readonly Block[], measured: ReadonlyMap<number, number>): readonly number[] => {
  let [items, itemsPx] = [0, 0];
  for (const [index, height] of measured) {
    items += blocks[index]?.count ?? 0;
    itemsPx += height;
  }
  return blocks.map(
    ({ count }, index) => measured.get(index) ?? (items === 0 ? 0 : (count * itemsPx) / items),
  );
};

/** Follows which blocks are near the window. `space` is the element above them, `shown` has those that are rendered. */
const useNear = (blocks: readonly Block[]) => {
  const space = useRef<HTMLElement>(null);
  const measured = useRef(new Map<number, number>());
  const shown = useRef(new Map<number, HTMLElement>());
  const [range, setRange] = useState<Range>({ from: 0, to: 1 });
  const look = (): void => {
    const topPx = space.current?.getBoundingClientRect().top;
    if (topPx === undefined) return;
    for (const [index, element] of shown.current) measured.current.set(index, element.offsetHeight);
    const heights = heightsOf(blocks, measured.current);
    const next = blocksBetween(heights, -topPx - MARGIN_PX, innerHeight - topPx + MARGIN_PX);
    setRange((before) => (before.from === next.from && before.to === next.to ? before : next));
  };
  useLayoutEffect(look);
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const follow = () => latest.current();
    addEventListener('scroll', follow, { passive: true });
    addEventListener('resize', follow);
    return () => {
      removeEventListener('scroll', follow);
      removeEventListener('resize', follow);
    };
  }, []);
  return { space, shown: shown.current, heights: heightsOf(blocks, measured.current), range };
};

interface PageOfProps<P extends PagedPath> {
  readonly list: List<P>;
  readonly index: number;
  readonly cursor: string | null;
  /** How many items are before these. */
  readonly place: number;
  readonly children: LongListProps<P>['children'];
  /** Frames what is shown instead of items. */
  readonly instead: (children: ComponentChildren) => ComponentChildren;
}

const PageOf = <P extends PagedPath>({ list, index, cursor, place, children, instead }: PageOfProps<P>) => {
  const { data, error, isPlaceholderData, refetch } = usePage(list.path, list.params, cursor);
  useEffect(() => {
    if (data !== undefined && !isPlaceholderData) list.note(index, data.data.length, data.next_cursor);
  }, [data, isPlaceholderData, list.key, index]);
  // Scrolling renders the list again, but not the pages that stay.
  const items = useMemo(() => data && children(data.data, place), [data, place, children]);
  return (
    <>
      {items}
      {error !== null && instead(<Failure fault={error} retry={() => void refetch()} />)}
      {data === undefined && error === null && instead(<Loading what={say('more')} />)}
    </>
  );
};

interface LongListProps<P extends PagedPath> {
  readonly list: List<P>;
  /** What holds a page; a table has one body for each. */
  readonly frame: 'tbody' | 'ul';
  readonly look?: string;
  /** Is called again when it changes. @param place How many items are before these. */
  readonly children: (items: readonly Item<P>[], place: number) => ComponentChildren;
}

const Space = ({ frame: Frame, heightPx }: { readonly frame: 'tbody' | 'div'; readonly heightPx: number }) =>
  Frame === 'div' ? (
    <div aria-hidden="true" style={{ height: heightPx }} />
  ) : (
    <Frame aria-hidden="true">
      <tr style={{ height: heightPx }} />
    </Frame>
  );

/** Shows the pages of a list that are near the window. */
export const LongList = <P extends PagedPath>({
  list,
  frame: Frame,
  look = '',
  children,
}: LongListProps<P>) => {
  const { blocks } = list;
  const { space, heights, shown, range } = useNear(blocks);
  const near = blocks.slice(range.from, range.to);
  const before = blocks.slice(0, range.from).reduce((sum, { count }) => sum + count, 0);
  const Around = Frame === 'ul' ? 'div' : 'tbody';
  const inFrame = (content: ComponentChildren) =>
    Frame === 'ul' ? (
      <li class="instead">{content}</li>
    ) : (
      <tr>
        <td colSpan={99}>{content}</td>
      </tr>
    );
  let place = before;
  return (
    <>
      <Around ref={space as never} />
      <Space frame={Around} heightPx={sumOf(heights.slice(0, range.from))} />
      {near.map(({ cursor, count }, offset) => {
        const index = range.from + offset;
        const first = place;
        place += count;
        return (
          <Frame
            key={index}
            class={look}
            aria-busy={list.first.isPlaceholderData}
            ref={(element: HTMLElement | null) => {
              if (element === null) shown.delete(index);
              else shown.set(index, element);
            }}
          >
            <PageOf list={list} index={index} cursor={cursor} place={first} instead={inFrame}>
              {children}
            </PageOf>
          </Frame>
        );
      })}
      <Space frame={Around} heightPx={sumOf(heights.slice(range.to))} />
    </>
  );
};
