import { expect, it } from 'vitest';
import core from '../package.json' with { type: 'json' };
import { version } from './version.ts';

it('the version that the server reports is that of the package', () => {
  expect(version).toBe(core.version);
});
