// A page whose code comes when it is first opened. Where it does not come, the frame and the page's name stay.
import { type ComponentType, useEffect } from 'react';
import { late } from '../api/late.ts';
import { Card } from '../ui/card.tsx';
import { useLate } from '../ui/late-part.tsx';
import { Page } from '../ui/page.tsx';
import { Failure } from '../ui/states.tsx';
import { Waiting } from './edges.tsx';

/** A page that came by a reload is not loaded again by itself: a build that lacks a file would never stop. */
const isReloaded = () =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');

export function latePage(title: string, fetchPage: () => Promise<ComponentType>) {
  const page = late(fetchPage);
  function LatePage() {
    const { problem, load } = useLate(page);
    // The page before is gone, so no form is open whose text a reload would lose.
    const isReloading = problem?.needsNewPage === true && !isReloaded();
    // biome-ignore lint/correctness/useExhaustiveDependencies: once; then only when a person tries again
    useEffect(() => {
      if (!page.code) void load();
    }, []);
    useEffect(() => {
      if (isReloading) location.reload();
    }, [isReloading]);
    const { code: Shown } = page;
    if (Shown) return <Shown />;
    if (!problem || isReloading) return <Waiting />;
    return (
      <Page title={title}>
        <Card isFlush>
          <Failure
            error={problem}
            what="This page"
            onRetry={() => (problem.needsNewPage ? location.reload() : load())}
          />
        </Card>
      </Page>
    );
  }
  // Under this name the router asks for it, while it also loads what the page needs.
  return Object.assign(LatePage, { preload: page.ahead });
}
