/** One thing that somebody signs in with: what it is, how it is, and what can be done with it. */
import type { ReactNode } from 'react';
import { IconButton } from '../../kit/button.tsx';
import { Icon, type IconName } from '../../kit/icons.tsx';
import { Menu, type MenuEntry } from '../../kit/menu.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';

interface FactorRowProps {
  readonly icon: IconName;
  readonly name: string;
  readonly state: ReactNode;
  readonly facts: readonly string[];
  readonly entries: readonly MenuEntry[];
}

export function FactorRow({ icon, name, state, facts, entries }: FactorRowProps) {
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
      {entries.length > 0 && (
        <Menu label={t('actsFor', { name })} entries={entries}>
          <IconButton icon="more" label={t('actsFor', { name })} />
        </Menu>
      )}
    </li>
  );
}
