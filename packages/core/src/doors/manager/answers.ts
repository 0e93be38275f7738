/** Answers the calls of logged-in administrators for every door, and writes refusals as JSON-RPC errors. */
import type { EffectiveRights } from '../../administration/access/effective-rights.ts';
import type { Call, RowView, ServedApplications } from '../../applications/context/call.ts';
import type { ServiceConfig } from '../../config/config.ts';
import { publicRefusal } from '../../events/failure.ts';
import type { ServiceError } from '../../foundation/errors/errors.ts';
import type { Directory } from '../../ports/directory/directory.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { Transaction } from '../../table/method.ts';
import { Dispatcher, type ManagerCall } from './dispatch.ts';
import type { DryRunService } from './dry-run/service.ts';
import { failure, readCalls } from './envelope.ts';
import type { ManagerRequest, ManagerResponse } from './exchange.ts';
import type { AdministratorLogin } from './identity/administrator.ts';
import { MethodTable } from './methods.ts';
import { sessionBegan } from './session/listed-sessions.ts';

/** A login whose calls are to be run. */
export interface CallingAdministrator
  extends Pick<AdministratorLogin, 'administrator' | 'directory' | 'rights'> {
  /** The session of the Admin Portal, or of a user's own page. */
  readonly session?: string | undefined;
  /** Its calls are judged, and change nothing. */
  readonly isDryRun?: boolean | undefined;
}

interface AnswersView extends RowView {
  readonly applications: ServedApplications & RowView['applications'];
  readonly config: ServiceConfig;
  readonly random: Random;
  /** Opens the service of dry runs of a bound administrator. */
  readonly openDryRun: (bound: Directory) => Promise<DryRunService>;
}

export class Answers {
  readonly #view: AnswersView;
  /** The view with empty fields of a call: V8 copies it a hundred times as fast as one that it has to add fields to. */
  readonly #blank: RowView & Pick<Call, 'methods'>;
  readonly dispatcher: Dispatcher;

  /** @param discover what `rpc.discover` answers: a description of all methods (OpenRPC) */
  constructor(view: AnswersView, discover?: () => object) {
    this.#view = view;
    const fields = {
      ...{ administrator: undefined, rights: undefined, transaction: undefined },
      ...{ readsSecret: undefined },
    };
    const table = new MethodTable(view.applications, view.names);
    const blank = {
      ...view,
      ...fields,
      methods: table.all,
      session: undefined,
      sessionBegan: noSession,
      recorder: undefined,
      warnings: undefined,
    };
    this.#blank = blank;
    this.dispatcher = new Dispatcher(view, table, discover);
  }

  /** Runs what the body says; throws nothing. */
  async reply(
    { body, signal }: Pick<ManagerRequest, 'body' | 'signal'>,
    caller: CallingAdministrator,
    transaction: Transaction,
  ): Promise<ManagerResponse> {
    try {
      const items = await readCalls(await body(), this.#view.config.limits);
      const call = await this.call(caller, transaction);
      const answer = await this.dispatcher.answer(items, call, signal);
      const headers = warningHeader(call.warnings);
      return { status: answer === undefined ? 204 : 200, headers, body: answer };
    } catch (error) {
      return this.refuse(error, transaction);
    }
  }

  /** Answers an error, which is recorded. */
  refuse(cause: unknown, { id, client }: Transaction): ManagerResponse {
    return this.refused(publicRefusal(cause, this.#view.log, { transaction: id, client }));
  }

  refused(error: ServiceError): ManagerResponse {
    const { dialect } = this.#view;
    return {
      status: dialect.httpStatus(error),
      headers: error.retryAfter === undefined ? {} : { 'retry-after': String(error.retryAfter) },
      body: failure(error, null, dialect),
    };
  }

  async call(caller: CallingAdministrator, transaction: Transaction): Promise<ManagerCall> {
    if (caller.isDryRun) return this.#dryRunCall(caller, transaction);
    const { administrator, directory, rights, session } = caller;
    const own = { administrator, directory, rights, readsSecret: readsSecretBy(rights) };
    const asked = {
      ...{ transaction, session, recorder: undefined, warnings: [] },
      sessionBegan: beganBy(session, this.#view),
    };
    return Object.assign({ ...this.#blank }, own, asked);
  }

  /** Calls of a batch share a dry run: each is judged by what the ones before it would have done. */
  async #dryRunCall(caller: CallingAdministrator, transaction: Transaction): Promise<ManagerCall> {
    const { view, directory, recorder } = await this.#view.openDryRun(caller.directory);
    const { administrator, session } = caller;
    const rights = caller.rights.among(view.roles);
    const { methods } = this.#blank;
    const readsSecret = readsSecretBy(rights);
    const asked = {
      ...{ transaction, session, recorder, warnings: [] },
      sessionBegan: beganBy(session, this.#view),
    };
    const own = { administrator, directory, rights, readsSecret, ...asked };
    return { ...view, methods, ...own };
  }

  transaction(client: string): Transaction {
    return { id: randomWord(this.#view.random, 8), client };
  }
}

const noSession = async (): Promise<undefined> => undefined;

const beganBy = (session: string | undefined, view: Pick<RowView, 'store'>): Call['sessionBegan'] =>
  session === undefined ? noSession : () => sessionBegan(session, view);

/** Before a method narrows it. */
const readsSecretBy =
  ({ isSuperAdmin }: Pick<EffectiveRights, 'isSuperAdmin'>): Call['readsSecret'] =>
  () =>
    isSuperAdmin;

/** Longest header of warnings, in characters: a batch may have many. */
const longestWarning = 2048;

/** RFC 7234 §5.5; the envelopes of JSON-RPC have no place for it. */
function warningHeader(warnings: readonly string[]): Readonly<Record<string, string>> {
  if (warnings.length === 0) return {};
  const text = warnings.join('; ').replace(/["\\]|[^ -~]/g, ' ');
  return { warning: `299 - "${text.slice(0, longestWarning)}"` };
}
