/** The licence: users permitted and activated, and its end. */
import { useQuery } from '@tanstack/react-query';
import { Card, Facts } from '../../kit/show.tsx';
import { Read } from '../../shell/read.tsx';
import { useSession } from '../../shell/session.tsx';
import { configurationTexts } from '../../texts/configuration/index.ts';
import { useTexts } from '../../texts/text.ts';

export function LicenceSection() {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const licence = useQuery({
    queryKey: ['Get_License_Details'],
    queryFn: () => manager.Get_License_Details({}),
  });
  return (
    <Card title={t('licence')}>
      <Read query={licence}>
        {({ products, ...facts }) => (
          <>
            <Facts facts={linesOf(facts)} />
            {linesOf(products).length > 0 && (
              <div className="stack-tight">
                <h3>{t('products')}</h3>
                <Facts facts={linesOf(products)} />
              </div>
            )}
          </>
        )}
      </Read>
    </Card>
  );
}

/** Returns the facts of a licence under its own words, without empty ones. */
function linesOf(facts: unknown): readonly (readonly [name: string, value: string])[] {
  if (typeof facts !== 'object' || facts === null) return [];
  return Object.entries(facts).flatMap(([name, value]) => {
    const text = textOf(value);
    return text === '' ? [] : [[name, text] as const];
  });
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object' && value !== null)
    return linesOf(value)
      .map((line) => line.join(': '))
      .join('; ');
  return String(value ?? '');
}
