import { useState } from 'preact/hooks';
import type { LinksSummary } from '../../api/shapes.ts';
import { Failure } from '../../ui/states.tsx';
import { useToast } from '../../ui/toasts.tsx';
import { useAction } from '../../ui/use-action.ts';
import { type Deletable, deleteThem, linksOf, restoreThem } from './deletion.ts';
import { LinksQuestion } from './links-question.tsx';

/**
 * Moves folders and codes to the bin and offers to undo that. When short links that work would stop, it asks before.
 * `question` must be shown: it asks, and says what failed.
 *
 * @param changed Called when the list must be read again.
 */
export const useDeletion = (changed: () => void) => {
  const toast = useToast();
  const { run, fault, busy } = useAction();
  const [asked, setAsked] = useState<{ thing: Deletable; summary: LinksSummary } | null>(null);

  const removeNow = async (thing: Deletable): Promise<void> => {
    await deleteThem(thing);
    changed();
    // The button that had the focus disappears with its folder or code.
    document.querySelector('h1')?.focus();
    const undo = () =>
      void run(async () => {
        await restoreThem(thing);
        toast({ text: `${thing.what}: restored.` });
        changed();
      });
    toast({ text: `${thing.what}: moved to the bin for 30 days.`, action: { label: 'Undo', run: undo } });
  };
  const remove = (thing: Deletable): Promise<void> =>
    run(async () => {
      const summary = await linksOf(thing);
      if (summary.links > 0) setAsked({ thing, summary });
      else await removeNow(thing);
    });
  const confirm = (thing: Deletable): void => {
    setAsked(null);
    void run(() => removeNow(thing));
  };

  const question = (
    <>
      {fault && <Failure fault={fault} />}
      {asked && (
        <LinksQuestion
          what={asked.thing.what}
          summary={asked.summary}
          onDelete={() => confirm(asked.thing)}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  );
  return { remove, question, busy };
};
