/** What the guides show: each scene is a page of a site, as somebody comes to it. */
import type { Page } from '../../../core/src/testing/bed/engines/browser.ts';
import type { Ground } from '../ground.ts';

export interface Scene {
  /** Of the picture: `admin-people`. */
  readonly name: string;
  /** Goes there, and waits until everything is to be seen. The one before has left the page as it was. */
  show(page: Page, ground: Ground): Promise<unknown>;
}

/** Signed in once; all others follow in the same window. */
export interface Scenes {
  readonly site: 'admin' | 'self';
  readonly before: readonly Scene[];
  signIn(page: Page, ground: Ground): Promise<unknown>;
  readonly inside: readonly Scene[];
}
