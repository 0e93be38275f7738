/** The `QrAuth` application: logins and signatures by scanning a QR code. Phones answer at `otp`. */
import { application } from '../../table/application.ts';
import { qrauthOperations } from './operations.ts';

export const qrauth = application({
  name: 'QrAuth',
  service: 'qrauth',
  supportsDryRun: true,
  publicData: [],
  settings: {},
  methods: {},
  operations: qrauthOperations,
});
