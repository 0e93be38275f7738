/** The methods that users may call about their own entries. Their rows say so; they run on the service's connection. */
import type { RowView, ServedApplications } from '../../applications/context/call.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { OwnUse } from '../../table/method.ts';
import type { OwnCaller, OwnCalls } from '../../table/own-calls.ts';
import type { Answers, CallingAdministrator } from './answers.ts';
import { MethodTable, type NamedMethod } from './methods.ts';
import { OwnRights } from './own-rights.ts';

export interface OwnView extends RowView {
  readonly applications: ServedApplications & RowView['applications'];
}

export class OwnMethods {
  readonly #view: OwnView;
  readonly #answers: Answers;
  readonly #table: MethodTable;

  constructor(view: OwnView, answers: Answers) {
    this.#view = view;
    this.#answers = answers;
    this.#table = new MethodTable(view.applications, view.names);
  }

  readonly of = (caller: OwnCaller): OwnCalls => ({
    run: async (use, params) => {
      const call = await this.#answers.call(this.#as(caller), caller.transaction);
      return this.#answers.dispatcher.invoke(this.#by(use).ours, params, call);
    },
    answer: (request) => {
      const asking = { ...this.#as(caller), isDryRun: request.isDryRun };
      return this.#answers.reply(request, asking, caller.transaction);
    },
  });

  #by({ does, of }: OwnUse): NamedMethod {
    const found = this.#table.all.find(({ method: { own } }) => own?.does === does && own.of === of);
    if (!found)
      throw new ServiceError('method_not_found', { detail: `There is no method that ${does} ${of}` });
    return found;
  }

  /** Makes the caller of the methods: the user, whom the audit names. */
  #as({ dn, may, typesOf, session }: OwnCaller): CallingAdministrator {
    const { server, config, presets, roles } = this.#view;
    const admits = (ours: string) => {
      const own = this.#table.find(ours)?.method.own;
      return own !== undefined && may(own, applicationOf(ours));
    };
    const rights = new OwnRights({ dn, schema: config.schema, presets, roles, admits, typesOf });
    return { administrator: dn, directory: server.service, rights, session };
  }
}

/** `Otp.TOTP_Register` → `Otp` */
const applicationOf = (ours: string): string | undefined => /^([^.]+)\./.exec(ours)?.[1];
