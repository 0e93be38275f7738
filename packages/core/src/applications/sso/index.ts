/** The application `Sso`: sessions that several web sites share, begun after a login. */
import { userSessionsFamily } from '../../directory/entry/sessions.ts';
import { application } from '../../table/application.ts';
import { ssoMethods } from './methods.ts';
import { openIdSite } from './openid/door.ts';
import { stepOfLogin } from './openid/login.ts';
import { openIdKeysFamily } from './openid/signing-keys.ts';
import { openIdFamily } from './openid/state.ts';
import { ssoOperations } from './operations.ts';
import { sessionFamily } from './session.ts';
import { openidSettings, ssoSettings } from './settings.ts';

export const sso = application({
  name: 'Sso',
  service: 'sso',
  supportsDryRun: true,
  publicData: [],
  sealedFamilies: [sessionFamily, openIdFamily, openIdKeysFamily],
  underWay: [sessionFamily, userSessionsFamily, openIdFamily],
  settings: ssoSettings,
  methods: ssoMethods,
  operations: ssoOperations,
  site: openIdSite(stepOfLogin),
});

/** The pages that people log in to applications by: the web application of the identity provider. */
export const openid = application({
  name: 'OpenID',
  service: 'openid',
  supportsDryRun: true,
  publicData: [],
  isUnlicensed: true,
  webApplication: {
    isOn: ({ openid_clients: clients }) => Object.keys(clients).length > 0,
    locks: true,
  },
  settings: openidSettings,
  methods: {},
  operations: {},
});
