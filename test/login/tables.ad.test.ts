/** The tables of the web services over every door, as on the other directories: on Active Directory, on one domain controller. */
import './table.test.ts';
import './challenge.test.ts';
import '../services/qrauth.test.ts';
import '../services/security-key.test.ts';
import '../services/sms.test.ts';
import '../services/sshkey.test.ts';
import '../services/sso.test.ts';
import '../services/transaction.test.ts';
import { afterAll } from 'vitest';
import { stopSharedSamba } from './shared-samba.ts';

afterAll(stopSharedSamba);
