/** Which tests reach a guard, and whether one of them fails without it. */
import { keyOf } from './guards.mjs';

/** What a file may take beside what it took when it was surveyed. */
const leastPatience = 5_000;
const slack = 20_000;
/** What a mutant gets whose survival is explained already; any other is tried with all tests that reach it. */
const enoughOfJudged = 10_000;
/** Of a test that was never run with a mutant. */
const surveyPatience = 120_000;

/**
 * Runs each test file once without a mutant.
 * @returns the test files with their tests, in order, and the guards that each one reaches
 * @throws Error where a test fails
 */
export async function surveyed(files, lanes) {
  const tests = [];
  await share(files, lanes, async (file, lane) => {
    const answer = await lane.run(
      { mutant: 0, file, records: true, patience: surveyPatience },
      4 * surveyPatience,
    );
    if (!answer) throw new Error(`${file} ${lane.fault} without a mutant`);
    if (answer.failure)
      throw new Error(`${file} fails without a mutant: ${answer.failure.test}: ${answer.failure.message}`);
    tests.push({ file, milliseconds: answer.milliseconds, tests: ofFile(answer.reached) });
  });
  return tests;
}

function ofFile(reached) {
  return {
    named: reached.filter(({ test }) => test !== '').map((one) => ({ ...one, ids: new Set(one.ids) })),
    /** Before and between the tests: in hooks, and while the file is loaded. */
    around: new Set(reached.filter(({ test }) => test === '').flatMap(({ ids }) => ids)),
  };
}

export class Trial {
  #tests;
  /** Test files of which a part does not pass alone. */
  #indivisible = new Set();
  /** Test files by source. */
  #listed;
  /** Keys of survivors that are explained. */
  #explained;
  /** How many mutants of a source a test file has killed. */
  #kills = new Map();

  constructor(tests, listed, explained) {
    this.#tests = tests;
    this.#listed = listed;
    this.#explained = explained;
  }

  /** @returns each mutant with its outcome: killed by a test or by time, or not; and how many test files have reached it */
  async all(mutants, lanes, note) {
    const results = [];
    const done = (mutant, outcome) => {
      results.push({ mutant, ...outcome });
      note(mutant, outcome);
    };
    await share(batches(mutants), lanes, async (batch, lane) => {
      const killed = await this.#tried(batch, lane, done);
      if (await this.#areClean(killed, lane)) {
        for (const { mutant, ...outcome } of killed) done(mutant, outcome);
        return;
      }
      for (const { mutant } of killed) done(mutant, await this.#aloneOutcome(mutant, lane));
    });
    return results.toSorted((a, b) => a.mutant.id - b.mutant.id);
  }

  /**
   * Tries mutants one after the other, and tells `done` those that survived or hung.
   * @returns those that were killed in the process that the lane has now, which was not looked after yet
   */
  async #tried(batch, lane, done) {
    const killed = [];
    for (const mutant of batch) {
      const outcome = await this.#outcome(mutant, lane);
      if (!outcome.isKilled) done(mutant, outcome);
      else if (outcome.by.test !== 'no end') killed.push({ mutant, ...outcome });
      else {
        done(mutant, outcome);
        // The process that has killed those before has ended with this one.
        const again = killed.splice(0).map((one) => one.mutant);
        killed.push(...(await this.#tried(again, lane, done)));
      }
    }
    return killed;
  }

  /** Judges a mutant in a process of its own, and with whole test files where a part of one does not pass alone. */
  async #aloneOutcome(mutant, lane) {
    await lane.stop();
    const outcome = await this.#outcome(mutant, lane);
    if (!outcome.isKilled || outcome.by.test === 'no end') return outcome;
    await lane.stop();
    if (await this.#areClean([outcome], lane)) return outcome;
    const { test } = outcome.run;
    if (this.#indivisible.has(test)) throw new Error(`${test} fails without a mutant: ${outcome.by.message}`);
    this.#indivisible.add(test);
    return this.#aloneOutcome(mutant, lane);
  }

  /** @returns what the tests say; a kill counts only when the same tests have passed without the mutant right after */
  async #outcome(mutant, lane) {
    const runs = this.#runsFor(mutant);
    const began = performance.now();
    for (const run of runs) {
      const by = await this.#failure(mutant, run, lane);
      const reached = { reaching: runs.length, milliseconds: performance.now() - began };
      if (!by) continue;
      const pair = `${mutant.file} ${run.test}`;
      this.#kills.set(pair, (this.#kills.get(pair) ?? 0) + 1);
      return { isKilled: true, by, run, ...reached };
    }
    return { isKilled: false, reaching: runs.length, milliseconds: performance.now() - began };
  }

  async #failure(mutant, run, lane) {
    const answer = await lane.run(this.#job(mutant.id, run), this.#within(run));
    if (!answer) return { file: run.test, test: 'no end' };
    return answer.failure && { file: run.test, ...answer.failure };
  }

  /** The source's own test file first, then those that have killed most mutants of this source for the time that they take. */
  #runsFor(mutant) {
    const { id, file } = mutant;
    const runs = [];
    for (const { file: test, milliseconds, tests } of this.#tests) {
      if (!this.#listed.get(file)?.has(test)) continue;
      const isAround = tests.around.has(id);
      const reaching = tests.named.filter(({ ids }) => ids.has(id));
      if (!isAround && reaching.length === 0) continue;
      const only = isAround ? undefined : reaching.map((one) => one.test);
      const cost = isAround ? milliseconds : sum(reaching.map((one) => one.milliseconds));
      runs.push({ test, only, cost, milliseconds });
    }
    const rank = ({ test, cost }) => ((this.#kills.get(`${file} ${test}`) ?? 0) + 0.2) / (cost + 100);
    const isOwn = ({ test }) => Number(test === file.replace(/\.ts$/, '.test.ts'));
    const ordered = runs.toSorted((a, b) => isOwn(b) - isOwn(a) || rank(b) - rank(a));
    if (!this.#explained.has(keyOf(mutant))) return ordered;
    let cost = 0;
    return ordered.filter((run, index) => {
      cost += run.cost;
      return index === 0 || cost <= enoughOfJudged;
    });
  }

  /**
   * Runs the tests that have failed with these mutants once more, without any: a mutant may have left something in the process that
   * makes the next tests fail.
   */
  async #areClean(killed, lane) {
    const tests = new Map();
    for (const { run, by } of killed) {
      const { only } = tests.get(run.test) ?? { only: new Set() };
      tests.set(run.test, { run, only: only.add(by.test) });
    }
    for (const { run, only } of tests.values()) {
      const isPart =
        !this.#indivisible.has(run.test) && run.only && [...only].every((name) => run.only.includes(name));
      const again = await lane.run(
        this.#job(0, isPart ? { ...run, only: [...only] } : { ...run, only: undefined }),
        this.#within(run),
      );
      if (!again || again.failure) return false;
    }
    return true;
  }

  #job(mutant, { test, only, milliseconds }) {
    const patience = leastPatience + 2 * milliseconds;
    return { mutant, file: test, only: this.#indivisible.has(test) ? undefined : only, patience };
  }

  #within({ milliseconds }) {
    return slack + 5 * milliseconds;
  }
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0);

/** Mutants of one source, as many as are judged before the process is looked after. */
function batches(mutants, most = 16) {
  const made = [];
  for (const mutant of mutants) {
    const last = made.at(-1);
    if (last && last.length < most && last[0].file === mutant.file) last.push(mutant);
    else made.push([mutant]);
  }
  return made;
}

/** Each lane takes the next one when it is done with the last one. */
async function share(all, lanes, run) {
  const queue = all.values();
  await Promise.all(
    lanes.map(async (lane) => {
      for (const one of queue) await run(one, lane);
    }),
  );
}
