/** One factor: its name, its state and the actions on it. */
import { type ReactNode, useState } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Icon, type IconName } from '../../kit/icons.tsx';
import { Menu, type MenuEntry } from '../../kit/menu.tsx';
import { useAction } from '../../shell/action.ts';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { factorKeys, useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { type NamedFactor, RenameDialog } from './rename-dialog.tsx';

interface FactorRowProps {
  readonly of: NamedFactor;
  readonly icon: IconName;
  /** The name in the row. */
  readonly name: string;
  /** The name in the dialog that renames it. Optional; default: that of the row. */
  readonly called?: string;
  /** The name that it was given. */
  readonly given: string | undefined;
  readonly state: ReactNode;
  readonly facts: readonly string[];
  /** Between renaming and removing. */
  readonly entries?: readonly MenuEntry[];
  readonly removal: Removal;
}

interface Removal {
  readonly title: string;
  /** The loss, as a sentence. */
  readonly lost: string;
  /** The act, as menu and button say it. */
  readonly act: string;
}

export function FactorRow({ of, called, given, entries = [], removal, ...line }: FactorRowProps) {
  const t = useTexts(factorsTexts);
  const [open, setOpen] = useState<'rename' | 'remove'>();
  const close = () => setOpen(undefined);
  const remove = useRemoval(of, close);
  const { title, lost, act } = removal;
  const offered: readonly MenuEntry[] = [
    { id: 'rename', name: t('rename'), onAction: () => setOpen('rename') },
    ...entries,
    { id: 'remove', name: act, tone: 'bad', onAction: () => setOpen('remove') },
  ];
  return (
    <>
      <FactorLine {...line} entries={offered} />
      {open === 'rename' && (
        <RenameDialog of={of} called={called ?? line.name} name={given} onClose={close} />
      )}
      <Confirm
        title={title}
        lost={[lost]}
        act={act}
        isOpen={open === 'remove'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={close}
      />
    </>
  );
}

function useRemoval(of: NamedFactor, close: () => void) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: () => {
      close();
      return own((manager) => manager.SelfDesk.Remove_Factor({ dn, ...of }));
    },
    done: () => t('removed'),
    changes: factorKeys,
  });
}

type FactorLineProps = Pick<FactorRowProps, 'icon' | 'name' | 'state' | 'facts'> & {
  readonly entries: readonly MenuEntry[];
};

function FactorLine({ icon, name, state, facts, entries }: FactorLineProps) {
  const t = useTexts(factorsTexts);
  return (
    <li className="factor">
      <span className="factor-icon">
        <Icon name={icon} />
      </span>
      <div className="factor-text">
        <div className="row">
          <strong className="break">{name}</strong>
          {state}
        </div>
        {facts.length > 0 && <p className="soft break">{facts.join(' · ')}</p>}
      </div>
      <Menu label={t('actsFor', { name })} entries={entries}>
        <IconButton icon="more" label={t('actsFor', { name })} />
      </Menu>
    </li>
  );
}
