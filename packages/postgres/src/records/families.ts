/** Reads of several values of a family. */
import type { Statement } from '../connection/text-query.ts';
import type { Steps } from '../steps/steps.ts';

export interface FamilyRow {
  readonly subject: string;
  readonly value: Buffer;
}

const bySubject: Statement<FamilyRow> = {
  name: 'values',
  text: `SELECT subject, value FROM watchword.kept
    WHERE family = $1 AND lasting AND subject = ANY ($2::text[]) AND ends > watchword.clock($3)`,
};
const page: Statement<FamilyRow> = {
  name: 'family',
  text: `SELECT subject, value FROM watchword.kept
    WHERE family = $1 AND lasting = $2 AND subject > $3 AND ends > watchword.clock($4) ORDER BY subject LIMIT $5`,
};

/** Reads the values of these subjects, in no order; missing ones are left out. */
export const valuesOf = async (
  steps: Steps,
  family: string,
  subjects: readonly string[],
): Promise<readonly FamilyRow[]> =>
  subjects.length === 0 ? [] : steps.database.read(bySubject, [family, [...subjects], steps.moment]);

export interface FamilyName {
  readonly name: string;
  readonly lasting: boolean;
  /** Values of a page. */
  readonly most?: number | undefined;
}

/** Reads a family in pages, in the order of subjects. No cursor is open between two pages. */
export async function* pagesOf(
  steps: Steps,
  { name, lasting, most = 100 }: FamilyName,
): AsyncGenerator<readonly FamilyRow[]> {
  for (let after = ''; ; ) {
    const range = [name, lasting, after, steps.moment, most];
    const rows = await steps.database.patience.detached(() => steps.database.read(page, range));
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.subject;
  }
}
