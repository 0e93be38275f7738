/** Preferences that the browser stores: the language, and light or dark. */
import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react';
import { I18nProvider } from 'react-aria-components/I18nProvider';
import { bestLanguage, isLanguage, type Language, LanguageContext } from '../texts/language.ts';

export type Theme = 'system' | 'light' | 'dark';

interface Preferences {
  readonly theme: Theme;
  setTheme(theme: Theme): void;
  setLanguage(language: Language): void;
}

const PreferencesContext = createContext<Preferences>({
  theme: 'system',
  setTheme: () => {},
  setLanguage: () => {},
});

export const usePreferences = (): Preferences => useContext(PreferencesContext);

const locales: Readonly<Record<Language, string>> = { en: 'en-US', fr: 'fr-FR', de: 'de-DE', es: 'es-ES' };

export function PreferencesProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguageNow] = useState<Language>(rememberedLanguage);
  const [theme, setThemeNow] = useState<Theme>(rememberedTheme);
  useEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  useEffect(() => {
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  // In a transition: the page stays as it is until the texts are there.
  const setLanguage = useCallback((chosen: Language) => {
    remember('language', chosen);
    startTransition(() => setLanguageNow(chosen));
  }, []);
  const setTheme = useCallback((chosen: Theme) => {
    remember('theme', chosen);
    setThemeNow(chosen);
  }, []);
  const preferences = useMemo(() => ({ theme, setTheme, setLanguage }), [theme, setTheme, setLanguage]);
  return (
    <PreferencesContext value={preferences}>
      <LanguageContext value={language}>
        <I18nProvider locale={locales[language]}>{children}</I18nProvider>
      </LanguageContext>
    </PreferencesContext>
  );
}

function rememberedLanguage(): Language {
  const chosen = remembered('language') ?? '';
  return isLanguage(chosen) ? chosen : bestLanguage(navigator.languages);
}

function rememberedTheme(): Theme {
  const chosen = remembered('theme');
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Returns a stored preference; null if the browser stores nothing. */
function remembered(name: string): string | null {
  try {
    return localStorage.getItem(`watchword.${name}`);
  } catch {
    return null;
  }
}

function remember(name: string, value: string): void {
  try {
    localStorage.setItem(`watchword.${name}`, value);
  } catch {
    // Nothing depends on it.
  }
}
