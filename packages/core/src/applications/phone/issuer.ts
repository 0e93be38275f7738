/** The issuer in the QR codes of tokens: the name that an app shows for the account. */
import { codeSettings } from '../../authenticators/settings.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { Issuer } from '../../foundation/oath/uri.ts';
import type { Dialect, Names } from '../../table/dialect.ts';
import { read } from '../../table/setting.ts';

export interface IssuerView {
  readonly names: Names;
  readonly dialect: Pick<Dialect, 'issuesAsInstallation'>;
  readonly config: Pick<ServiceConfig, 'relying_party' | 'ws_url'>;
}

/** Returns the issuer by the settings of the user, else by the dialect. */
export function issuerOf(settings: Settings, view: IssuerView): Issuer {
  const set = read(settings, codeSettings.Issuer);
  if (set) return { issuer: set.replaceAll(':', ' '), namesIssuer: true };
  return view.dialect.issuesAsInstallation
    ? { issuer: installationOf(view), namesIssuer: true }
    : { issuer: view.names.theirs('Otp'), namesIssuer: false };
}

/** Returns the name that browsers show, else the host that apps and calling systems know. A colon would end the issuer in a label. */
function installationOf({ config: { relying_party: party, ws_url } }: IssuerView): string {
  return (party?.name ?? party?.id ?? new URL(ws_url).hostname).replaceAll(':', ' ');
}
