/** The pages on which a user registers a factor by a link: they show what is registered, verify it where possible, and register once. */
import type { WebResponse } from '../../../foundation/http/http.ts';
import type { LinkItem } from '../link/link.ts';
import { registrableTypes } from '../registrable-types.ts';
import { selfregSettings } from '../settings.ts';
import { overPage } from './html.ts';
import { devicePage, registerDevice } from './registration/device.ts';
import { appKeysPage, listPage, registerAppKeys, registerList } from './registration/list.ts';
import type { Registering } from './registration/once.ts';
import { keyPage, registerKey } from './registration/ssh-key.ts';
import { registerToken, tokenPage } from './registration/token.ts';
import { openLink, type PageVisit, type SelfPages } from './visit.ts';

type Step = (registering: Registering, visit: PageVisit) => WebResponse | Promise<WebResponse>;

const steps: Readonly<Record<LinkItem, { readonly show: Step; readonly register: Step }>> = {
  Token1: { show: tokenPage, register: registerToken },
  Token2: { show: tokenPage, register: registerToken },
  Token3: { show: tokenPage, register: registerToken },
  FIDO: { show: devicePage, register: registerDevice },
  OTPList: { show: listPage, register: registerList },
  AppKeys: { show: appKeysPage, register: registerAppKeys },
  SshKey: { show: keyPage, register: registerKey },
};

export const registrationPages: SelfPages = async (visit) => {
  const open = await openLink('selfreg', visit);
  const item = open?.link.item;
  if (!open || item === undefined) return overPage(visit.words);
  const { dn } = open.link;
  const calls = visit.own({
    ...{ dn, transaction: visit.transaction },
    may: ({ does }) => does !== 'removes',
    typesOf: registrableTypes(open.profile.settings, selfregSettings.AllowSSHKeyTypes),
  });
  const { show, register } = steps[item];
  return (visit.form ? register : show)({ ...open, item, calls }, visit);
};
