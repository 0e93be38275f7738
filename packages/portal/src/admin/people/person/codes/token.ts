/** A token of a person, as the Manager lists it. */
import type { Manager } from '../../../../api/manager.ts';

export type Token = Awaited<ReturnType<Manager['Otp']['User_Tokens']>>[number];
