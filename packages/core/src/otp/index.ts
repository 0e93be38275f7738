/** The `Otp` application: one-time passwords and login. */

import { lastLogin } from '../login/account/last-login.ts';
import { application } from '../table/application.ts';
import { otpMethods } from './methods.ts';
import { answerMobile, answerShortAddress } from './mobile/mobile-door.ts';
import { mobileFamilies } from './mobile/mobile-record.ts';
import { otpOperations } from './operations.ts';
import { otpSettings } from './settings.ts';

/** Slots 2–10 carry their number in the key: `Token2State`. */
const slots = ['', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
const tokenData = ['Type', 'State', 'ID', 'Serial', 'Model', 'Shape', 'Suite', 'Enabled', 'Expires'];

export const otp = application({
  name: 'Otp',
  service: 'otp',
  judgesUsers: true,
  publicData: ['LastLogin', ...slots.flatMap((slot) => tokenData.map((key) => `Token${slot}${key}`))],
  liveData: { LastLogin: lastLogin },
  settings: otpSettings,
  methods: otpMethods,
  operations: otpOperations,
  sealedFamilies: mobileFamilies,
  underWay: mobileFamilies,
  pages: { mobile: answerMobile, qruri: answerShortAddress },
});
