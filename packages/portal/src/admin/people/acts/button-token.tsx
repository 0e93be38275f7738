import { base64OfKey } from '../../../api/key-bytes.ts';
import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-dialog.tsx';
import { KeyForm } from './key-form.tsx';

const wholeNumber = (text: string): string | undefined =>
  /^\d{1,15}$/.test(text.trim()) ? text.trim() : undefined;

/** A token with a button (HOTP), by the key that came with it. */
export function ButtonToken({ slot, ...ends }: EnrolProps) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  return (
    <KeyForm
      {...ends}
      fields={[
        { name: 'key', label: t('secretKey'), read: base64OfKey },
        { name: 'counter', label: t('counter'), read: wholeNumber, usual: '0' },
      ]}
      register={({ key, counter }) =>
        manager.Otp.HOTP_Register({ dn, key, counter: Number(counter), id: slot })
      }
    />
  );
}
