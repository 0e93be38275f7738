/** What is said not to be there is not there; what comes to life has to leave the page. */
import { expect } from 'vitest';
import { runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

const lines = (text: string): readonly string[] => text.trim().split('\n');

runGuide<Stand>('docs/guide/not-there-yet.md', {
  open: openStand,
  runners: {
    'Methods that answer "Method not found"/text': async ({ text }, { shell, here }) => {
      const calls = lines(text).map((method, id) => ({ jsonrpc: '2.0', id, method, params: {} }));
      const curl = `curl -sS --cacert data/ca.pem -u "admin:$PASSWORD" https://localhost:4443/manag/ -d '${JSON.stringify(calls)}'`;
      const answers: { error?: { code: number } }[] = JSON.parse(await shell.run(here(curl)));
      expect(answers.map(({ error }) => error?.code)).toEqual(calls.map(() => -32601));
      expect(calls.length).toBeGreaterThan(0);
    },
  },
});
