/** Methods that the Admin Portal calls, over the embedded directory and slapd. On Active Directory: `portal-methods.ad.test.ts`. */
import { describe } from 'vitest';
import { portalMethodsContract, userPassword } from '../../../testing/bed/portal-methods-contract.ts';
import { engines, openStage } from '../../../testing/bed/stage.ts';

describe.each(engines)('methods of the portal: %s', (engine) => {
  portalMethodsContract(async () => {
    const { fixture, manager, credentials, container, person, close } = await openStage(engine);
    return {
      ...{ fixture, manager, credentials, close, container: await container() },
      person: (above, uid, more) => person(above, uid, { userpassword: userPassword, ...more }),
      personClass: ['inetorgperson', 'sn'],
    };
  });
});
