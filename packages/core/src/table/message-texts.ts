/** The texts that people are told by mail and SMS, as rows: which there are, and what each may have in braces. */

/** The texts of one language, and the variables that each may have. */
export const textVariables = {
  code_sms: ['code', 'minutes', 'user', 'domain', 'client'],
  code_mail_subject: ['code', 'minutes', 'user', 'domain', 'client'],
  code_mail: ['code', 'minutes', 'user', 'domain', 'client'],
  block_mail_subject: ['user', 'domain', 'until'],
  block_mail: ['user', 'domain', 'until'],
  expiry_mail_subject: ['user', 'domain', 'until'],
  expiry_mail: ['user', 'domain', 'until'],
  ask_push_title: ['user', 'domain', 'client'],
  ask_push: ['user', 'domain', 'client'],
  ask_badge_in: ['user', 'domain'],
  ask_badge_out: ['user', 'domain'],
} as const;

export type TextName = keyof typeof textVariables;

/** Something for each of them. */
export const eachText = <T>(make: (name: TextName) => T) => ({
  code_sms: make('code_sms'),
  code_mail_subject: make('code_mail_subject'),
  code_mail: make('code_mail'),
  block_mail_subject: make('block_mail_subject'),
  block_mail: make('block_mail'),
  expiry_mail_subject: make('expiry_mail_subject'),
  expiry_mail: make('expiry_mail'),
  ask_push_title: make('ask_push_title'),
  ask_push: make('ask_push'),
  ask_badge_in: make('ask_badge_in'),
  ask_badge_out: make('ask_badge_out'),
});

export type Texts = Readonly<Record<TextName, string>>;

/** Variables in a text that it cannot have. */
export const unknownVariables = (name: TextName, text: string): readonly string[] =>
  [...text.matchAll(/\{([a-z]+)\}/g)]
    .map(([, variable = '']) => variable)
    .filter((variable) => !(textVariables[name] as readonly string[]).includes(variable));
