/** Type tests for methods and operations of applications that a server has beside the bundled ones. Nothing here runs. */
import type { ManagerCalls, WebCalls } from '@watchword/core';
import { describe, expectTypeOf, it } from 'vitest';
import type { Manager } from './calls.ts';
import { createManager } from './manager.ts';
import { createWebServices } from './web-services.ts';

interface OwnCalls {
  readonly Parking: { readonly Set_Plate: (params: { dn: string; plate: string }) => Promise<true> };
}
interface OwnServices {
  readonly parking: { readonly admit: (request?: { username?: string }) => Promise<{ code?: number }> };
}

describe('an application of its own', () => {
  it('stands beside the others', () => {
    const manager = createManager<ManagerCalls & OwnCalls>({
      url: 'https://localhost/',
      username: '',
      password: '',
    });
    expectTypeOf(manager.Parking.Set_Plate({ dn: '', plate: '' })).resolves.toEqualTypeOf<true>();
    expectTypeOf(manager.Count_Activated_Users()).resolves.toEqualTypeOf<number | false>();
    // @ts-expect-error plate is missing
    manager.Parking.Set_Plate({ dn: '' });
    manager.batch((m) => [m.Parking.Set_Plate({ dn: '', plate: '' }), m.Count_Activated_Users()]);
    const web = createWebServices<WebCalls & OwnServices>({ url: 'https://localhost/' });
    expectTypeOf(web.parking.admit({ username: '' })).resolves.toEqualTypeOf<{ readonly code?: number }>();
  });

  it('is there for who asks for it only', () => {
    const manager = createManager({ url: 'https://localhost/', username: '', password: '' });
    expectTypeOf(manager).toEqualTypeOf<Manager>();
    expectTypeOf<ReturnType<typeof createManager>>().toEqualTypeOf<Manager>();
    // @ts-expect-error nobody has said so
    manager.Parking;
  });
});
