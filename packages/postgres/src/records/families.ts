/** Many values of one family at once. */
import type { Statement } from '../connection/text-query.ts';
import type { Steps } from '../steps/steps.ts';

export interface FamilyRow {
  readonly subject: string;
  readonly value: Buffer;
}

const some: Statement<FamilyRow> = {
  name: 'values',
  text: `SELECT subject, value FROM watchword.kept
    WHERE family = $1 AND lasting AND subject = ANY ($2::text[]) AND ends > watchword.clock($3)`,
};
const page: Statement<FamilyRow> = {
  name: 'family',
  text: `SELECT subject, value FROM watchword.kept
    WHERE family = $1 AND lasting = $2 AND subject > $3 AND ends > watchword.clock($4) ORDER BY subject LIMIT $5`,
};

/** Those of these subjects that are there, in no order. */
export const valuesOf = async (
  steps: Steps,
  family: string,
  subjects: readonly string[],
): Promise<readonly FamilyRow[]> =>
  subjects.length === 0 ? [] : steps.database.read(some, [family, [...subjects], steps.moment]);

export interface FamilyName {
  readonly name: string;
  readonly lasting: boolean;
  /** Values of a page. */
  readonly most?: number | undefined;
}

/** All of a family, by their subjects. A page is all that is held: who goes through it may take as long as they like. */
export async function* pagesOf(
  steps: Steps,
  { name, lasting, most = 100 }: FamilyName,
): AsyncGenerator<readonly FamilyRow[]> {
  for (let after = ''; ; ) {
    const from = [name, lasting, after, steps.moment, most];
    const rows = await steps.database.patience.aside(() => steps.database.read(page, from));
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last.subject;
  }
}
