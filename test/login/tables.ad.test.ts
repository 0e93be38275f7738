/**
 * Every factor over every door, as on the other directories, on Active Directory: the tables of the web services, and the suites of
 * factors and doors that have no rows in them, on one domain controller.
 */
import './table.test.ts';
import './challenge.test.ts';
import './sent-codes.test.ts';
import '../services/qrauth.test.ts';
import '../services/security-key.test.ts';
import '../services/sms.test.ts';
import '../services/sshkey.test.ts';
import '../services/sso.test.ts';
import '../services/transaction.test.ts';
import '../../packages/core/src/applications/otp/token/ocra.test.ts';
import '../../packages/core/src/applications/otp/token/yubikey.test.ts';
import '../../packages/core/src/applications/otp/password/password.test.ts';
import '../../packages/core/src/doors/ldap/ldap.test.ts';
import '../../packages/core/src/applications/sso/openid/openid.test.ts';
import { afterAll } from 'vitest';
import { stopSharedSamba } from '../../packages/core/src/testing/bed/engines/samba.ts';

afterAll(stopSharedSamba);
