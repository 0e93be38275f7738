/** Where a request is rehearsed: a service of its own, made of engines that change nothing, and what it would have changed. */
import type { RowView } from '../../../applications/context/call.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Limits, type LimitsOptions } from '../../../limits/limits.ts';
import { Outbox } from '../../../messaging/outbox.ts';
import type { OutboxPorts } from '../../../messaging/outbox-ports.ts';
import type { Posted } from '../../../messaging/posted.ts';
import type { Directory, DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Ports } from '../../../ports/ports.ts';
import { draftedPorts } from './drafted-ports.ts';
import { Recorder } from './recorder.ts';
import { TellingDirectory } from './telling-directory.ts';

/** The parts of a service that are others on a stage. */
export interface StagedParts {
  limits(options: LimitsOptions): Limits;
  outbox(ports: OutboxPorts): Outbox;
}

/** Makes a service of engines, and of these parts. */
export type Assemble<View extends RowView> = (ports: Ports, parts: StagedParts) => View;

export interface RehearsalStage {
  readonly view: RowView;
  /** Of whoever calls. */
  readonly directory: Directory;
  readonly recorder: Recorder;
}

/** @param bound the directory of whoever calls, with all its layers */
export async function openStage(
  ports: Ports,
  bound: Directory,
  assemble: Assemble<RowView>,
): Promise<RehearsalStage> {
  const recorder = new Recorder();
  const view = assemble(draftedPorts(ports, bound, recorder), {
    limits: (options) => new UnjudgedLimits(options, recorder),
    outbox: (outboxPorts) => new UnsentOutbox(outboxPorts, recorder),
  });
  const service = new TellingDirectory(view.directory, recorder);
  const server: DirectoryServer = { ...view.server, service };
  const result = await view.server.bind(bound.identity, '');
  if (!result.granted) throw new ServiceError('internal');
  const directory = new TellingDirectory(result.directory, recorder);
  return { view: { ...view, server, directory: service }, directory, recorder };
}

/** Nobody is let in to guess: it would not be counted. */
class UnjudgedLimits extends Limits {
  readonly #recorder: Recorder;

  constructor(options: LimitsOptions, recorder: Recorder) {
    super(options);
    this.#recorder = recorder;
  }

  override async admit(): Promise<never> {
    return this.#recorder.stop();
  }
}

/** What would be sent stays where it is: it is not started. */
class UnsentOutbox extends Outbox {
  readonly #recorder: Recorder;

  constructor(ports: OutboxPorts, recorder: Recorder) {
    super(ports);
    this.#recorder = recorder;
  }

  override wake({ way }: Pick<Posted, 'id' | 'way'>): void {
    this.#recorder.add({ operation: 'send', way });
  }
}
