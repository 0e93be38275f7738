/** The name for people of the place with the installation's state. */
import type { ServerConfig } from '@watchword/core';

/** `the data folder /var/lib/watchword` */
export function nameOfKept({ store, data }: Pick<ServerConfig, 'store' | 'data'>): string {
  if (store.type === 'embedded') return `the data folder ${data}`;
  return `the database ${store.database} on ${store.hosts.join(', ')}`;
}
