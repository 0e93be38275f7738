/** Adds a token: an app that scans a QR code, or a device whose secret is typed. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Dialog } from '../../kit/dialog.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import { NameField, useRenaming } from './rename-dialog.tsx';
import { ScanToken } from './scan-token.tsx';
import { TypeToken } from './type-token.tsx';

export type TokenKind = 'TOTP' | 'HOTP';

export const isTokenKind = (type: string): type is TokenKind => type === 'TOTP' || type === 'HOTP';

interface AddTokenProps {
  readonly slot: number;
  /** Permitted kinds, the first one preselected. */
  readonly kinds: readonly TokenKind[];
  readonly onClose: () => void;
}

export function AddToken({ slot, kinds, onClose }: AddTokenProps) {
  const t = useTexts(factorsTexts);
  const [kind, setKind] = useState(kinds[0]);
  const [name, setName] = useState('');
  const naming = useRenaming({ factor: 'TOKEN', id: slot });
  const done = () => {
    if (name.trim() !== '') naming.mutate(name);
    onClose();
  };
  const other = kinds.find((one) => one !== kind);
  return (
    <Dialog title={t(kind === 'HOTP' ? 'typeTitle' : 'scanTitle')} isOpen onClose={onClose}>
      {kind === 'HOTP' ? (
        <TypeToken slot={slot} onDone={done} onCancel={onClose}>
          <NameField value={name} onChange={setName} />
        </TypeToken>
      ) : (
        <ScanToken slot={slot} onDone={done} onCancel={onClose}>
          <NameField value={name} onChange={setName} />
        </ScanToken>
      )}
      {other && (
        <div>
          <Button variant="quiet" size="small" onPress={() => setKind(other)}>
            {t(other === 'HOTP' ? 'typeInstead' : 'scanInstead')}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
