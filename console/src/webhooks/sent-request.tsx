// What was posted for a delivery, or will be: headers, and the body to the character, as its signature needs it.
import { useQuery } from '@tanstack/react-query';
import type { WebhookDelivery } from '@trefoil/sdk';
import { Copy } from 'lucide-react';
import { requestQuery } from '../api/webhooks-queries.ts';
import { Button } from '../ui/button.tsx';
import { Skeleton, SmallFailure } from '../ui/states.tsx';
import { useToast } from '../ui/toast.tsx';
import styles from './webhooks.module.css';

type Props = { readonly tenantId: string; readonly delivery: WebhookDelivery };

export function SentRequest({ tenantId, delivery }: Props) {
  const { data, isError, refetch } = useQuery(requestQuery(tenantId, delivery));
  const toast = useToast();
  const isSent = delivery.attempts.length > 0;
  async function copy(text: string) {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  }
  if (!data) {
    return isError ? (
      <SmallFailure what="What was sent" onRetry={refetch} />
    ) : (
      <div role="status">
        <span className="visually-hidden">Loading what was sent</span>
        <Skeleton height="12rem" />
      </div>
    );
  }
  const headers = Object.entries(data.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className={styles.request}>
      <h3>{isSent ? 'Headers sent' : 'Headers to send'}</h3>
      <pre>
        <code>{headers.join('\n')}</code>
      </pre>
      <h3>{isSent ? 'Body sent' : 'Body to send'}</h3>
      <pre>
        <code>{data.body}</code>
      </pre>
      <p className={styles.again}>
        <Button onClick={() => void copy(data.body)}>
          <Copy size={15} aria-hidden />
          Copy the body
        </Button>
        <span className="faint">
          The signature is not shown. Compute it with your secret, and compare it with the one you received.
        </span>
      </p>
    </div>
  );
}
