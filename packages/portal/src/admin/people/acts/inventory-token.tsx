import { useSession } from '../../../shell/session.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePerson } from '../person/person.ts';
import type { EnrolProps } from './enrol-dialog.tsx';
import { KeyForm } from './key-form.tsx';

const filled = (text: string): string | undefined => text.trim() || undefined;

/** A token of the inventory, by its serial number and one of its codes. */
export function InventoryToken({ slot, ...ends }: EnrolProps) {
  const t = useTexts(peopleTexts);
  const { dn } = usePerson();
  const { manager } = useSession();
  return (
    <KeyForm
      {...ends}
      fields={[
        { name: 'serial', label: t('inventorySerial'), read: filled },
        { name: 'otp', label: t('inventoryCode'), read: filled },
      ]}
      register={(read) => manager.Otp.Inventory_Register({ dn, id: slot, ...read })}
    />
  );
}
