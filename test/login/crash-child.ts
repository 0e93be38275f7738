/**
 * For crash.test.ts: logs its users in, one code after the other and all users at the same time, and tells its parent
 * of every success that was answered, until it is killed. As `hasty` it tells before the answer: what a server
 * without the wait for the disk would do. It then kills itself, as its parent may be slower than the disk.
 */
import { type CrashReport, codeOf, openGround, type Runner } from './crash-ground.ts';

const [folder = '', mode, runners = '[]', count = ''] = process.argv.slice(2);
const { service } = await openGround(folder);
process.once('disconnect', () => process.exit()); // the test run is gone
const tell = (sent: CrashReport): boolean => process.send?.(sent) ?? false;

let sent = 0;
function tellAndDie(one: CrashReport): void {
  tell(one);
  sent += 1;
  if (sent === Number(count)) process.kill(process.pid, 'SIGKILL');
}

async function run({ username, first }: Runner): Promise<never> {
  for (let counter = first; ; counter += 1) {
    const otpPassword = codeOf({ username, counter });
    const answering = service.web.otp.normalLogin({ username, otpPassword });
    if (mode === 'hasty') tellAndDie({ username, counter });
    if ((await answering).code !== 1) process.exit(1);
    if (mode !== 'hasty') tell({ username, counter });
  }
}

await Promise.all((JSON.parse(runners) as readonly Runner[]).map(run));
