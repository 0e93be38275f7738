/** Loads the code of a page on its first visit. */
import { type ComponentType, lazy } from 'react';

export const lazyPage = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));
