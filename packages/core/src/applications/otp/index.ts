/** The `Otp` application: one-time passwords and login. */

import { badgeFamily } from '../../administration/badging/badge.ts';
import { lastLogin } from '../../login/account.ts';
import { application } from '../../table/application.ts';
import type { Page } from '../../table/page.ts';
import { answerPhone, type PhoneView } from '../phone/phone-door.ts';
import { transactionFamily } from '../phone/transaction.ts';
import { otpMethods } from './methods.ts';
import { answerMobile, answerShortAddress, type MobileDoorView } from './mobile/mobile-door.ts';
import { mobileFamilies } from './mobile/mobile-record.ts';
import { otpOperations } from './operations.ts';
import { otpSettings } from './settings.ts';
import { badgingOperations } from './transaction/badging/operations.ts';
import { answerExtern, answerExternFile } from './transaction/extern/extern-door.ts';
import { linkFamily } from './transaction/extern/link.ts';
import { externOperations } from './transaction/extern/operations.ts';
import { listOperations } from './transaction/listing/operations.ts';
import { transactionOperations } from './transaction/operations.ts';
import { sealingOperations } from './transaction/sealing/operations.ts';

/** Slots 2–10 carry their number in the key: `Token2State`. */
const slots = ['', '2', '3', '4', '5', '6', '7', '8', '9', '10'];
const tokenData = ['Type', 'State', 'ID', 'Serial', 'Model', 'Shape', 'Suite', 'Enabled', 'Expires'];

const pages: Readonly<Record<string, Page<MobileDoorView & PhoneView>>> = {
  ...{ mobile: answerMobile, qruri: answerShortAddress, transaction: answerPhone },
  ...{ extern: answerExtern, externfile: answerExternFile },
};

export const otp = application({
  name: 'Otp',
  service: 'otp',
  supportsDryRun: true,
  judgesUsers: true,
  publicData: ['LastLogin', ...slots.flatMap((slot) => tokenData.map((key) => `Token${slot}${key}`))],
  liveData: { LastLogin: lastLogin },
  settings: otpSettings,
  methods: otpMethods,
  operations: {
    ...otpOperations,
    ...transactionOperations,
    ...sealingOperations,
    ...listOperations,
    ...badgingOperations,
    ...externOperations,
  },
  sealedFamilies: [...mobileFamilies, transactionFamily, badgeFamily, linkFamily],
  underWay: [...mobileFamilies, transactionFamily, linkFamily],
  pages,
});
