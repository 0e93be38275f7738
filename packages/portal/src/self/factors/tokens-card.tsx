/** Tokens: apps and devices that show codes. */
import { useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import type { MenuEntry } from '../../kit/menu.tsx';
import { Badge, Card, Empty, Skeleton } from '../../kit/show.tsx';
import { useAction } from '../../shell/action.ts';
import { Failure } from '../../shell/failure.tsx';
import { factorsTexts } from '../../texts/factors/index.ts';
import { useTexts } from '../../texts/text.ts';
import type { Overview, OwnToken } from '../own/calls.ts';
import { useShortDate } from '../own/moment.ts';
import { factorKeys, useOwnDn, useTokens } from '../own/reading.ts';
import { useOwn } from '../own/step-up.tsx';
import { AddToken, isTokenKind } from './add-token.tsx';
import { FactorRow } from './factor-row.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { ResyncDialog } from './resync-dialog.tsx';
import { freeSlot } from './slots.ts';

export function TokensCard({ overview }: { readonly overview: Overview }) {
  const t = useTexts(factorsTexts);
  const { otp: sees } = overview.parts;
  const kinds = overview.types.filter(isTokenKind);
  const { data: tokens, error, refetch } = useTokens(sees);
  const [isAdding, setAdding] = useState(false);
  const slot = freeSlot(tokens ?? []);
  if (!sees) return null;
  const add = kinds.length > 0 && slot !== undefined && (
    <Button icon="plus" size="small" onPress={() => setAdding(true)}>
      {t('addToken')}
    </Button>
  );
  return (
    <Card title={t('tokens')} actions={add}>
      {error && <Failure error={error} onRetry={refetch} />}
      {sees && !tokens && !error && <Skeleton />}
      {tokens?.length === 0 && <Empty>{t('noTokens')}</Empty>}
      {tokens && tokens.length > 0 && (
        <ul className="factor-list">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} />
          ))}
        </ul>
      )}
      {isAdding && slot !== undefined && (
        <AddToken slot={slot} kinds={kinds} onClose={() => setAdding(false)} />
      )}
    </Card>
  );
}

function TokenRow({ token }: { readonly token: OwnToken }) {
  const t = useTexts(factorsTexts);
  const [open, setOpen] = useState<'rename' | 'resync' | 'remove'>();
  const close = () => setOpen(undefined);
  const remove = useRemoval(token, close);
  const name = useTokenName(token);
  const facts = useTokenFacts(token);
  const resync: MenuEntry = { id: 'resync', name: t('resync'), onAction: () => setOpen('resync') };
  const entries: readonly MenuEntry[] = [
    { id: 'rename', name: t('rename'), onAction: () => setOpen('rename') },
    ...(token.type === 'TOTP' || token.type === 'HOTP' ? [resync] : []),
    { id: 'remove', name: t('removeToken'), tone: 'bad', onAction: () => setOpen('remove') },
  ];
  return (
    <>
      <FactorRow
        icon={token.type === 'TOTP' ? 'phone' : 'key'}
        name={name}
        state={<Badge tone={token.enabled ? 'good' : 'bad'}>{t(token.enabled ? 'works' : 'disabled')}</Badge>}
        facts={facts}
        entries={entries}
      />
      {open === 'rename' && (
        <RenameDialog
          of={{ factor: 'TOKEN', id: token.id }}
          called={name}
          name={token.name}
          onClose={close}
        />
      )}
      {open === 'resync' && <ResyncDialog token={token} name={name} onClose={close} />}
      <Confirm
        title={t('removeTitle', { name })}
        lost={[t('removeLost', { name })]}
        act={t('removeToken')}
        isOpen={open === 'remove'}
        isPending={remove.isPending}
        onConfirm={() => remove.mutate()}
        onClose={close}
      />
    </>
  );
}

function useRemoval({ id }: OwnToken, close: () => void) {
  const t = useTexts(factorsTexts);
  const own = useOwn();
  const dn = useOwnDn();
  return useAction({
    run: () => {
      close();
      return own((manager) => manager.SelfDesk.Remove_Factor({ dn, factor: 'TOKEN', id }));
    },
    done: () => t('removed'),
    changes: factorKeys,
  });
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
