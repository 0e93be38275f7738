/** A list of codes to be printed. */
import { useState } from 'react';
import { Button } from '../../../../kit/button.tsx';
import { CodeList } from '../../../../kit/code-list.tsx';
import { Confirm } from '../../../../kit/confirm.tsx';
import { Dialog } from '../../../../kit/dialog.tsx';
import { useAction } from '../../../../shell/action.ts';
import { useSession } from '../../../../shell/session.tsx';
import { kitTexts } from '../../../../texts/kit/index.ts';
import { peopleTexts } from '../../../../texts/people/index.ts';
import { useTexts } from '../../../../texts/text.ts';
import { personKey, useMay, usePerson, usePersonRead } from '../person.ts';

const usualSize = 20;

/** Returns whether the administrator may make a list: it is shown once, so reading is needed. */
export const mayMakeList = (may: ReturnType<typeof useMay>): boolean =>
  may('Otp.List_Register', 'Otp.List_Fetch');

export function ListLine() {
  const t = useTexts(peopleTexts);
  const may = useMay();
  const { dn } = usePerson();
  const { manager } = useSession();
  const [asked, setAsked] = useState<'new' | 'end'>();
  const [codes, setCodes] = useState<readonly string[]>();
  const state = usePersonRead('Otp.List_State', () => manager.Otp.List_State({ dn }));
  const close = () => setAsked(undefined);
  const changes = [personKey(dn)];
  const make = useAction({
    run: async () => {
      await manager.Otp.List_Register({ dn, size: usualSize });
      return manager.Otp.List_Fetch({ dn });
    },
    changes,
    after: (made) => {
      setCodes(made);
      close();
    },
  });
  const end = useAction({
    run: () => manager.Otp.List_Unregister({ dn }),
    done: () => t('listRemoved'),
    changes,
    after: close,
  });
  const { size = 0, used = 0 } = state.data ?? {};
  const left = size - used;
  const act = asked === 'end' ? end : make;
  return (
    <div className="line">
      <div className="line-text">
        <strong className="break">{state.data?.name ?? t('list')}</strong>
        <span className="soft">{size === 0 ? t('noList') : t('listState', { left, size })}</span>
      </div>
      {size > 0 && may('Otp.List_Unregister') && (
        <Button size="small" variant="quiet" onPress={() => setAsked('end')}>
          {t('removeList')}
        </Button>
      )}
      {mayMakeList(may) && (
        <Button
          size="small"
          isPending={make.isPending}
          onPress={() => (left > 0 ? setAsked('new') : make.mutate())}
        >
          {t('makeList')}
        </Button>
      )}
      <Confirm
        title={t(asked === 'end' ? 'removeListTitle' : 'newListTitle')}
        lost={[t('lostList', { count: left })]}
        act={t(asked === 'end' ? 'removeList' : 'makeList')}
        isOpen={asked !== undefined}
        isPending={act.isPending}
        onConfirm={() => act.mutate()}
        onClose={close}
      />
      <CodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </div>
  );
}

function CodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[] | undefined;
  readonly onClose: () => void;
}) {
  const t = useTexts(peopleTexts);
  const kit = useTexts(kitTexts);
  const { name } = usePerson();
  return (
    <Dialog
      title={t('listMade', { count: codes?.length ?? 0 })}
      isOpen={codes !== undefined}
      onClose={onClose}
    >
      <div className="printed">
        <p>
          <strong>{name}</strong>
        </p>
        <p className="soft">{t('printMore')}</p>
        <CodeList codes={codes ?? []} />
      </div>
      <div className="form-actions">
        <Button onPress={onClose}>{kit('close')}</Button>
        <Button variant="primary" onPress={() => print()}>
          {t('print')}
        </Button>
      </div>
    </Dialog>
  );
}
