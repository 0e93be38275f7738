/** The guide of confirmations: what it types is typed, the phone is the soft token of the examples. */
import { makesApiKey } from './api-key.ts';
import { runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

runGuide<Stand>('docs/guide/transactions.md', {
  open: openStand,
  runners: { 'Make an API key for your site/sh': makesApiKey('otp', 'qrauth') },
});
