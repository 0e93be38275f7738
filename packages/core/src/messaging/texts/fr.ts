import type { Texts } from '../../table/message-texts.ts';

/** French. */
export const fr: Texts = {
  code_sms: 'Votre code de connexion est {code}. Il est valable {minutes} min.',
  code_mail_subject: 'Votre code de connexion',
  code_mail: `Bonjour {user},

Votre code de connexion est {code}. Il est valable {minutes} min, et seulement pour la connexion que vous venez de commencer.

Si vous n’avez pas commencé de connexion, une autre personne connaît votre mot de passe ou votre nom. Prévenez votre administrateur.
`,
  block_mail_subject: 'Votre compte est bloqué',
  block_mail: `Bonjour {user},

Trop de connexions ont échoué. Jusqu’au {until} (UTC), votre compte est bloqué pour les connexions depuis des lieux inconnus.

Si ce n’était pas vous, prévenez votre administrateur.
`,
  expiry_mail_subject: 'Votre jeton expire bientôt',
  expiry_mail: `Bonjour {user},

Le jeton avec lequel vous vous connectez expire le {until} (UTC). Il ne permettra plus de vous connecter ensuite.

Demandez-en un nouveau à votre administrateur avant cette date.
`,
  reset_sms: 'Choisissez un nouveau mot de passe avant {until} (UTC) : {link}',
  reset_mail_subject: 'Choisissez un nouveau mot de passe',
  reset_mail: `Bonjour {user},

{comments}Ce lien vous permet de choisir un nouveau mot de passe. Il est valable une fois, jusqu’au {until} (UTC) :

{link}

Si vous ne l’avez pas demandé, ne faites rien : votre mot de passe reste le même.
`,
  registration_sms: 'Enregistrez votre second facteur avant {until} (UTC) : {link}',
  registration_mail_subject: 'Enregistrez votre second facteur',
  registration_mail: `Bonjour {user},

{comments}Ce lien vous permet d’enregistrer votre second facteur. Il est valable une fois, jusqu’au {until} (UTC) :

{link}

Ne communiquez ce lien à personne.
`,
  changed_mail_subject: 'Votre mot de passe a été changé',
  changed_mail: `Bonjour {user},

Votre mot de passe a été changé le {at} (UTC), avec un lien qui vous a été envoyé.

Si ce n’était pas vous, prévenez immédiatement votre administrateur.
`,
  ask_push_title: 'Confirmation demandée',
  ask_push: '{client} vous demande une confirmation. Ouvrez l’application pour voir de quoi il s’agit.',
  ask_badge_in: 'Confirmez-vous le pointage d’arrivée ?',
  ask_badge_out: 'Confirmez-vous le pointage de départ ?',
  extern_mail_subject: '{client} vous demande une réponse',
  extern_mail: `{client} vous demande de consulter un fichier et de l’accepter ou de le refuser, avant le {until} (UTC) :

{link}

Le fichier a l’empreinte SHA-256 {digest}. Toute personne qui a le lien peut répondre à votre place : ne le communiquez à personne.

Si vous ne vous y attendez pas, ne faites rien.
`,
  certificate_mail_subject: 'Un certificat de {host} expire bientôt',
  certificate_mail: `Le certificat du service {listener} sur {host} expire le {until} (UTC). Ensuite, les clients refuseront de se connecter.

Certificat : {subject}

Remplacez les fichiers que nomment certificate et key de {listener}. Le serveur les prend en compte en 10 secondes.
`,
  certificate_renewal_mail: `Le certificat du service {listener} sur {host} expire le {until} (UTC), et le serveur n’a pas pu le renouveler. Ensuite, les clients refuseront de se connecter.

Certificat : {subject}

Le journal du serveur indique la cause et le remède.
`,
};
