/** The client where there is no Node: bundled for browsers, in a context that has web globals only. */
import { createContext, runInContext } from 'node:vm';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { json, listen, rpc } from './testing/rpc-server.ts';

async function bundle(): Promise<string> {
  const entryPoints = [new URL('index.ts', import.meta.url).pathname];
  const { outputFiles } = await build({
    ...{ entryPoints, bundle: true, write: false, platform: 'browser', format: 'iife' },
    ...{ globalName: 'watchword', target: 'es2022', logLevel: 'silent' },
  });
  return outputFiles[0]?.text ?? '';
}

/** Fetches as a browser does, where `fetch` is called on the window or on nothing. */
function strictFetch(this: unknown, ...request: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  if (this !== undefined) return Promise.reject(new TypeError('Illegal invocation'));
  return fetch(...request);
}

const web = {
  AbortController,
  AbortSignal,
  btoa,
  clearTimeout,
  Headers,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
};

describe('in a browser', () => {
  it('the bundle asks nothing of Node, the core or any package', async () => {
    expect(await bundle()).not.toMatch(
      /\b(?:require|import)\s*\(|node:|process\.|Buffer\b|undici|@watchword/,
    );
  });

  it('calls work', async () => {
    const server = await listen(rpc(({ method }) => ({ result: method })));
    const context = createContext({ ...web, fetch: strictFetch, url: server.url });
    runInContext(await bundle(), context);
    const script = `(async () => {
      const manager = watchword.createManager({ url, username: 'admin', password: 'secret' });
      const one = await manager.Check_LDAP_Object({ dn: 'uid=alice' });
      const [two, three] = await manager.batch((m) => [m.Count_Activated_Users(), m.Server_Status()]);
      return [one, two, three].join();
    })()`;
    expect(await runInContext(script, context)).toBe('Check_LDAP_Object,Count_Activated_Users,Server_Status');
    const { authorization } = server.heard[0]?.headers ?? {};
    expect(authorization).toBe(`Basic ${btoa('admin:secret')}`);
  });

  it('logins work', async () => {
    const server = await listen((response, { body }) =>
      json(response, { code: 1, data: JSON.stringify(body) }),
    );
    const context = createContext({ ...web, fetch: strictFetch, url: server.url });
    runInContext(await bundle(), context);
    const script = `watchword
      .createWebServices({ url })
      .otp.challenge({ username: 'alice', voiceSample: new Uint8Array([1, 2]) })
      .then(({ data }) => data)`;
    expect(await runInContext(script, context)).toBe('{"username":"alice","voiceSample":"AQI="}');
  });

  it('a redirect that the browser hides is one', async () => {
    const hidden = async () => ({ status: 0, headers: new Headers(), body: null });
    const context = createContext({ ...web, fetch: hidden });
    runInContext(await bundle(), context);
    const script = `watchword
      .createManager({ url: 'https://localhost/', username: 'a', password: 'b' })
      .Count_Activated_Users()
      .catch(({ reason }) => reason)`;
    expect(await runInContext(script, context)).toBe('protocol');
  });
});
