/** Texts of the OpenID Connect login pages, in all languages. */
import { type InLanguage, inLanguage } from '../../../messaging/texts/texts.ts';

export interface LoginWords {
  readonly logIn: string;
  readonly name: string;
  readonly password: string;
  readonly device: string;
  readonly wantsScript: string;
  /** The text with `{application}`, the name of the application. */
  readonly goesTo: string;
  readonly wrong: string;
  readonly over: string;
  readonly unavailable: string;
  readonly locked: string;
  readonly logOut: string;
  readonly reallyLogOut: string;
  readonly stay: string;
  readonly loggedOut: string;
  readonly notPossible: string;
  readonly mayClose: string;
}

const words: Readonly<Record<'en' | 'de' | 'fr' | 'es', LoginWords>> = {
  en: {
    logIn: 'Log in',
    name: 'Name',
    password: 'Password',
    device: 'Use a security key or passkey',
    wantsScript: 'A security key or passkey works only with JavaScript.',
    goesTo: 'You log in to {application}.',
    wrong: 'The name, the password or the code was not right.',
    over: 'That took too long. Please begin again.',
    unavailable: 'The server cannot let you log in now. Please try again later.',
    locked: 'This is not open to you. Ask your administrator.',
    logOut: 'Log out',
    reallyLogOut: 'Do you want to log out of all applications?',
    stay: 'Stay logged in',
    loggedOut: 'You have logged out.',
    notPossible: 'Not possible',
    mayClose: 'You can close this page.',
  },
  de: {
    logIn: 'Anmelden',
    name: 'Name',
    password: 'Passwort',
    device: 'Sicherheitsschlüssel oder Passkey verwenden',
    wantsScript: 'Ein Sicherheitsschlüssel oder Passkey funktioniert nur mit JavaScript.',
    goesTo: 'Sie melden sich bei {application} an.',
    wrong: 'Der Name, das Passwort oder der Code war nicht richtig.',
    over: 'Das hat zu lange gedauert. Bitte beginnen Sie noch einmal.',
    unavailable: 'Der Server kann Sie gerade nicht anmelden. Bitte versuchen Sie es später noch einmal.',
    locked: 'Das ist für Sie nicht freigegeben. Fragen Sie Ihren Administrator.',
    logOut: 'Abmelden',
    reallyLogOut: 'Möchten Sie sich bei allen Anwendungen abmelden?',
    stay: 'Angemeldet bleiben',
    loggedOut: 'Sie haben sich abgemeldet.',
    notPossible: 'Nicht möglich',
    mayClose: 'Sie können diese Seite schließen.',
  },
  fr: {
    logIn: 'Se connecter',
    name: 'Nom',
    password: 'Mot de passe',
    device: 'Utiliser une clé de sécurité ou un passkey',
    wantsScript: 'Une clé de sécurité ou un passkey ne fonctionne qu’avec JavaScript.',
    goesTo: 'Vous vous connectez à {application}.',
    wrong: 'Le nom, le mot de passe ou le code n’était pas juste.',
    over: 'Cela a duré trop longtemps. Veuillez recommencer.',
    unavailable: 'Le serveur ne peut pas vous connecter pour le moment. Veuillez réessayer plus tard.',
    locked: 'Cela ne vous est pas ouvert. Demandez à votre administrateur.',
    logOut: 'Se déconnecter',
    reallyLogOut: 'Voulez-vous vous déconnecter de toutes les applications ?',
    stay: 'Rester connecté',
    loggedOut: 'Vous êtes déconnecté.',
    notPossible: 'Impossible',
    mayClose: 'Vous pouvez fermer cette page.',
  },
  es: {
    logIn: 'Iniciar sesión',
    name: 'Nombre',
    password: 'Contraseña',
    device: 'Usar una llave de seguridad o passkey',
    wantsScript: 'Una llave de seguridad o passkey solo funciona con JavaScript.',
    goesTo: 'Va a iniciar sesión en {application}.',
    wrong: 'El nombre, la contraseña o el código no era correcto.',
    over: 'Ha tardado demasiado. Vuelva a empezar.',
    unavailable: 'El servidor no puede iniciar su sesión ahora. Inténtelo de nuevo más tarde.',
    locked: 'Esto no está abierto para usted. Pregunte a su administrador.',
    logOut: 'Cerrar sesión',
    reallyLogOut: '¿Quiere cerrar la sesión en todas las aplicaciones?',
    stay: 'Seguir con la sesión',
    loggedOut: 'Ha cerrado la sesión.',
    notPossible: 'No es posible',
    mayClose: 'Puede cerrar esta página.',
  },
};

/** @param preferred as `Accept-Language` has it; those of `ui_locales` too */
export const wordsFor = (preferred: string, otherwise: string): InLanguage<LoginWords> =>
  inLanguage(words, { preferred, otherwise });

/** `de en` of OpenID Connect, as browsers write it. */
export const asAcceptLanguage = (locales: string): string => locales.trim().split(/ +/).join(',');
