/** The guide of the Admin Portal, on what `npm start` has made. What it says of pages, packages/portal/test drives in a browser. */
import { runGuide } from './guide.ts';
import { openStand } from './stand.ts';

runGuide('docs/guide/admin-portal.md', { open: openStand });
