/** Counters outlive the process, however it ends, and a clock that is moved (docs/concepts/once-only.md#crash). */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Dn } from '@watchword/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { base, openGround } from '../login/crash-ground.ts';
import { rules } from './restart-rules.ts';
import { day, granted, hour, minute, refused, Stage, somewhere } from './stage.ts';

const password = 'carols-Pa55word';

describe('18. a process', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'watchword-limits-'));
    const { engines, close } = await openGround(folder, rules);
    const attributes = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: ['carol'], sn: ['Carol'] };
    const entry = new Map(Object.entries({ ...attributes, userpassword: [password] }));
    await engines.directory.service.add(Dn.parse(`uid=carol,${base}`), entry);
    await close();
  });
  afterAll(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  async function start(): Promise<void> {
    const loader = new URL('../../scripts/typescript-loader.mjs', import.meta.url).href;
    const register = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(loader)})`;
    child = fork(fileURLToPath(new URL('restart-child.ts', import.meta.url)), [folder], {
      execArgv: ['--conditions=watchword-source', '--import', register],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(child, 'message');
  }

  /** By SIGKILL: nothing is brought to an end. */
  async function restart(): Promise<void> {
    if (child) {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    await start();
  }

  async function logIn(ldapPassword: string, source: string): Promise<unknown> {
    if (!child) throw new Error('there is no process');
    const answered = once(child, 'message');
    child.send({ username: 'carol', ldapPassword, source });
    return (await answered)[0];
  }

  it('that is killed right after an answer has counted all of them', async () => {
    const home = '198.51.100.1';
    await restart();
    expect(await logIn(password, home)).toBe(1);
    for (let n = 0; n < 5; n += 1) {
      expect(await logIn('wrong', `198.51.100.${n + 10}`)).toBe(0);
      if (n === 2 || n === 4) await restart();
    }
    expect(await logIn(password, '198.51.100.20'), 'elsewhere').toBe(0);
    expect(await logIn(password, home), 'where the user is known').toBe(1);
  });
});

describe('18. a clock a day ahead, and back', () => {
  it.each([
    ['a refusal that began ahead lasts its own time', day, 300],
    ['a refusal that began before is not lengthened', -day, 300],
  ])('%s', async (_, jump, seconds) => {
    const stage = await Stage.open();
    const user = await stage.user({ mode: 'LDAP' });
    const right = () => stage.ask(somewhere(), user, { ldapPassword: user.password });
    if (jump > 0) stage.pass(jump);
    await stage.shutOut(user);
    stage.pass(-day);
    expect(await right()).toEqual(refused);
    stage.pass(seconds * 1000 - 1);
    expect(await right()).toEqual(refused);
    stage.pass(1);
    expect(await right()).toEqual(granted);
    await stage.close();
  });

  it('an allowance that was used up ahead is open a day after the correction', async () => {
    const stage = await Stage.open();
    const [user, home] = [await stage.user(), somewhere()];
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    stage.pass(hour);
    for (let n = 0; n < 10; n += 1)
      await stage.ask(home, user, { ldapPassword: user.password, otpPassword: '999999' });
    stage.pass(-hour);
    expect(await stage.ask(home, user, user.both())).toEqual(refused);
    stage.pass(day - 1);
    expect(await stage.ask(home, user, user.both())).toEqual(refused);
    stage.pass(1);
    expect(await stage.ask(home, user, user.both())).toEqual(granted);
    await stage.close();
  });

  it('both right is granted when the clock is back, though both were judged ahead', async () => {
    const stage = await Stage.open();
    const [user, place] = [await stage.user(), somewhere()];
    await stage.shutOut(user);
    stage.pass(day);
    await stage.shutOut(user);
    await stage.ask(place, user, { ldapPassword: 'wrong', otpPassword: '999999' });
    stage.pass(-day);
    expect(await stage.ask(place, user, user.both())).toEqual(granted);
    await stage.close();
  });

  it('a place has its failures back in a minute, whatever the clock did', async () => {
    const stage = await Stage.open();
    const [peer, user] = [somewhere(), await stage.user({ mode: 'LDAP' })];
    stage.pass(day);
    for (let n = 0; n < 20; n += 1) await stage.ask(peer, { name: `nobody${n}` }, { ldapPassword: 'wrong' });
    stage.pass(-day);
    expect(await stage.ask(peer, user, { ldapPassword: user.password })).toEqual(refused);
    stage.pass(minute);
    expect(await stage.ask(peer, user, { ldapPassword: user.password })).toEqual(granted);
    await stage.close();
  });
});
