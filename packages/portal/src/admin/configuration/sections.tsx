/** The sections of the configuration: the path of each, and who sees it. */
import { type ComponentType, lazy } from 'react';
import type { Rights } from '../../api/rights.ts';
import type { configurationTexts } from '../../texts/configuration/index.ts';

export interface Section {
  readonly path: string;
  readonly name: keyof typeof configurationTexts.en;
  readonly section: ComponentType;
  readonly isFor: (check: Rights) => boolean;
}

const section = <Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType>>) =>
  lazy(async () => ({ default: (await load())[name] }));

const whoMay = (method: string) => (check: Rights) => check.may(method);
/** Shows a section to super administrators only. */
const supers = ({ isSuper }: Rights) => isSuper;

export const sections: readonly Section[] = [
  {
    path: 'status',
    name: 'status',
    section: section('StatusSection', () => import('./status-section.tsx')),
    isFor: whoMay('Server_Status'),
  },
  {
    path: 'events',
    name: 'events',
    section: section('EventsSection', () => import('./events/events-section.tsx')),
    isFor: whoMay('Search_Event_Logs'),
  },
  {
    path: 'settings',
    name: 'settings',
    section: section('SettingsSection', () => import('./settings/settings-section.tsx')),
    isFor: supers,
  },
  {
    path: 'roles',
    name: 'roles',
    section: section('RolesSection', () => import('./roles/roles-section.tsx')),
    isFor: supers,
  },
  {
    path: 'option-sets',
    name: 'optionSets',
    section: section('OptionSetsSection', () => import('./objects-section.tsx')),
    isFor: supers,
  },
  {
    path: 'clients',
    name: 'clients',
    section: section('ClientsSection', () => import('./clients-section.tsx')),
    isFor: whoMay('Get_Config_Objects'),
  },
  {
    path: 'api-keys',
    name: 'apiKeys',
    section: section('KeysSection', () => import('./keys-section.tsx')),
    isFor: supers,
  },
  {
    path: 'domains',
    name: 'domains',
    section: section('DomainsSection', () => import('./objects-section.tsx')),
    isFor: whoMay('Get_Config_Objects'),
  },
  {
    path: 'services',
    name: 'services',
    section: section('ServicesSection', () => import('./services-section.tsx')),
    isFor: whoMay('Get_Config_Objects'),
  },
  {
    path: 'certificates',
    name: 'certificates',
    section: section('CertificatesSection', () => import('./certificates/certificates-section.tsx')),
    isFor: whoMay('List_Certificates'),
  },
  {
    path: 'licence',
    name: 'licence',
    section: section('LicenceSection', () => import('./licence-section.tsx')),
    isFor: whoMay('Get_License_Details'),
  },
  {
    path: 'sessions',
    name: 'sessions',
    section: section('SessionsSection', () => import('./sessions-section.tsx')),
    // To each administrator at least the own ones.
    isFor: () => true,
  },
];
