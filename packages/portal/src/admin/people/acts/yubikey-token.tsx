import { base64OfHex, base64OfModhex } from '../../../api/key-bytes.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-dialog.tsx';
import { KeyForm } from './key-form.tsx';

/** A Yubikey that types Yubico OTPs, by what was written into it. */
export function YubikeyToken({ slot, ...ends }: EnrolProps) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  return (
    <KeyForm
      {...ends}
      fields={[
        { name: 'public', label: t('publicId'), read: base64OfModhex },
        { name: 'secret', label: t('privateId'), read: base64OfHex },
        { name: 'key', label: t('aesKey'), read: base64OfHex },
      ]}
      register={(read) => manager.Otp.Yubikey_Register({ dn, id: slot, ...read })}
    />
  );
}
