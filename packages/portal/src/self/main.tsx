import { startSite } from '../shell/site.tsx';
import { PersonPortal } from './person-portal.tsx';

startSite('self', <PersonPortal />);
