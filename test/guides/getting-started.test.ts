/** Getting started: `npm start` itself is run by the tests of the quick start. */
import { runGuide } from './guide.ts';
import { openRoom } from './reading-room.ts';

runGuide('docs/guide/getting-started.md', { open: openRoom });
runGuide('README.md', { open: openRoom });
