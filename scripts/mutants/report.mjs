/** What a run has found, beside what `judged.json` says of survivors. */
import { readFileSync } from 'node:fs';
import { keyOf } from './guards.mjs';

/**
 * The survivors that were judged, by source, then by function: `[guard, mutation, verdict, reason]` each.
 * @returns one object for each, as {@link keyOf} takes it, with its verdict and the reason
 */
export function judgments() {
  const byFile = JSON.parse(readFileSync(new URL('judged.json', import.meta.url), 'utf8'));
  return Object.entries(byFile).flatMap(([file, functions]) =>
    Object.entries(functions).flatMap(([within, judged]) =>
      judged.map(([guard, mutation, verdict, because]) => ({
        file,
        within,
        guard,
        mutation,
        verdict,
        because,
      })),
    ),
  );
}

/** @returns the keys of survivors that no test is missing for */
export function explained() {
  return new Set(
    judgments()
      .filter(({ verdict }) => verdict !== 'not yet killed')
      .map(keyOf),
  );
}

/** Prints the table of survivors, and judgments that no survivor has. @returns the exit status: 0 if every survivor is judged */
export function report(results, { files, milliseconds, processorTime }) {
  const judged = new Map(judgments().map((judgment) => [keyOf(judgment), judgment]));
  const survivors = results.filter(({ isKilled }) => !isKilled);
  const rows = survivors.map(({ mutant, reaching }) => {
    const judgment = judged.get(keyOf(mutant));
    judged.delete(keyOf(mutant));
    return { mutant, reaching, judgment };
  });
  const stale = [...judged.values()].filter(({ file }) => files.includes(file));
  print('');
  for (const { mutant, reaching, judgment } of rows) {
    print(`${mutant.file}:${mutant.line}  ${mutant.within}`);
    print(`    ${mutant.guard}  →  ${mutant.mutation}`);
    print(
      `    ${judgment ? `${judgment.verdict}: ${judgment.because}` : 'NOT JUDGED'}${reaching === 0 ? ' (no test reaches it)' : ''}`,
    );
  }
  for (const judgment of stale) print(`judged, but no survivor: ${keyOf(judgment)}`);
  const unjudged = rows.filter(({ judgment }) => !judgment).length;
  print(
    `\n${(milliseconds / 60_000).toFixed(1)} minutes, ${(processorTime / 60).toFixed(1)} minutes of processor time`,
  );
  print(`${results.length - rows.length} killed, ${rows.length} survived (${rows.length - unjudged} judged)`);
  return unjudged === 0 && stale.length === 0 ? 0 : 1;
}

function print(line) {
  process.stdout.write(`${line}\n`);
}
