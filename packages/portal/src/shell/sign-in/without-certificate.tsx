/** Advice where a certificate is wanted and the browser has presented none that is accepted. */
import type { CertificateStanding } from '../../api/session.ts';
import { Button } from '../../kit/button.tsx';
import { Notice } from '../../kit/show.tsx';
import { signInTexts } from '../../texts/sign-in/index.ts';
import { useTexts } from '../../texts/text.ts';

interface WithoutCertificateProps {
  readonly certificate: Exclude<CertificateStanding, 'taken'>;
}

/**
 * The advice with a button that loads the whole page again: a browser asks for a certificate when a connection begins, and remembers the
 * answer.
 */
export function WithoutCertificate({ certificate }: WithoutCertificateProps) {
  const t = useTexts(signInTexts);
  const isUnfit = certificate === 'unfit';
  return (
    <div className="stack-tight">
      <Notice tone="warn" alert>
        <p>{t(isUnfit ? 'unfitCertificate' : 'noCertificate')}</p>
        <p>{t(isUnfit ? 'otherCertificate' : 'chooseCertificate')}</p>
      </Notice>
      <div>
        <Button variant="primary" onPress={() => location.reload()}>
          {t('lookAgain')}
        </Button>
      </div>
    </div>
  );
}
