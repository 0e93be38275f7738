/** Warnings when mode PKI is on, to those who would have locked themselves out. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Enrolment, openEnrolment } from '../../../testing/bed/enrolment.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { lockoutWarning } from './lockout.ts';

let fixture: Fixture;
let enrolment: Enrolment;
beforeEach(async () => {
  fixture = await openFixture();
  enrolment = await openEnrolment(fixture);
});
afterEach(async () => {
  await enrolment.close();
  await fixture.close();
});

const isWarned = async (manager_auth: 'UID' | 'DN' | 'PKI' = 'PKI') =>
  (await lockoutWarning({ manager_auth }, fixture.ports)) !== undefined;

describe('whoever turns on mode PKI', () => {
  it('is warned while no administrator has a certificate', async () => {
    expect(await isWarned()).toBe(true);
    for (const mode of ['UID', 'DN'] as const) expect(await isWarned(mode)).toBe(false);
    await enrolment.sign('/CN=Default\\\\admin/UID=admin/DC=Default/description=USER');
    await enrolment.sign('/CN=Intranet/description=CLIENT');
    expect(await isWarned()).toBe(true);
    await enrolment.administrator();
    expect(await isWarned()).toBe(false);
  });

  it('is warned when the last one is revoked or out of time', async () => {
    const { certificate } = await enrolment.administrator();
    fixture.clock.advance(366 * 86_400_000);
    expect(await isWarned()).toBe(true);
    fixture.clock.advance(-366 * 86_400_000);
    expect(await isWarned()).toBe(false);
    await enrolment.revoke(certificate);
    expect(await isWarned()).toBe(true);
  });
});
