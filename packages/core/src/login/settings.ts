/** The settings of a login, for all kinds of proof; each is read by `read(settings, loginSettings.X)`. */
import { modeRows } from '../administration/policy/login-mode.ts';
import { lockoutRows } from '../administration/policy/settings.ts';
import {
  flagSetting,
  integerSetting,
  noAsksMore,
  ordered,
  settingsOf,
  textSetting,
  timestampSetting,
  withheld,
  yesAsksMore,
} from '../table/setting-row.ts';

const day = 86_400;

/**
 * Makes the settings that say whether and when an application lets a user in.
 * @param how words for the way in: `over SSH`; optional, default: every way
 */
export function gateRows(how?: string) {
  const login = how === undefined ? 'log in' : `log in ${how}`;
  return {
    EnableLogin: withheld(ordered(flagSetting(`The user may ${login}.`, 'Yes'), noAsksMore)),
    ValidFrom: withheld(
      ordered(timestampSetting(`The user may ${login} from \`YYYY-MM-DD HH:MM:SS\` (UTC) on.`), 'later'),
    ),
    ValidTo: withheld(
      ordered(
        timestampSetting(`The user may ${login} until \`YYYY-MM-DD HH:MM:SS\` (UTC).`, 'ValidFrom'),
        'earlier',
      ),
    ),
  };
}

export const loginSettings = settingsOf('Otp', {
  ...gateRows(),
  ...modeRows,
  ChallengeMode: ordered(
    flagSetting(
      'A login whose code is missing is asked for it; `No`: it is refused, for systems that know no challenge.',
      'Yes',
    ),
    noAsksMore,
  ),
  ChallengeTimeout: ordered(
    integerSetting('Seconds in which a challenge is to be answered.', { min: 1, max: day }, 90),
    'smaller',
  ),
  ...lockoutRows,
  BlockNotify: withheld({
    ...ordered(
      flagSetting('Tell the user by mail when too many failures begin to refuse the user.', 'No'),
      yesAsksMore,
    ),
    isIndifferent: true,
  }),
  ExpireNotify: {
    ...ordered(
      flagSetting(
        'Tell the user by mail when the token that has logged in expires within two weeks, once a week.',
        'No',
      ),
      yesAsksMore,
    ),
    isIndifferent: true,
  },
  ReplyData: withheld({ ...textSetting('What a successful login answers in `data`.'), isIndifferent: true }),
});
