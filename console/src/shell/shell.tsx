// The frame: places on the left, mode and person above, the page in the middle.
import { onlineManager, useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { ArrowUpRight, FlaskConical, KeyRound, Menu as MenuIcon, Search, WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { useCompanies, useCompany } from '../api/company.ts';
import { walletQuery } from '../api/queries.ts';
import { SIGN_IN_BESIDE, useSignInEnded } from '../api/sign-in.ts';
import { formatCredits } from '../format/money.ts';
import { Button } from '../ui/button.tsx';
import { latePart } from '../ui/late-part.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { CompanyMenu } from './company-menu.tsx';
import { NoCompany } from './edges.tsx';
import { Mark } from './mark.tsx';
import { isOfMode, PLACES } from './navigation.ts';
import { PersonMenu } from './person-menu.tsx';
import styles from './shell.module.css';

const Palette = latePart(() => import('./palette.tsx').then((loaded) => loaded.Palette));

/** From here on shell.module.css shows the places beside the page. */
const WIDE = '(width >= 56rem)';
const isMac = navigator.platform.startsWith('Mac');

export function Shell() {
  const { tenantId } = useParams({ from: '/$tenantId' });
  const company = useCompanies().find(({ id }) => id === tenantId);
  return company?.isEnabled ? <Frame key={tenantId} /> : <NoCompany isDisabled={company !== undefined} />;
}

function Frame() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const [isPaletteOpen, setPaletteOpen] = useState(false);
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const burger = useRef<HTMLButtonElement>(null);
  const side = useRef<HTMLElement>(null);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        setPaletteOpen(true);
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes the drawer
  useEffect(() => setDrawerOpen(false), [path]);

  useEffect(() => {
    if (!isDrawerOpen) return;
    side.current?.querySelector<HTMLElement>('a, button')?.focus();
    // A window that becomes wide shows the places beside the page: there is nothing to close then.
    const wide = matchMedia(WIDE);
    const onWide = () => {
      if (wide.matches) setDrawerOpen(false);
    };
    onWide();
    wide.addEventListener('change', onWide);
    return () => wide.removeEventListener('change', onWide);
  }, [isDrawerOpen]);

  function closeDrawer() {
    // At once: until then the button that gets the focus cannot have it.
    flushSync(() => setDrawerOpen(false));
    burger.current?.focus();
  }

  return (
    <div className={styles.shell} data-drawer={isDrawerOpen || undefined}>
      <a href="#main" className={styles.skip}>
        Skip to the page
      </a>
      <aside
        ref={side}
        className={styles.side}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && isDrawerOpen) closeDrawer();
        }}
      >
        <CompanyMenu />
        <Places />
        <Balance />
      </aside>
      {isDrawerOpen && (
        <button type="button" className={styles.veil} aria-label="Close the menu" onClick={closeDrawer} />
      )}
      <div className={styles.body} inert={isDrawerOpen}>
        <header className={styles.top}>
          <Bands />
          <div className={styles.bar}>
            <button
              ref={burger}
              type="button"
              className={styles.burger}
              aria-label="Open the menu"
              aria-expanded={isDrawerOpen}
              onClick={() => setDrawerOpen(true)}
            >
              <MenuIcon size={18} aria-hidden />
            </button>
            <span className={styles.barBrand}>
              <Mark />
            </span>
            <button type="button" className={styles.search} onClick={() => setPaletteOpen(true)}>
              <Search size={15} aria-hidden />
              <span>Find a report or a page</span>
              <kbd>{isMac ? '⌘' : 'Ctrl'} K</kbd>
            </button>
            <span className={styles.fill} />
            <Button
              look="plain"
              isIcon
              className={styles.barSearch}
              aria-label="Search"
              onClick={() => setPaletteOpen(true)}
            >
              <Search size={17} aria-hidden />
            </Button>
            <ModeSwitch />
            <PersonMenu />
          </div>
        </header>
        <main id="main" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  );
}

function ModeSwitch() {
  const { mode = 'live' } = useSearch({ from: '/$tenantId' });
  const navigate = useNavigate();
  return (
    <Segmented
      label="Mode"
      value={mode}
      tone={mode === 'test' ? 'warn' : undefined}
      options={[
        { value: 'live', label: 'Live' },
        { value: 'test', label: 'Test' },
      ]}
      onChange={(next) =>
        void navigate({
          to: '.',
          search: (before: object) => ({ ...before, mode: next === 'test' ? next : undefined }),
        })
      }
    />
  );
}

const isOnline = () => onlineManager.isOnline();
const watchOnline = (listener: () => void) => onlineManager.subscribe(listener);

function Band({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div role="status" className={styles.band}>
      {icon}
      <span>{children}</span>
    </div>
  );
}

/** What is true of everything on the page. */
function Bands() {
  const { mode } = useSearch({ from: '/$tenantId' });
  const isConnected = useSyncExternalStore(watchOnline, isOnline);
  const isEnded = useSignInEnded();
  return (
    <>
      {mode === 'test' && (
        <Band icon={<FlaskConical size={15} aria-hidden />}>
          Test mode. No text is sent, no bureau is asked and no real credits are charged.
        </Band>
      )}
      {!isConnected && (
        <Band icon={<WifiOff size={15} aria-hidden />}>You are offline. What you see may be out of date.</Band>
      )}
      {isEnded && (
        <Band icon={<KeyRound size={15} aria-hidden />}>
          Your sign-in has ended. What you typed stays here:{' '}
          <a href={SIGN_IN_BESIDE} target="_blank" rel="noopener">
            sign in in a new tab
          </a>
          , then continue.
        </Band>
      )}
    </>
  );
}

function Places() {
  const { id, may } = useCompany();
  const { mode = 'live' } = useSearch({ from: '/$tenantId' });
  const groups = PLACES.map(({ title, places }) => ({
    title,
    places: places.filter((place) => may(place.scope) && isOfMode(place, mode)),
  }));
  return (
    <nav aria-label="Main" className={styles.places}>
      {groups
        .filter(({ places }) => places.length > 0)
        .map(({ title, places }) => (
          <div key={title ?? ''} className={styles.group}>
            {title && <p className={styles.groupTitle}>{title}</p>}
            <ul>
              {places.map((place) => (
                <li key={place.label}>
                  {'to' in place ? (
                    <Link
                      to={place.to}
                      params={{ tenantId: id }}
                      // Home is above every other place, and is not meant by their addresses.
                      activeOptions={{ includeSearch: false, exact: place.to === '/$tenantId' }}
                      className={styles.place}
                    >
                      <place.icon size={16} aria-hidden />
                      {place.label}
                    </Link>
                  ) : (
                    <a href={place.href} className={styles.place}>
                      <place.icon size={16} aria-hidden />
                      {place.label}
                      <ArrowUpRight size={13} aria-hidden className={styles.away} />
                    </a>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
    </nav>
  );
}

function Balance() {
  const { id, may } = useCompany();
  const { mode } = useSearch({ from: '/$tenantId' });
  const isShown = may('wallet:read');
  const { data } = useQuery({ ...walletQuery(id, mode), enabled: isShown });
  if (!isShown) return null;
  return (
    <Link to="/$tenantId/wallet" params={{ tenantId: id }} className={styles.balance}>
      <span>{mode === 'test' ? 'Test wallet' : 'Available'}</span>
      <b className="num">{data ? formatCredits(data.available) : '–'}</b>
    </Link>
  );
}
