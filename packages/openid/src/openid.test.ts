import { describeOpenIdEngine } from '../../core/src/testing/contracts/openid-contract.ts';
import { openIdEngine } from './index.ts';

describeOpenIdEngine('oidc-provider', openIdEngine);
