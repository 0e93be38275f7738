import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { version } from './version.ts';

it.each(['core', 'server-manager', 'server-ws', 'client'])(
  'the version is that of the package %s',
  (name) => {
    const file = new URL(`../../../${name}/package.json`, import.meta.url);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toHaveProperty('version', version);
  },
);
