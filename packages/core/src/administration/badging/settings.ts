/** The settings of badging, which belong to the application `Otp`. */
import { enumSetting, harmless, ordered, preset, settingsOf, textSetting } from '../../table/setting-row.ts';
import { wrongAreas, wrongOffices } from './place.ts';

export const badgingSettings = settingsOf('Otp', {
  BadgingMode: harmless(
    preset(
      enumSetting('What a badging of somebody who is badged in is: `Toggle` ends it, `In` begins it again.', {
        now: ['Toggle', 'In'],
      }),
      'Toggle',
    ),
  ),
  BadgingArea: ordered(
    textSetting(
      'Where users may badge, circles `<latitude>,<longitude>,<metres>` with semicolons between them: the phone has to tell that it is in one. Left out: anywhere.',
      wrongAreas,
    ),
    'any',
  ),
  BadgingLocations: harmless(
    textSetting(
      'Offices, `<name>=<latitude>,<longitude>,<metres>` with semicolons between them: whoever badges in one is told to be there.',
      wrongOffices,
    ),
  ),
  BadgingData: textSetting('What the phone shows, HTML, where the request has no text.'),
});
