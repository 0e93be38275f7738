/** The guide of single sign-on: what it types is typed. */
import { makesApiKey } from './api-key.ts';
import { runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

runGuide<Stand>('docs/guide/single-sign-on.md', {
  open: openStand,
  runners: { 'Make an API key for your sites/sh': makesApiKey('otp', 'sso') },
});
