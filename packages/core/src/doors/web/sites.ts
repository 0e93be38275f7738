/** The sites of applications, each below a path of its own. */
import type { RowView, ServedApplications } from '../../applications/context/call.ts';
import type { OpenSite, SiteDoors } from '../../table/site.ts';

export interface MountedSite {
  /** The path, with a slash in front. */
  readonly path: string;
  /** The prefix of all paths below the site. */
  readonly below: string;
  /** Whether the Manager's address serves the site as well. */
  readonly isShared: boolean;
  readonly answer: OpenSite['answer'];
}

/** Those that the configuration wants. @throws StartError */
export const sitesOf = (
  applications: readonly ServedApplications[string][],
  view: RowView,
  doors: SiteDoors,
): readonly MountedSite[] =>
  applications.flatMap(({ site }) => {
    const open = site?.open(view, doors);
    if (!site || !open) return [];
    const { isShared = false } = site;
    const path = `/${site.path(view.names)}`;
    return [{ path, below: `${path}/`, isShared, answer: (request) => open.answer(request) }];
  });

export const siteAt = ({ pathname }: URL, sites: readonly MountedSite[]): MountedSite | undefined =>
  sites.find(({ path, below }) => pathname.startsWith(below) || pathname === path);
