/** The guide of self-service, on what `npm start` has made. */
import { runGuide } from './guide.ts';
import { openStand } from './stand.ts';

runGuide('docs/guide/self-service.md', { open: openStand });
