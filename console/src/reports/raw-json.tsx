// The answer of the API as it is, with a little colour.
import { Copy } from 'lucide-react';
import { Button } from '../ui/button.tsx';
import { Card } from '../ui/card.tsx';
import { useToast } from '../ui/toast.tsx';
import { splitJson } from './json-tokens.ts';
import styles from './report.module.css';

export function RawJson({ value }: { readonly value: unknown }) {
  const toast = useToast();
  const text = JSON.stringify(value, null, 2);
  async function copy() {
    await navigator.clipboard.writeText(text);
    toast('Copied');
  }
  return (
    <Card
      title="Raw JSON"
      note="The same body that the API gives your systems"
      isFlush
      action={
        <Button onClick={() => void copy()}>
          <Copy size={15} aria-hidden />
          Copy
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so it must be reachable by keyboard */}
      <section className={styles.json} tabIndex={0} aria-label="The body">
        <pre>
          <code>
            {splitJson(text).map(({ at, kind, text: part }) => (
              <span key={at} className={kind && styles[kind]}>
                {part}
              </span>
            ))}
          </code>
        </pre>
      </section>
    </Card>
  );
}
