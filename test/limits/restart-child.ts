/** For cases-restart.test.ts: a service in a data folder that logs in whom its parent names, until it is killed. */
import { openGround } from '../login/crash-ground.ts';
import { rules } from './restart-rules.ts';

const [folder = ''] = process.argv.slice(2);
const { service } = await openGround(folder, rules);
process.once('disconnect', () => process.exit()); // the test run is gone
process.on('message', async (fields) => {
  process.send?.((await service.web.otp.normalLogin(fields as object)).code);
});
process.send?.('ready');
