/** The guide of mail and SMS, on what `npm start` has made. */
import { runGuide } from './guide.ts';
import { openStand } from './stand.ts';

runGuide('docs/guide/messages.md', { open: openStand });
