/** The sites of applications, each below a path of its own. */
import type { RowView, ServedApplications } from '../calls/call.ts';
import type { OpenSite } from '../table/site.ts';

export interface MountedSite {
  readonly path: string;
  readonly answer: OpenSite['answer'];
}

/** Those that the configuration wants. @param operations of the web services, in process @throws StartError */
export const sitesOf = (
  applications: readonly ServedApplications[string][],
  view: RowView,
  operations: object,
): readonly MountedSite[] =>
  applications.flatMap(({ site }) => {
    const open = site?.open(view, { ...operations });
    return site && open ? [{ path: site.path, answer: (request) => open.answer(request) }] : [];
  });

export const siteAt = ({ pathname }: URL, sites: readonly MountedSite[]): MountedSite | undefined =>
  sites.find(({ path }) => pathname === `/${path}` || pathname.startsWith(`/${path}/`));
