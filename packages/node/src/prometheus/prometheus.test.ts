import { expect, it } from 'vitest';
import { metrics } from '../../../core/src/ports/meter.ts';
import { openPrometheus } from './index.ts';

const linesOf = async (meter: ReturnType<typeof openPrometheus>) => (await meter.page()).text.split('\n');

it('describes each metric, and includes those of this process', async () => {
  const { type, text } = await openPrometheus().page();
  expect(type).toMatch(/^text\/plain; version=0\.0\.4/);
  for (const { name, help, type: kind } of Object.values(metrics)) {
    expect(text).toContain(`# HELP ${name} ${help}\n`);
    expect(text).toContain(`# TYPE ${name} ${kind}\n`);
  }
  expect(text).toContain('# TYPE process_resident_memory_bytes gauge');
});

it('counts, times in seconds, and sets gauges', async () => {
  const meter = openPrometheus();
  for (let n = 0; n < 2; n += 1) meter.count('logins', { application: 'Otp', outcome: 'granted' });
  meter.count('calls', { method: 'a"b\\c\nd', outcome: 'done' });
  meter.time('callTime', { method: 'Search' }, 30);
  meter.time('callTime', { method: 'Search' }, 3000);
  meter.set('up', { server: 'ldap' }, 1);
  meter.set('up', { server: 'ldap' }, 0);
  meter.set('freeSpace', {}, 4096);
  expect(await linesOf(meter)).toEqual(
    expect.arrayContaining([
      'watchword_logins_total{application="Otp",outcome="granted"} 2',
      String.raw`watchword_manager_calls_total{method="a\"b\\c\nd",outcome="done"} 1`,
      'watchword_manager_call_duration_seconds_bucket{le="0.025",method="Search"} 0',
      'watchword_manager_call_duration_seconds_bucket{le="0.05",method="Search"} 1',
      'watchword_manager_call_duration_seconds_bucket{le="5",method="Search"} 2',
      'watchword_manager_call_duration_seconds_sum{method="Search"} 3.03',
      'watchword_server_up{server="ldap"} 0',
      'watchword_store_free_bytes 4096',
    ]),
  );
});

it('has its own values beside others in the process', async () => {
  const [one, other] = [openPrometheus(), openPrometheus()];
  one.count('limits', { kind: 'lockout' });
  expect(await linesOf(one)).toContain('watchword_limits_total{kind="lockout"} 1');
  expect(await linesOf(other)).not.toContain('watchword_limits_total{kind="lockout"} 1');
});
