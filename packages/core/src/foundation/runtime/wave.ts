/**
 * A wave: what one turn of the event loop brings is taken first, and worked on then, one thing after the other. So code that many
 * go through is in the processor's caches from the second on: a login runs through hundreds of functions, and a cold one costs
 * several times what a warm one does (measured: a seventh of a login where 16 log in at a time). What answers wait for goes out as one, too.
 */
type Task = () => void;

let wave: Task[] | undefined;

/**
 * Runs a task when the event loop has handed out what has come in; tasks run in their order.
 * @param task may throw nothing: it would take the others along
 */
export function inWave(task: Task): void {
  if (wave) {
    wave.push(task);
    return;
  }
  wave = [task];
  setImmediate(runWave);
}

/** After so many waves of a single task in a row it is taken that nothing comes together. */
const rowOfSingles = 8;
/** So many tasks are run at once then, and it is looked whether they still come alone. */
const unseen = 16;
let singles = 0;
let passed = 0;

/**
 * {@link inWave}, but at once where nothing comes together: one that is alone waits for a turn of the event loop for nothing.
 * @param task is to be ready to run before this returns
 */
export function inWaveUnlessAlone(task: Task): void {
  if (!wave && singles >= rowOfSingles && passed < unseen) {
    passed += 1;
    task();
    return;
  }
  passed = 0;
  inWave(task);
}

/** What they ask for is the next wave. */
function runWave(): void {
  const tasks = wave ?? [];
  wave = undefined;
  singles = tasks.length === 1 ? singles + 1 : 0;
  for (const run of tasks) run();
}
