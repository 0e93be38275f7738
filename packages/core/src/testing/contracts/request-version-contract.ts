/** The contract of requests that are judged by one version of the run-time configuration, as a vitest suite without an engine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ledger } from '../../ports/store/ledger.ts';
import { noVersion, OtherVersion, type Patience, versionKey } from '../../ports/store/store.ts';

/** A node of an installation. */
export interface VersionedNode {
  readonly patience: Patience;
  readonly store: Ledger;
}

export interface VersionFixture extends VersionedNode {
  /** Opens another node on the same store. */
  another(): Promise<VersionedNode>;
  dispose(): Promise<void>;
}

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

/** Declares the suite `name`. `open` is called before each test. */
export function requestVersionContract(name: string, open: () => Promise<VersionFixture>): void {
  describe(`versions of the configuration: ${name}`, () => {
    let here: VersionFixture;
    let other: VersionedNode;
    beforeEach(async () => {
      here = await open();
      other = await here.another();
    });
    afterEach(() => here.dispose());

    const setVersion = (version: string) => other.store.put(versionKey, bytes(version), 3600);
    const put = (value: string) => here.store.put('thing:one', bytes(value), 60);
    const kept = async () => Buffer.from((await other.store.get('thing:one')) ?? []).toString();

    it('runs a request under the version in force', async () => {
      await here.patience.during(() => put('before any change'), noVersion);
      await setVersion('1');
      await here.patience.during(() => put('after the first'), '1');
      expect(await kept()).toBe('after the first');
    });

    it.each([
      ['a value is written', () => put('late')],
      ['a value is read', () => here.store.get('thing:one')],
      ['a value is changed', () => here.store.update('thing:one', () => ({ result: 1, after: null }))],
      [
        'a commit decides',
        () =>
          here.store.commit({
            durable: ['thing:one'],
            decide: () => ({ result: 1, values: new Map([['thing:one', null]]) }),
          }),
      ],
      [
        'an admission decides',
        () => here.store.admit({ durable: [], ephemeral: ['thing:two'], decide: () => ({ result: 1 }) }),
      ],
    ])('makes no step under another version when %s first', async (_, step) => {
      await put('early');
      await here.patience.during(() => put('early'), noVersion);
      await setVersion('7');
      const late = here.patience.during(async () => {
        await step().catch(() => undefined);
        await put('late').catch(() => undefined);
        return 'answered';
      }, noVersion);
      await expect(late).rejects.toEqual(new OtherVersion('7'));
      await expect(late).rejects.toHaveProperty('version', '7');
      expect(await kept()).toBe('early');
    });

    it('answers a request without a step under another version not at all', async () => {
      await setVersion('2');
      await expect(here.patience.during(async () => 'refused', noVersion)).rejects.toEqual(
        new OtherVersion('2'),
      );
      await expect(
        here.patience.during(() => Promise.reject(new Error('refused')), noVersion),
      ).rejects.toEqual(new OtherVersion('2'));
      expect(await here.patience.during(async () => 'answered', '2')).toBe('answered');
    });

    it('ends a request under the version of its first step', async () => {
      await here.patience.during(async () => {
        await put('first');
        await setVersion('1');
        await put('second');
      }, noVersion);
      expect(await kept()).toBe('second');
    });

    it('compares nothing for work that names no version', async () => {
      await setVersion('3');
      await here.patience.during(() => put('without'));
      expect(await kept()).toBe('without');
    });
  });
}
