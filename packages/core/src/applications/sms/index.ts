/** The application `Sms`: systems with an account send SMS. */
import { application } from '../../table/application.ts';
import { smsOperations } from './operations.ts';

export const sms = application({
  name: 'Sms',
  service: 'sms',
  isRehearsed: true,
  isUnlicensed: true,
  publicData: [],
  settings: {},
  methods: {},
  operations: smsOperations,
});
