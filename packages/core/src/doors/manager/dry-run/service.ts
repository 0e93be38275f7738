/** The service of a dry run, of engines that change nothing, and the changes that it would have made. */
import type { RowView } from '../../../applications/context/call.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { Limits, type LimitsOptions } from '../../../limits/limits.ts';
import { Outbox } from '../../../messaging/outbox.ts';
import type { OutboxPorts } from '../../../messaging/outbox-ports.ts';
import type { PreparedMessage } from '../../../messaging/prepared-message.ts';
import type { Directory, DirectoryServer } from '../../../ports/directory/directory.ts';
import type { Ports } from '../../../ports/ports.ts';
import { dryRunPorts } from './ports.ts';
import { Recorder } from './recorder.ts';
import { RecordingDirectory } from './recording-directory.ts';

/** The parts of a service that differ in a dry run. */
export interface DryRunParts {
  limits(options: LimitsOptions): Limits;
  outbox(ports: OutboxPorts): Outbox;
}

/** Makes a service of engines, and of these parts. */
export type AssembleService<View extends RowView> = (ports: Ports, parts: DryRunParts) => View;

export interface DryRunService {
  readonly view: RowView;
  /** The caller's directory. */
  readonly directory: Directory;
  readonly recorder: Recorder;
}

/** @param bound the caller's directory, with all its layers */
export async function openDryRun(
  ports: Ports,
  bound: Directory,
  assemble: AssembleService<RowView>,
): Promise<DryRunService> {
  const recorder = new Recorder();
  const view = assemble(dryRunPorts(ports, bound, recorder), {
    limits: (options) => new UnjudgedLimits(options, recorder),
    outbox: (outboxPorts) => new UnsentOutbox(outboxPorts, recorder),
  });
  const service = new RecordingDirectory(view.directory, recorder);
  const server: DirectoryServer = { ...view.server, service };
  const result = await view.server.bind(bound.identity, '');
  if (!result.granted) throw new ServiceError('internal');
  const directory = new RecordingDirectory(result.directory, recorder);
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

/** An outbox that is not started: messages stay in it. */
class UnsentOutbox extends Outbox {
  readonly #recorder: Recorder;

  constructor(ports: OutboxPorts, recorder: Recorder) {
    super(ports);
    this.#recorder = recorder;
  }

  override wake({ channel }: Pick<PreparedMessage, 'id' | 'channel'>): void {
    this.#recorder.add({ operation: 'send', way: channel });
  }
}
