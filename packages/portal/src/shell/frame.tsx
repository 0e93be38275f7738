/** The frame of every page: the head, the navigation, and the start of the content. */
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { Button, IconButton } from '../kit/button.tsx';
import { Icon, type IconName } from '../kit/icons.tsx';
import { Menu } from '../kit/menu.tsx';
import { Skeleton } from '../kit/show.tsx';
import icon from '../styles/icon.svg';
import { type Language, languages, useLanguage } from '../texts/language.ts';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';
import { ErrorBoundary } from './failure.tsx';
import { type Theme, usePreferences } from './preferences.tsx';
import { useSession } from './session.tsx';

export interface Way {
  /** Below the site: `/people`. */
  readonly path: string;
  readonly name: string;
  readonly icon: IconName;
}

export interface FrameProps {
  readonly title: string;
  readonly ways: readonly Way[];
  readonly children: ReactNode;
}

export function Frame({ title, ways, children }: FrameProps) {
  const t = useTexts(shellTexts);
  const main = useRef<HTMLElement>(null);
  const [place] = useLocation();
  useTitle(ways.find(({ path }) => isWithin(place, path))?.name, title);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <header className="head">
        <Link className="brand" href="/">
          <img src={icon} alt="" />
          <span className="brand-name">Watchword</span>
          <span className="brand-name soft">{title}</span>
        </Link>
        <div className="head-tools">
          <LanguageMenu />
          <ThemeMenu />
          <AccountMenu />
        </div>
      </header>
      <nav className="side" aria-label={t('navigation')}>
        <ul className="nav">
          {ways.map(({ path, name, icon: sign }) => (
            <li key={path}>
              <Link href={path} {...(isWithin(place, path) && { 'aria-current': 'page' as const })}>
                <Icon name={sign} />
                {name}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className="main" id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={place}>
          <Suspense fallback={<Skeleton />}>{children}</Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

const isWithin = (place: string, path: string): boolean => place === path || place.startsWith(`${path}/`);

function useTitle(page: string | undefined, title: string): void {
  useEffect(() => {
    document.title = [page, title, 'Watchword'].filter(Boolean).join(' · ');
  }, [page, title]);
}

export function LanguageMenu() {
  const t = useTexts(shellTexts);
  const now = useLanguage();
  const { setLanguage } = usePreferences();
  const entries = (Object.keys(languages) as Language[]).map((id) => ({
    id,
    name: languages[id],
    isSelected: id === now,
    onAction: () => setLanguage(id),
  }));
  return (
    <Menu label={t('language')} entries={entries}>
      <IconButton icon="globe" label={`${t('language')}: ${languages[now]}`} />
    </Menu>
  );
}

const signs: Readonly<Record<Theme, IconName>> = { system: 'contrast', light: 'sun', dark: 'moon' };

export function ThemeMenu() {
  const t = useTexts(shellTexts);
  const { theme, setTheme } = usePreferences();
  const names = { system: t('themeSystem'), light: t('themeLight'), dark: t('themeDark') };
  const entries = (['system', 'light', 'dark'] as const).map((id) => ({
    id,
    name: names[id],
    isSelected: id === theme,
    onAction: () => setTheme(id),
  }));
  return (
    <Menu label={t('theme')} entries={entries}>
      <IconButton icon={signs[theme]} label={`${t('theme')}: ${names[theme]}`} />
    </Menu>
  );
}

function AccountMenu() {
  const t = useTexts(shellTexts);
  const { signedIn, leave } = useSession();
  const name = signedIn.name ?? signedIn.administrator;
  return (
    <Menu
      label={t('account', { name })}
      entries={[{ id: 'leave', name: t('signOut'), onAction: () => void leave() }]}
    >
      <Button variant="quiet" icon="people" aria-label={t('account', { name })}>
        <span className="head-name">{name}</span>
      </Button>
    </Menu>
  );
}
