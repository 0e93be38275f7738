/** Tokens: apps and devices that show codes. */
import { useState } from 'react';
import type { MenuEntry } from '../../kit/menu.tsx';
import { Badge } from '../../kit/show.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview, OwnToken } from '../own/calls.ts';
import { useShortDate } from '../own/moment.ts';
import { useTokens } from '../own/reading.ts';
import { AddToken, isTokenKind } from './add-token.tsx';
import { FactorCard } from './factor-card.tsx';
import { FactorRow } from './factor-row.tsx';
import { ResyncDialog } from './resync-dialog.tsx';

export function TokensCard({ overview: { parts, types } }: { readonly overview: Overview }) {
  const t = useTexts(factorsTexts);
  const kinds = types.filter(isTokenKind);
  const tokens = useTokens(parts.otp);
  if (!parts.otp) return null;
  return (
    <FactorCard
      title={t('tokens')}
      query={tokens}
      none={t('noTokens')}
      add={kinds.length > 0 ? t('addToken') : undefined}
      row={(token) => <TokenRow key={token.id} token={token} />}
      adding={(slot, close) => <AddToken slot={slot} kinds={kinds} onClose={close} />}
    />
  );
}

function TokenRow({ token }: { readonly token: OwnToken }) {
  const t = useTexts(factorsTexts);
  const [isResyncing, setResyncing] = useState(false);
  const { id, type, enabled } = token;
  const name = useTokenName(token);
  const facts = useTokenFacts(token);
  const resync: MenuEntry = { id: 'resync', name: t('resync'), onAction: () => setResyncing(true) };
  return (
    <>
      <FactorRow
        of={{ factor: 'TOKEN', id }}
        icon={type === 'TOTP' ? 'phone' : 'key'}
        name={name}
        given={token.name}
        state={<Badge tone={enabled ? 'good' : 'bad'}>{t(enabled ? 'works' : 'disabled')}</Badge>}
        facts={facts}
        entries={isTokenKind(type) ? [resync] : []}
        removal={{
          title: t('removeTitle', { name }),
          lost: t('removeLost', { name }),
          act: t('removeToken'),
        }}
      />
      {isResyncing && <ResyncDialog token={token} name={name} onClose={() => setResyncing(false)} />}
    </>
  );
}

function useTokenName({ type, id, model, name }: OwnToken): string {
  const t = useTexts(factorsTexts);
  const kinds = {
    ...{ TOTP: t('app'), HOTP: t('generator'), OCRA: t('questions') },
    ...{ YUBIKEY: 'Yubikey', YUBICLOUD: 'Yubikey' },
  } as const;
  return name ?? `${model ?? kinds[type]} ${id}`;
}

function useTokenFacts({ serial, model, name, expires }: OwnToken): readonly string[] {
  const t = useTexts(factorsTexts);
  const date = useShortDate();
  return [
    ...(name === undefined || model === undefined ? [] : [model]),
    ...(serial === undefined ? [] : [t('serial', { serial })]),
    ...(expires === undefined ? [] : [t('expires', { date: date(expires) })]),
  ];
}
