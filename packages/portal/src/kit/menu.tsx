/** A button with a menu of actions. */
import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import type { Tone } from './show.tsx';

export interface MenuEntry {
  readonly id: string;
  readonly name: string;
  readonly tone?: Tone;
  readonly isSelected?: boolean;
  readonly onAction: () => void;
}

interface MenuProps {
  /** The button that opens it. */
  readonly children: ReactNode;
  readonly label: string;
  readonly entries: readonly MenuEntry[];
}

export function Menu({ children, label, entries }: MenuProps) {
  const selected = entries.filter(({ isSelected }) => isSelected).map(({ id }) => id);
  const isChoice = entries.some(({ isSelected }) => isSelected !== undefined);
  return (
    <MenuTrigger>
      {children}
      <Popover className="popover">
        <AriaMenu
          className="menu"
          aria-label={label}
          {...(isChoice && { selectionMode: 'single' as const, selectedKeys: selected })}
        >
          {entries.map(({ id, name, tone = 'plain', onAction }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={name}
              className="menu-item"
              data-tone={tone}
              onAction={onAction}
            >
              {name}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
