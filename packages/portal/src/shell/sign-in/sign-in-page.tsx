/** The sign-in page, in all ways that an installation may require. */
import { useState } from 'react';
import { type Challenge, type Refused, type SignInFields, type Site, signIn } from '../../api/session.ts';
import { Card, Notice } from '../../kit/show.tsx';
import icon from '../../styles/icon.svg';
import { signInTexts } from '../../texts/sign-in/index.ts';
import { useTexts } from '../../texts/text.ts';
import { useReasons } from '../failure.tsx';
import { LanguageMenu, ThemeMenu } from '../frame.tsx';
import { useDoor } from '../session.tsx';
import { ChallengeForm } from './challenge-form.tsx';
import { useSecondsUntil } from './countdown.ts';
import { CredentialsForm, type CredentialsFormProps } from './credentials-form.tsx';
import { WithoutCertificate } from './without-certificate.tsx';

interface SignInPageProps {
  readonly site: Site;
  readonly title: string;
  /** Beside the form: other ways to get in. */
  readonly children?: React.ReactNode;
}

/** A refusal, and until when nothing new is taken. */
interface Setback {
  readonly refused: Refused;
  /** The end, by `performance.now()`. */
  readonly until: number;
}

export function SignInPage({ site, title, children }: SignInPageProps) {
  const { look } = useDoor();
  const [shown, setShown] = useState<SignInFields>({});
  const [challenge, setChallenge] = useState<Challenge>();
  const [setback, setSetback] = useState<Setback>();
  const [isPending, setPending] = useState(false);

  const send = async (fields: SignInFields) => {
    setPending(true);
    const answer = await signIn(site, fields);
    if (answer.kind === 'signed-in') return look();
    setPending(false);
    setChallenge(answer.kind === 'challenge' ? answer : undefined);
    setSetback(answer.kind === 'refused' ? setbackOf(answer) : undefined);
  };
  const begin = (fields: SignInFields) => {
    setShown({
      ...(fields.username !== undefined && { username: fields.username }),
      ...(fields.domain !== undefined && { domain: fields.domain }),
    });
    return send(fields);
  };
  const reply = (answer: SignInFields) =>
    challenge && send({ ...shown, ...answer, session: challenge.session });
  const startOver = () => {
    setChallenge(undefined);
    setSetback(undefined);
  };
  return (
    <main className="centered" id="main">
      <div className="sign-in stack">
        <div className="sign-in-brand">
          <img src={icon} alt="" />
          <h1>Watchword</h1>
        </div>
        <Card title={title}>
          <WhyHere />
          {setback && <Refusal site={site} setback={setback} />}
          {challenge ? (
            <ChallengeForm
              key={challenge.session}
              challenge={challenge}
              isPending={isPending}
              onReply={reply}
              onStartOver={startOver}
            />
          ) : (
            <First isPending={isPending} onSubmit={begin} />
          )}
        </Card>
        {children}
        <div className="sign-in-tools">
          <LanguageMenu />
          <ThemeMenu />
        </div>
      </div>
    </main>
  );
}

/** Nobody types a password where a certificate is wanted first and there is none. */
function First(form: CredentialsFormProps) {
  const { door } = useDoor();
  const asked = door.kind === 'outside' ? door.door : undefined;
  const { certificate = 'taken' } = asked ?? {};
  if (asked?.mode === 'PKI' && certificate !== 'taken')
    return <WithoutCertificate certificate={certificate} />;
  return <CredentialsForm {...form} />;
}

const setbackOf = (refused: Refused): Setback => ({
  refused,
  until: performance.now() + (refused.retryAfter ?? 0) * 1000,
});

function WhyHere() {
  const t = useTexts(signInTexts);
  const { door } = useDoor();
  if (door.kind !== 'outside' || door.why === 'new') return null;
  return <Notice tone={door.why === 'unreachable' ? 'bad' : 'accent'}>{t(door.why)}</Notice>;
}

interface RefusalProps {
  readonly site: Site;
  readonly setback: Setback;
}

function Refusal({ site, setback: { refused, until } }: RefusalProps) {
  const t = useTexts(signInTexts);
  const say = useReasons();
  const left = useSecondsUntil(until);
  const { door } = useDoor();
  const isCertified = door.kind === 'outside' && door.door.mode === 'PKI';
  const isAdministrators = site === 'admin' && refused.reason === 'credentials_refused';
  const why = isAdministrators ? t(isCertified ? 'refusedWithCertificate' : 'refused') : say(refused);
  return (
    <Notice tone="bad" alert>
      <p>{why}</p>
      {left > 0 && <p>{t('waiting', { count: left })}</p>}
    </Notice>
  );
}
