/** The texts of mails, SMS and push messages, and the variables that each may have in braces. */
export const textVariables = {
  code_sms: ['code', 'minutes', 'user', 'domain', 'client'],
  code_mail_subject: ['code', 'minutes', 'user', 'domain', 'client'],
  code_mail: ['code', 'minutes', 'user', 'domain', 'client'],
  block_mail_subject: ['user', 'domain', 'until'],
  block_mail: ['user', 'domain', 'until'],
  expiry_mail_subject: ['user', 'domain', 'until'],
  expiry_mail: ['user', 'domain', 'until'],
  reset_sms: ['user', 'domain', 'link', 'until', 'comments'],
  reset_mail_subject: ['user', 'domain', 'link', 'until', 'comments'],
  reset_mail: ['user', 'domain', 'link', 'until', 'comments'],
  registration_sms: ['user', 'domain', 'link', 'until', 'comments'],
  registration_mail_subject: ['user', 'domain', 'link', 'until', 'comments'],
  registration_mail: ['user', 'domain', 'link', 'until', 'comments'],
  // `until` is the earlier name of `at`, which texts of installations may have.
  changed_mail_subject: ['user', 'domain', 'at', 'until'],
  changed_mail: ['user', 'domain', 'at', 'until'],
  ask_push_title: ['user', 'domain', 'client'],
  ask_push: ['user', 'domain', 'client'],
  ask_badge_in: ['user', 'domain'],
  ask_badge_out: ['user', 'domain'],
  extern_mail_subject: ['client', 'link', 'until', 'digest'],
  extern_mail: ['client', 'link', 'until', 'digest'],
  certificate_mail_subject: ['listener', 'host', 'subject', 'until'],
  certificate_mail: ['listener', 'host', 'subject', 'until'],
  certificate_renewal_mail: ['listener', 'host', 'subject', 'until'],
} as const;

export type TextName = keyof typeof textVariables;

/** Maps each text name to a value. */
export const eachText = <T>(make: (name: TextName) => T) => ({
  code_sms: make('code_sms'),
  code_mail_subject: make('code_mail_subject'),
  code_mail: make('code_mail'),
  block_mail_subject: make('block_mail_subject'),
  block_mail: make('block_mail'),
  expiry_mail_subject: make('expiry_mail_subject'),
  expiry_mail: make('expiry_mail'),
  reset_sms: make('reset_sms'),
  reset_mail_subject: make('reset_mail_subject'),
  reset_mail: make('reset_mail'),
  registration_sms: make('registration_sms'),
  registration_mail_subject: make('registration_mail_subject'),
  registration_mail: make('registration_mail'),
  changed_mail_subject: make('changed_mail_subject'),
  changed_mail: make('changed_mail'),
  ask_push_title: make('ask_push_title'),
  ask_push: make('ask_push'),
  ask_badge_in: make('ask_badge_in'),
  ask_badge_out: make('ask_badge_out'),
  extern_mail_subject: make('extern_mail_subject'),
  extern_mail: make('extern_mail'),
  certificate_mail_subject: make('certificate_mail_subject'),
  certificate_mail: make('certificate_mail'),
  certificate_renewal_mail: make('certificate_renewal_mail'),
});

export type Texts = Readonly<Record<TextName, string>>;

/** Returns the variables of a text that it may not have. */
export const unknownVariables = (name: TextName, text: string): readonly string[] =>
  [...text.matchAll(/\{([a-z]+)\}/g)]
    .map(([, variable = '']) => variable)
    .filter((variable) => !(textVariables[name] as readonly string[]).includes(variable));
