/**
 * Tick batches: tasks that arrive in one tick of the event loop run together at its end, which keeps the processor's caches warm
 * (docs/decisions/0034-work-of-one-tick-is-a-batch.md).
 */
type Task = () => void;

let batch: Task[] | undefined;

/**
 * Runs a task with the batch of this tick, in the order of the calls. A task that is added while a batch runs joins the next one.
 * @param task must not throw: the later tasks of the batch would not run
 */
export function inTickBatch(task: Task): void {
  if (batch) {
    batch.push(task);
    return;
  }
  batch = [task];
  setImmediate(runBatch);
}

/** Consecutive batches of one task after which tasks are taken to arrive alone. */
const loneBatches = 8;
/** Tasks that then run at once, before a batch checks again. */
const unbatchedTasks = 16;
let singles = 0;
let unbatched = 0;

/**
 * Runs a task as {@link inTickBatch} does, but at once while tasks arrive alone: a batch of one only adds a delay.
 * @param task must be ready to run before this function returns
 */
export function inTickBatchUnlessAlone(task: Task): void {
  if (!batch && singles >= loneBatches && unbatched < unbatchedTasks) {
    unbatched += 1;
    task();
    return;
  }
  unbatched = 0;
  inTickBatch(task);
}

function runBatch(): void {
  const tasks = batch ?? [];
  batch = undefined;
  singles = tasks.length === 1 ? singles + 1 : 0;
  for (const run of tasks) run();
}
