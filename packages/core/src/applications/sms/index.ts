/** The application `Sms`: systems with an account send SMS. */
import { application } from '../../table/application.ts';
import { smsOperations } from './operations.ts';

export const sms = application({
  name: 'Sms',
  service: 'sms',
  supportsDryRun: true,
  isUnlicensed: true,
  publicData: [],
  settings: {},
  methods: {},
  operations: smsOperations,
});
