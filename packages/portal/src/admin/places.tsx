/** The pages of the Admin Portal: where each stands, and for whom there is a way to it. */
import { type ComponentType, lazy } from 'react';
import type { Rights } from '../api/rights.ts';
import type { IconName } from '../kit/icons.tsx';
import type { shellTexts } from '../texts/shell/index.ts';
import { sections } from './configuration/sections.tsx';
import { actNames, actOf } from './many/acts.ts';

export interface Place {
  /** Below the site. */
  readonly path: string;
  readonly name: keyof typeof shellTexts.en;
  readonly icon: IconName;
  readonly page: ComponentType;
  readonly isFor: (rights: Rights) => boolean;
}

/** A page is loaded when somebody goes there. */
const page = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const everybody = () => true;

export const places: readonly Place[] = [
  {
    path: '/people',
    name: 'people',
    icon: 'people',
    page: page('PeoplePage', () => import('./people/people-page.tsx')),
    isFor: everybody,
  },
  {
    path: '/directory',
    name: 'directory',
    icon: 'tree',
    page: page('DirectoryPage', () => import('./directory/directory-page.tsx')),
    isFor: (rights) => rights.may('List_LDAP_Children'),
  },
  {
    path: '/many',
    name: 'many',
    icon: 'list',
    page: page('ManyPage', () => import('./many/many-page.tsx')),
    isFor: (rights) => actNames.some((name) => rights.may(actOf(name).method)),
  },
  {
    path: '/configuration',
    name: 'configuration',
    icon: 'gear',
    page: page('ConfigurationPage', () => import('./configuration/configuration-page.tsx')),
    isFor: (rights) => sections.some(({ isFor }) => isFor(rights)),
  },
  {
    path: '/explorer',
    name: 'explorer',
    icon: 'code',
    page: page('ExplorerPage', () => import('./explorer/explorer-page.tsx')),
    isFor: everybody,
  },
];
