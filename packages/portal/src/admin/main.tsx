import { startSite } from '../shell/site.tsx';
import { AdminPortal } from './portal.tsx';

startSite('admin', <AdminPortal />);
