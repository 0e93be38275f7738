/** Contract: many calls at a time: on a cold server, on one entry, on one directory. */
import { describe, expect, it } from 'vitest';
import { matchAll } from '../../../foundation/text/filter.ts';
import { goodPassword, namesOf, reasonOf, type TestBed } from './test-bed.ts';

const times = <T>(count: number, call: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => call(n)));

export function describeConcurrency(bed: TestBed): void {
  describe('many at a time', () => {
    it('200 reads on a directory that was only just bound', async () => {
      const dn = await bed.person(await bed.container(), 'popular');
      const result = await bed.server.bind(bed.fixture.reader.dn, bed.fixture.reader.password);
      if (!result.granted) throw new Error(result.refusal);
      const entries = await times(200, () => result.directory.read(dn, ['cn']));
      expect(new Set(namesOf(entries.filter((entry) => entry !== undefined)))).toEqual(new Set(['popular']));
      expect(entries).toHaveLength(200);
      await result.directory.close();
    });

    it('searches, reads and logins side by side', async () => {
      const base = await bed.container();
      const dn = await bed.person(base, 'busy', { userpassword: [goodPassword] });
      const search = { base, scope: 'one', filter: matchAll, attributes: ['cn'] } as const;
      const found = await times(50, async (n) => {
        if (n % 5 === 0) expect((await bed.server.authenticate(dn, goodPassword)).granted).toBe(true);
        return namesOf(await (n % 2 === 0 ? bed.admin : bed.server.service).search(search));
      });
      expect(new Set(found.flat())).toEqual(new Set(['busy']));
      expect(found.flat()).toHaveLength(50);
    });

    it('compare-and-swap has one winner', async () => {
      const dn = await bed.person(await bed.container(), 'contested', {
        webadmsettings: ['counter=0'],
      });
      const outcomes = await times(10, (n) =>
        reasonOf(
          bed.admin.modify(dn, [
            { operation: 'delete', attribute: 'webadmSettings', values: ['counter=0'] },
            { operation: 'add', attribute: 'webadmSettings', values: [`counter=${n + 1}`] },
          ]),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'done')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'value_missing')).toHaveLength(9);
      expect(await bed.values(dn, 'webadmsettings')).toEqual([`counter=${outcomes.indexOf('done') + 1}`]);
    });

    it('an entry is added once', async () => {
      const container = await bed.container();
      const outcomes = await times(10, () => reasonOf(bed.person(container, 'once')));
      expect(outcomes.sort()).toEqual([...Array<string>(9).fill('already_exists'), 'done']);
    });

    it('values added by many are all there', async () => {
      const dn = await bed.person(await bed.container(), 'collecting');
      await times(20, (n) =>
        bed.admin.modify(dn, [{ operation: 'add', attribute: 'webadmSettings', values: [`n${n}=1`] }]),
      );
      expect(await bed.values(dn, 'webadmsettings')).toHaveLength(20);
    });
  });
}
