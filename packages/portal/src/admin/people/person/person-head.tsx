/** The head of the page: name, state, and the most frequent actions. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { Copyable } from '../../../kit/copy-button.tsx';
import { Menu, type MenuEntry } from '../../../kit/menu.tsx';
import { Badge } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { useEnrolableKinds } from '../acts/kinds.ts';
import { LostPhoneDialog } from '../acts/lost-phone-dialog.tsx';
import { PasswordDialog } from '../acts/password-dialog.tsx';
import { Initials } from '../initials.tsx';
import { useBlockActs } from './block-acts.ts';
import { personKey, useMay, usePerson, usePersonRead } from './person.ts';

export function PersonHead({ onEnrol }: { readonly onEnrol: () => void }) {
  const t = useTexts(peopleTexts);
  const { dn, name } = usePerson();
  const may = useMay();
  const kinds = useEnrolableKinds();
  const [dialog, setDialog] = useState<'lost' | 'password'>();
  const close = () => setDialog(undefined);
  const entries = useMoreActs();
  return (
    <div className="card person-head">
      <div className="person-name">
        <Initials name={name} />
        <div>
          <h2 className="break">{name}</h2>
          <Copyable text={dn} />
        </div>
      </div>
      <StateBadges />
      <div className="row">
        {may('Otp.User_Tokens', 'Otp.Token_Disable') && (
          <Button icon="phone" onPress={() => setDialog('lost')}>
            {t('lostPhone')}
          </Button>
        )}
        {kinds.length > 0 && (
          <Button icon="plus" onPress={onEnrol}>
            {t('enrol')}
          </Button>
        )}
        {may('Set_User_Password') && (
          <Button icon="key" onPress={() => setDialog('password')}>
            {t('setPassword')}
          </Button>
        )}
        {entries.length > 0 && (
          <Menu label={t('moreActs')} entries={entries}>
            <Button icon="more" aria-label={t('moreActs')} />
          </Menu>
        )}
      </div>
      <LostPhoneDialog isOpen={dialog === 'lost'} onClose={close} onEnrol={onEnrol} />
      <PasswordDialog isOpen={dialog === 'password'} onClose={close} />
    </div>
  );
}

function StateBadges() {
  const t = useTexts(peopleTexts);
  const active = usePersonRead('Check_User_Active', (manager, dn) => manager.Check_User_Active({ dn }));
  const block = usePersonRead('Otp.Block_Check', (manager, dn) => manager.Otp.Block_Check({ dn }));
  return (
    <div className="row">
      {active.data === true && <Badge tone="good">{t('active')}</Badge>}
      {active.data === false && <Badge tone="warn">{t('inactive')}</Badge>}
      {block.data?.blocked && <Badge tone="bad">{t('blocked')}</Badge>}
    </div>
  );
}

/** Returns less frequent actions; all can be undone. */
function useMoreActs(): readonly MenuEntry[] {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  const may = useMay();
  const active = usePersonRead('Check_User_Active', () => manager.Check_User_Active({ dn }));
  const block = usePersonRead('Otp.Block_Check', () => manager.Otp.Block_Check({ dn }));
  const acts = useBlockActs(block.data);
  const on = () => manager.Activate_LDAP_Object({ dn });
  const off = () => manager.Deactivate_LDAP_Object({ dn });
  const changes = [personKey(dn), ['Find_Users']];
  const [mayActivate, mayDeactivate] = [may('Activate_LDAP_Object'), may('Deactivate_LDAP_Object')];
  const activate = useAction({
    ...{ run: on, done: () => t('activated'), changes },
    ...(mayDeactivate && { undo: off }),
  });
  const deactivate = useAction({
    ...{ run: off, done: () => t('deactivated'), changes },
    ...(mayActivate && { undo: on }),
  });
  const entries: readonly (MenuEntry & { readonly when: boolean })[] = [
    {
      id: 'activate',
      name: t('activate'),
      when: active.data === false && mayActivate,
      onAction: () => activate.mutate(),
    },
    {
      id: 'deactivate',
      name: t('deactivate'),
      when: active.data === true && mayDeactivate,
      onAction: () => deactivate.mutate(),
    },
    {
      id: 'block',
      name: t('block'),
      when: block.data?.blocked === false && may('Otp.Block_Start'),
      onAction: () => acts.block.mutate(),
    },
    {
      id: 'unblock',
      name: t('unblock'),
      when: block.data?.blocked === true && may('Otp.Block_Reset'),
      onAction: () => acts.unblock.mutate(),
    },
  ];
  return entries.filter(({ when }) => when);
}
