/** Failures as values, of single calls and of batches. */
import { describe, expect, it } from 'vitest';
import { CallError } from './errors.ts';
import { createManager } from './manager.ts';
import { safe } from './safe.ts';
import { listen, rpc } from './testing/rpc-server.ts';
import { createWebServices } from './web-services.ts';

const missing = { error: { code: -32004, message: 'No such object', reason: 'not_found' } };

/** Knows no user but Alice. */
async function openManager() {
  const { url } = await listen(
    rpc(({ params }) => (JSON.stringify(params).includes('alice') ? { result: 'uid=alice' } : missing)),
  );
  return createManager({ url, username: 'admin', password: 'secret' });
}
const user = (username: string) => ({ username, domain: 'Default' });

describe('a safe call', () => {
  it('gives its result, or the error that it would have thrown', async () => {
    const manager = await openManager();
    expect(await safe(manager.Get_User_DN(user('alice')))).toEqual({ ok: true, value: 'uid=alice' });
    const failed = await safe(manager.Get_User_DN(user('bob')));
    expect(failed).toMatchObject({ ok: false, error: { reason: 'not_found', method: 'Get_User_DN' } });
    expect(!failed.ok && failed.error).toBeInstanceOf(CallError);
  });

  it('may be a batch: all results, or the first error', async () => {
    const manager = await openManager();
    const of = (...names: string[]) =>
      safe(manager.batch((m) => names.map((name) => m.Get_User_DN(user(name)))));
    expect(await of('alice', 'alice')).toEqual({ ok: true, value: ['uid=alice', 'uid=alice'] });
    expect(await of('alice', 'bob')).toMatchObject({ ok: false, error: { reason: 'not_found' } });
  });

  it('may be a batch of which each call ends in its own way', async () => {
    const manager = await openManager();
    const settled = await safe(
      manager.batchSettled((m) => [m.Get_User_DN(user('alice')), m.Get_User_DN(user('bob'))]),
    );
    expect(settled).toMatchObject({ ok: true, value: [{ ok: true }, { ok: false }] });
  });

  it('may be an operation that nobody answers', async () => {
    const web = createWebServices({ url: 'http://127.0.0.1:1/' });
    expect(await safe(web.otp.status())).toMatchObject({ ok: false, error: { reason: 'network' } });
  });

  it('throws what is a mistake of the program', async () => {
    const manager = await openManager();
    const wrong = JSON.parse('{}');
    wrong.self = wrong;
    await expect(safe(manager.Get_User_DN(wrong))).rejects.toThrow(TypeError);
  });
});
