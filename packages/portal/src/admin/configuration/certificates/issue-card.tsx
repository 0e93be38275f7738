/** A new certificate: the key pair is made in the browser, the server signs the request, and the administrator saves both files. */
import { useState } from 'react';
import { Button } from '../../../kit/button.tsx';
import { download } from '../../../kit/download.ts';
import { Field } from '../../../kit/field.tsx';
import { Card, Notice } from '../../../kit/show.tsx';
import { useAction } from '../../../shell/action.ts';
import { useSession } from '../../../shell/session.tsx';
import { configurationTexts } from '../../../texts/configuration/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { makeRequest } from './certificate-request.ts';
import { type CertificateOwner, subjectOf } from './owner.ts';

interface Issued {
  readonly key: string;
  readonly certificate: string;
}

export function IssueCard({ owner }: { readonly owner: CertificateOwner }) {
  const t = useTexts(configurationTexts);
  const { manager } = useSession();
  const [days, setDays] = useState('365');
  const [issued, setIssued] = useState<Issued>();
  const issue = useAction({
    run: async () => {
      const { key, request } = await makeRequest(await subjectOf(owner, manager));
      return { key, certificate: await manager.Sign_certificate_Request({ request, expires: Number(days) }) };
    },
    done: () => t('issuedNow'),
    changes: [['List_Certificates']],
    after: setIssued,
  });
  const isWrong = !/^[1-9]\d{0,3}$/.test(days);
  const name = owner.name.replace(/[^\w.-]+/g, '_').slice(0, 60);
  return (
    <Card title={t('issueTitle', { name: owner.name })}>
      <p className="soft">{t('issueHint')}</p>
      {issued ? (
        <>
          <Notice tone="warn">{t('saveKey')}</Notice>
          <div className="row">
            <Button variant="primary" onPress={() => download(`${name}.key`, issued.key)}>
              {t('saveKeyFile')}
            </Button>
            <Button onPress={() => download(`${name}.crt`, issued.certificate)}>
              {t('saveCertificate')}
            </Button>
          </div>
        </>
      ) : (
        <div className="fields">
          <Field
            label={t('days')}
            value={days}
            onChange={setDays}
            inputMode="numeric"
            error={isWrong ? t('noNumber') : undefined}
          />
          <div className="form-actions">
            <Button
              variant="primary"
              isDisabled={isWrong}
              isPending={issue.isPending}
              onPress={() => issue.mutate()}
            >
              {t('issue')}
            </Button>
          </div>
        </div>
      )}
    </Card>
  );
}
