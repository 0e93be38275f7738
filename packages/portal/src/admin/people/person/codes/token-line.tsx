/** A token of a user: its kind, its state and the actions on it. */
import { useState } from 'react';
import { IconButton } from '../../../../kit/button.tsx';
import { Confirm } from '../../../../kit/confirm.tsx';
import { Menu, type MenuEntry } from '../../../../kit/menu.tsx';
import { Badge } from '../../../../kit/show.tsx';
import { useAction } from '../../../../shell/action.ts';
import { useSession } from '../../../../shell/session.tsx';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { personKey, useMay, usePerson } from '../person.ts';
import type { Token } from './token.ts';
import { TurnButton } from './turn-button.tsx';

interface TokenLineProps {
  readonly token: Token;
  readonly onResync: () => void;
}

export function TokenLine({ token, onResync }: TokenLineProps) {
  const t = useTexts(peopleTexts);
  const { dn, name } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const [isAsking, setAsking] = useState(false);
  const { id, type, enabled } = token;
  const remove = useRemoval(id, () => setAsking(false));
  const on = () => manager.Otp.Token_Enable({ dn, id });
  const off = () => manager.Otp.Token_Disable({ dn, id });
  const kind = t(`kind${type}`);
  const entries: readonly (MenuEntry & { readonly when: boolean })[] = [
    { id: 'resync', name: t('resync'), when: canResync(token, may), onAction: onResync },
    {
      id: 'remove',
      name: t('remove'),
      tone: 'bad',
      when: may('Otp.Token_Unregister'),
      onAction: () => setAsking(true),
    },
  ];
  const offered = entries.filter(({ when }) => when);
  return (
    <div className="line">
      <div className="line-text">
        <strong className="break">{token.name ?? kind}</strong>
        <span className="soft break">{useParticulars(token, kind)}</span>
      </div>
      <Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'enabled' : 'disabled')}</Badge>
      <TurnButton
        enabled={enabled}
        on={{ method: 'Otp.Token_Enable', run: on, done: t('tokenEnabled', { id }) }}
        off={{ method: 'Otp.Token_Disable', run: off, done: t('tokenDisabled', { id }) }}
      />
      {offered.length > 0 && (
        <Menu label={t('acts', { name: t('token', { id }) })} entries={offered}>
          <IconButton size="small" icon="more" label={t('acts', { name: t('token', { id }) })} />
        </Menu>
      )}
      <Confirm
        title={t('removeTokenTitle', { id, name })}
        lost={[t('lostToken', { id, type: kind }), t('lostSecret')]}
        act={t('removeToken')}
        isOpen={isAsking}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={() => setAsking(false)}
      />
    </div>
  );
}

function useRemoval(id: number, onRemoved: () => void) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  return useAction({
    run: () => manager.Otp.Token_Unregister({ dn, id }),
    done: () => t('tokenRemoved', { id }),
    changes: [personKey(dn)],
    after: onRemoved,
  });
}

const canResync = ({ type }: Token, may: (method: string) => boolean): boolean =>
  (type === 'TOTP' && may('Otp.TOTP_Resync')) || (type === 'HOTP' && may('Otp.HOTP_Resync_Sequence'));

function useParticulars({ id, name, serial, model, expires }: Token, kind: string): string {
  const t = useTexts(peopleTexts);
  return [
    name !== undefined && kind,
    t('token', { id }),
    serial !== undefined && t('serial', { serial }),
    model,
    expires !== undefined && t('expires', { at: expires }),
  ]
    .filter(Boolean)
    .join(' · ');
}
