/**
 * The applications of self-service: `SelfDesk` (portal of users), `PwReset` and `SelfReg` (links for a lost password and for
 * registration), and `HelpDesk`.
 */

import { userLinksFamily, userPagesFamily } from '../../directory/entry/sessions.ts';
import { application } from '../../table/application.ts';
import { deskSite } from './desk/door.ts';
import { deskLogin } from './desk/login.ts';
import { pageFamily } from './desk/session.ts';
import { linkFamily } from './link/link.ts';
import { pwresetMethods, selfdeskMethods, selfregMethods } from './methods.ts';
import { showFactor } from './pages/factor.ts';
import { registrationPages } from './pages/registration.ts';
import { resetPages } from './pages/reset.ts';
import { linkSite } from './pages/site.ts';
import { helpdeskSettings, pwresetSettings, selfdeskSettings, selfregSettings } from './settings.ts';

/** The rest of an application without a web service or a licence. */
const pages = { publicData: [], supportsDryRun: true, isUnlicensed: true, operations: {} } as const;
const isThere = { isOn: () => true, locks: true };

export const selfdesk = application({
  ...pages,
  name: 'SelfDesk',
  service: 'selfdesk',
  webApplication: isThere,
  sealedFamilies: [pageFamily],
  underWay: [pageFamily, userPagesFamily],
  site: deskSite(deskLogin),
  settings: selfdeskSettings,
  methods: selfdeskMethods,
});

export const pwreset = application({
  ...pages,
  name: 'PwReset',
  service: 'pwreset',
  webApplication: isThere,
  sealedFamilies: [linkFamily('pwreset')],
  underWay: [linkFamily('pwreset'), userLinksFamily],
  site: linkSite('pwreset', resetPages(showFactor)),
  settings: pwresetSettings,
  methods: pwresetMethods,
});

export const selfreg = application({
  ...pages,
  name: 'SelfReg',
  service: 'selfreg',
  webApplication: isThere,
  sealedFamilies: [linkFamily('selfreg')],
  underWay: [linkFamily('selfreg'), userLinksFamily],
  site: linkSite('selfreg', registrationPages),
  settings: selfregSettings,
  methods: selfregMethods,
});

/** Support staff work in the admin portal, as their roles say: there are no pages of it. */
export const helpdesk = application({
  ...pages,
  name: 'HelpDesk',
  service: 'helpdesk',
  webApplication: { isOn: () => false, locks: false },
  settings: helpdeskSettings,
  methods: {},
});
