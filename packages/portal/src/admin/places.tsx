/** The pages of the Admin Portal: the path of each, and who sees a link to it. */
import type { ComponentType } from 'react';
import type { Rights } from '../api/rights.ts';
import type { IconName } from '../kit/icons.tsx';
import { lazyPage } from '../shell/lazy-page.ts';
import type { shellTexts } from '../texts/shell/index.ts';
import { sections } from './configuration/sections.tsx';
import { actNames, isOffered } from './many/acts.ts';

export interface Place {
  /** Below the site. */
  readonly path: string;
  readonly name: keyof typeof shellTexts.en;
  readonly icon: IconName;
  readonly page: ComponentType;
  readonly isFor: (check: Rights) => boolean;
}

const everybody = () => true;

export const places: readonly Place[] = [
  {
    path: '/people',
    name: 'people',
    icon: 'people',
    page: lazyPage('PeoplePage', () => import('./people/people-page.tsx')),
    isFor: everybody,
  },
  {
    path: '/directory',
    name: 'directory',
    icon: 'tree',
    page: lazyPage('DirectoryPage', () => import('./directory/directory-page.tsx')),
    isFor: (check) => check.may('List_LDAP_Children'),
  },
  {
    path: '/many',
    name: 'many',
    icon: 'list',
    page: lazyPage('ManyPage', () => import('./many/many-page.tsx')),
    isFor: (check) => actNames.some((name) => isOffered(name, check)),
  },
  {
    path: '/configuration',
    name: 'configuration',
    icon: 'gear',
    page: lazyPage('ConfigurationPage', () => import('./configuration/configuration-page.tsx')),
    isFor: (check) => sections.some(({ isFor }) => isFor(check)),
  },
  {
    path: '/explorer',
    name: 'explorer',
    icon: 'code',
    page: lazyPage('ExplorerPage', () => import('./explorer/explorer-page.tsx')),
    isFor: everybody,
  },
];
