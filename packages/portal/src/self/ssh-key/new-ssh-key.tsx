/** A public key that is pasted, or a pair that is made: its private part is shown once. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy-button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { Field } from '../../kit/field.tsx';
import { Card, Notice } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { selfTexts } from '../../texts/self/index.ts';
import { useTexts } from '../../texts/text.ts';
import { downloadText } from '../own/download.ts';
import { useOwnDn } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';

export function NewSshKey() {
  const t = useTexts(selfTexts);
  const own = useOwn();
  const dn = useOwnDn();
  const [pasted, setPasted] = useState('');
  const [days, setDays] = useState('');
  const [privateKey, setPrivateKey] = useState<string>();
  const terms = days === '' ? {} : { expires: Number(days) };
  const take = useAction({
    run: () => own((manager) => manager.SshKey.Key_Import({ dn, pubkey: pasted.trim(), ...terms })),
    done: () => t('sshKeyTaken'),
    changes: [],
    after: () => setPasted(''),
  });
  const make = useAction({
    run: () => own((manager) => manager.SshKey.Key_Register({ dn, type: 'ED25519', ...terms })),
    changes: [],
    after: setPrivateKey,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    take.mutate();
  };
  return (
    <Card title={t('newSshKey')}>
      <form className="form" onSubmit={submit}>
        <p className="soft">{t('sshKeyReplaced')}</p>
        <Field
          label={t('publicKey')}
          description={t('publicKeyMore')}
          multiline
          mono
          isRequired
          spellCheck="false"
          autoComplete="off"
          maxLength={16_384}
          value={pasted}
          onChange={setPasted}
        />
        <Field
          label={t('days')}
          description={t('daysMore')}
          inputMode="numeric"
          pattern="[0-9]{1,4}"
          autoComplete="off"
          value={days}
          onChange={setDays}
        />
        <div className="form-actions">
          <Button isPending={make.isPending} onPress={() => make.mutate()}>
            {t('makeSshKey')}
          </Button>
          <Button type="submit" variant="primary" isPending={take.isPending}>
            {t('takeSshKey')}
          </Button>
        </div>
      </form>
      {privateKey !== undefined && <PrivateKey text={privateKey} onClose={() => setPrivateKey(undefined)} />}
    </Card>
  );
}

function PrivateKey({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const t = useTexts(selfTexts);
  return (
    <Dialog title={t('privateKey')} isOpen onClose={onClose} wide>
      <Notice tone="warn">{t('privateKeyOnce')}</Notice>
      <pre className="private-key">{text}</pre>
      <div className="row">
        <Button icon="download" onPress={() => downloadText('id_ed25519.pem', text)}>
          {t('download')}
        </Button>
        <CopyButton text={text} />
      </div>
      <div className="form-actions">
        <Button variant="primary" onPress={onClose}>
          {t('privateKeyKept')}
        </Button>
      </div>
    </Dialog>
  );
}
