/** Answers to a user's calls: methods about the own entry, and those of the application SelfDesk. */
import type { Manager } from '../../api/manager.ts';

type Answer<Method extends (...given: never[]) => unknown> = Awaited<ReturnType<Method>>;

export type OwnToken = Answer<Manager['Otp']['User_Tokens']>[number];
export type OwnDevice = Answer<Manager['Otp']['User_Devices']>[number];
export type OwnList = Answer<Manager['Otp']['List_State']>;
export type OwnPage = Answer<Manager['SelfDesk']['User_Sessions']>[number];
export type OwnSharedSession = Answer<Manager['Sso']['User_Sessions']>[number];
export type OwnSshKey = Exclude<Answer<Manager['SshKey']['User_Key']>, false>;
export type OwnLogin = Answer<Manager['SelfDesk']['Recent_Logins']>[number];

type Overviews = Answer<Manager['SelfDesk']['Overview']>;

/** The user and the permitted actions; names and addresses are left out where the settings show none. */
export type Overview = Pick<Overviews, 'dn' | 'parts' | 'factors' | 'types' | 'sshKeyType'> &
  Partial<Readonly<Record<'name' | 'mail' | 'mobile', string>>>;
