/** A page is loaded when somebody goes there. */
import { type ComponentType, lazy } from 'react';

export const lazyPage = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));
