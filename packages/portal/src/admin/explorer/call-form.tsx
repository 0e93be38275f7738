/** The form that calls a method. A mutating method is called as a dry run first, if the server supports it. */
import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Confirm } from '../../kit/confirm.tsx';
import { Checkbox } from '../../kit/field.tsx';
import { Card } from '../../kit/show.tsx';
import { useSession } from '../../shell/session.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';
import { Answer, type Answered } from './answer.tsx';
import { callByName, isMutating, type MethodDescription } from './open-rpc.ts';
import { ParameterField } from './parameter-field.tsx';
import { type CollectedCalls, Samples } from './samples.tsx';
import { readTyped, type Typed, typedExample } from './typed-values.ts';

interface CallFormProps {
  readonly method: MethodDescription;
  /** The address at which programs call the method. */
  readonly url: string;
  readonly batch: CollectedCalls;
  /** Whether the method has a dry run. */
  readonly mayBeDry: boolean;
}

export function CallForm({ method, url, batch, mayBeDry }: CallFormProps) {
  const t = useTexts(explorerTexts);
  const [typed, setTyped] = useState<Typed>({});
  const [isTried, setTried] = useState(false);
  const [isDry, setDry] = useState(mayBeDry);
  const [isAsking, setAsking] = useState(false);
  const { answer, isPending, send } = useCall(method, isDry);
  const read = readTyped(method.params, typed);
  const params = 'params' in read ? read.params : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!params) return;
    if (isMutating(method) && !isDry) setAsking(true);
    else void send(params);
  };
  const problems = isTried && 'problems' in read ? read.problems : {};
  return (
    <>
      <Card
        title={t('call')}
        actions={
          <>
            <Button size="small" onPress={() => setTyped(typedExample(method))}>
              {t('example')}
            </Button>
            <Button size="small" variant="quiet" onPress={() => setTyped({})}>
              {t('clear')}
            </Button>
          </>
        }
      >
        <form className="form" onSubmit={submit} noValidate>
          {method.params.map((param) => (
            <ParameterField
              key={param.name}
              param={param}
              problem={problems[param.name]}
              value={typed[param.name] ?? ''}
              onChange={(text) => setTyped((before) => ({ ...before, [param.name]: text }))}
            />
          ))}
          <div className="row-apart">
            {mayBeDry ? (
              <Checkbox isSelected={isDry} onChange={setDry}>
                {t('dryRun')}
              </Checkbox>
            ) : (
              <span />
            )}
            <Button type="submit" variant="primary" isPending={isPending}>
              {t(isDry ? 'tryCall' : 'send')}
            </Button>
          </div>
        </form>
        {answer && <Answer answer={answer} />}
      </Card>
      <Samples call={{ method: method.name, params: params ?? {} }} url={url} batch={batch} />
      <Confirm
        title={t('confirm', { method: method.name })}
        lost={[t('confirmLost')]}
        act={t('send')}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void send(params ?? {});
        }}
      />
    </>
  );
}

/** An error is an answer here: it is what the method says. */
function useCall(method: MethodDescription, isDry: boolean) {
  const { manager, dryRun } = useSession();
  const [answer, setAnswer] = useState<Answered>();
  const [isPending, setPending] = useState(false);
  const send = async (params: object) => {
    setPending(true);
    const begun = performance.now();
    const sender = isDry ? dryRun : manager;
    const given = Object.keys(params).length > 0 ? params : undefined;
    const outcome = await callByName(sender, method.name, given).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    setAnswer({ ...outcome, isDry, ms: Math.round(performance.now() - begun) });
    setPending(false);
  };
  return { answer, isPending, send };
}
