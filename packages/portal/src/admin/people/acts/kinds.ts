/** The kinds of tokens that are enrolled, and what each needs of the rights of an administrator. */
import { useMay } from '../person/person.ts';

const methods = {
  app: [
    ...['Otp.TOTP_Register', 'Otp.TOTP_URI', 'Otp.TOTP_Verify', 'Get_QRCode', 'Get_Random_Bytes'],
    ...['Get_User_Domains', 'Get_User_IDs'],
  ],
  button: ['Otp.HOTP_Register'],
  yubikey: ['Otp.Yubikey_Register'],
  inventory: ['Otp.Inventory_Register'],
} as const;

export type Kind = keyof typeof methods;

export const kinds: readonly Kind[] = ['app', 'button', 'yubikey', 'inventory'];

/** Those that may be enrolled for the person of the page. */
export function useEnrolableKinds(): readonly Kind[] {
  const may = useMay();
  return kinds.filter((kind) => may(...methods[kind]));
}
